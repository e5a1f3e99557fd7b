import Heavylift

/// Two versions of a large model, and a mapping file between them that mentions most of it.
struct LargeMapping {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  /// The mapping file.
  let text: String

  /// - Parameters:
  ///   - entities: The number of entities in each version.
  ///   - properties: The number of properties in each entity, including four relationships.
  init(entities: Int, properties: Int) {
    source = Self.model(entities, properties, isNew: false)
    destination = Self.model(entities, properties, isNew: true)
    text = Self.text(entities, properties)
  }

  private static func model(_ entities: Int, _ properties: Int, isNew: Bool) -> ManagedObjectModel {
    ManagedObjectModel(
      name: isNew ? "Large 2" : "Large 1",
      entities: (0..<entities).map { number in
        EntityDescription(
          name: "Entity\(number)",
          attributes: (0..<properties - 4).map { attribute in
            AttributeDescription(
              name: "attribute\(attribute)", type: isNew && attribute % 4 == 1 ? .integer64 : types[attribute % 4])
          },
          relationships: [
            link("next", to: number + 1, of: entities, inverse: "previous"),
            link("previous", to: number - 1, of: entities, inverse: "next"),
            link("parts", to: number + 7, of: entities, inverse: "whole", isToMany: true),
            link("whole", to: number - 7, of: entities, inverse: "parts"),
          ])
      })
  }

  private static let types: [AttributeType] = [.string, .integer32, .double, .date]

  private static func link(
    _ name: String, to number: Int, of count: Int, inverse: String, isToMany: Bool = false
  ) -> RelationshipDescription {
    let entity = "Entity\((number + count) % count)"
    return RelationshipDescription(
      name: name, destinationEntityName: entity, inverseName: inverse, inverseEntityName: entity,
      maxCount: isToMany ? 0 : 1)
  }

  /// Returns a mapping file in which every attribute has an expression; two relationships are explicit, and two are
  /// matched by name.
  private static func text(_ entities: Int, _ properties: Int) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <mapping-model source="Large 1" destination="Large 2">

      """
    for number in 0..<entities {
      let next = "Entity\((number + 1) % entities)"
      text += "  <entity-mapping source=\"Entity\(number)\" destination=\"Entity\(number)\">\n"
      for attribute in 0..<properties - 4 {
        let name = "attribute\(attribute)"
        let value =
          switch attribute % 4 {
          case 0: "TERNARY($source.\(name) == nil, 'none', uppercase:($source.\(name)))"
          case 1: "$source.\(name) * 1000 + 1"
          case 2: "$source.\(name) / 3.5"
          default: "$source.\(name)"
          }
        text += "    <attribute name=\"\(name)\" value=\"\(value)\"/>\n"
      }
      text += "    <relationship name=\"next\" from=\"$source.next\" mapping=\"\(next)To\(next)\"/>\n"
      text += "    <relationship name=\"parts\" from=\"$source.parts\"/>\n"
      text += "  </entity-mapping>\n"
    }
    return text + "</mapping-model>\n"
  }
}
