public import HeavyliftModel

/// A vet's clinic whose second version splits an entity by a literal, and whose third renames an attribute of an entity
/// that only the second has.
public enum Clinic {
  private static func attribute(_ name: String, _ type: AttributeType) -> AttributeDescription {
    AttributeDescription(name: name, type: type)
  }

  private static func toOne(_ name: String, _ entity: String, _ inverse: String) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: entity, inverseName: inverse, inverseEntityName: entity, maxCount: 1)
  }

  private static func toMany(_ name: String, _ entity: String, _ inverse: String) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: entity, inverseName: inverse, inverseEntityName: entity)
  }

  private static func entity(
    _ name: String, _ attributes: [AttributeDescription], _ relationships: [RelationshipDescription] = []
  ) -> EntityDescription {
    EntityDescription(
      name: name, managedObjectClassName: name, attributes: attributes.sorted { $0.name < $1.name },
      relationships: relationships.sorted { $0.name < $1.name })
  }

  /// All versions, oldest first.
  public static var versions: [ManagedObjectModel] {
    let pet = [attribute("name", .string), attribute("born", .date)]
    func animals(_ note: [AttributeDescription]) -> [EntityDescription] {
      [
        entity("Cat", pet, [toOne("owner", "Owner", "cats")]), entity("Dog", pet, [toOne("owner", "Owner", "dogs")]),
        entity("Note", note),
        entity(
          "Owner", [attribute("name", .string)], [toMany("cats", "Cat", "owner"), toMany("dogs", "Dog", "owner")]),
      ]
    }
    return [
      ManagedObjectModel(
        name: "Clinic 1",
        entities: [
          entity("Owner", [attribute("name", .string)], [toMany("pets", "Pet", "owner")]),
          entity("Pet", pet + [attribute("species", .string)], [toOne("owner", "Owner", "pets")]),
        ]),
      ManagedObjectModel(name: "Clinic 2", entities: animals([attribute("text", .string)])),
      ManagedObjectModel(name: "Clinic 3", entities: animals([attribute("body", .string)])),
    ]
  }

  /// The mapping from the first version to the second.
  public static let split = """
    <?xml version="1.0" encoding="UTF-8"?>
    <mapping-model source="Clinic 1" destination="Clinic 2">
      <entity-mapping name="PetToDog" source="Pet" destination="Dog" where="species == 'dog'">
        <drop name="species"/>
      </entity-mapping>
      <entity-mapping name="PetToCat" source="Pet" destination="Cat" where="species == 'cat'">
        <drop name="species"/>
      </entity-mapping>
      <entity-mapping source="Owner" destination="Owner">
        <relationship name="dogs" from="$source.pets" mapping="PetToDog"/>
        <relationship name="cats" from="$source.pets" mapping="PetToCat"/>
      </entity-mapping>
    </mapping-model>

    """

  /// The mapping from the second version to the third.
  public static let rename = """
    <?xml version="1.0" encoding="UTF-8"?>
    <mapping-model source="Clinic 2" destination="Clinic 3">
      <entity-mapping source="Note" destination="Note">
        <attribute name="body" value="$source.text"/>
      </entity-mapping>
    </mapping-model>

    """
}
