import Foundation
import HeavyliftModel

/// Writes a model in the form in which Core Data embeds it in a store.
///
/// ```swift
/// let blob = try CompiledModelWriter.modelCache(for: model)
/// ```
///
/// The archived form of some parts of a model is unknown, because no known file contains them. Models with such parts
/// are rejected, and the error lists them all: a store without a model cache is valid, but a store with a wrong one is
/// not.
package struct CompiledModelWriter {
  private static let propertyClasses = ["NSPropertyDescription", "NSObject"]

  private struct PropertyKey: Hashable {
    var entity: String
    var name: String
  }

  private let model: ManagedObjectModel
  private let modelHasIndexes: Bool
  private var writer = KeyedArchiveWriter()
  private var modelReference = KeyedArchiveWriter.null
  private var entityReferences: [String: KeyedArchiveWriter.Reference] = [:]
  private var propertyReferences: [PropertyKey: KeyedArchiveWriter.Reference] = [:]

  /// Returns the blob for a store's `Z_MODELCACHE` table.
  package static func modelCache(for model: ManagedObjectModel) throws(DiagnosticList) -> Data {
    guard let deflated = Deflate.deflate(try archive(of: model)) else {
      throw DiagnosticList([
        Diagnostic(.error, code: "archive.not-deflated", problem: "the model cache cannot be deflated")
      ])
    }
    return deflated
  }

  /// Returns the keyed archive alone, as in a `.mom` file.
  package static func archive(of model: ManagedObjectModel) throws(DiagnosticList) -> Data {
    let obstacles = obstacles(to: model)
    guard obstacles.isEmpty else { throw DiagnosticList(obstacles) }
    var writer = CompiledModelWriter(model)
    return writer.archive()
  }

  private init(_ model: ManagedObjectModel) {
    self.model = model
    modelHasIndexes = model.entities.contains {
      !$0.fetchIndexes.isEmpty || !$0.compoundIndexes.isEmpty || $0.attributes.contains(where: \.isIndexed)
    }
  }

  private mutating func archive() -> Data {
    modelReference = writer.reserve()
    for entity in model.entities {
      entityReferences[entity.name] = writer.reserve()
      for name in model.allAttributes(of: entity).map(\.name) + model.allRelationships(of: entity).map(\.name) {
        propertyReferences[PropertyKey(entity: entity.name, name: name)] = writer.reserve()
      }
    }
    for entity in model.entities { define(entity) }
    let identifiers = model.versionIdentifiers.sorted().map { writer.add(.string($0)) }
    var fields = [
      "NSEntities": entities().field, "NSFetchRequestTemplates": KeyedArchiveWriter.null.field,
      "NSVersionIdentifiers": writer.addSet(identifiers).field,
    ]
    if !model.configurations.isEmpty {
      let entries = model.configurations.map { configuration in
        (
          key: writer.add(.string(configuration.name)),
          value: writer.addSet(configuration.entityNames.sorted().map { reference(toEntity: $0) })
        )
      }
      fields["NSConfigurations"] = writer.addDictionary(entries, isMutable: true).field
    }
    writer.define(modelReference, ["NSManagedObjectModel", "NSObject"], fields)
    return writer.archive(root: modelReference)
  }

  /// Adds the dictionary of entities. Its keys are in a separate object, as in a store's model cache.
  private mutating func entities() -> KeyedArchiveWriter.Reference {
    let keys = writer.addArray(model.entities.map { writer.add(.string($0.name)) })
    let strategy = writer.addObject(
      ["NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy", "NSObject"],
      ["keys": keys.field, "length": .integer(Int64(model.entities.count)), "version": .integer(1)])
    let values = writer.addArray(model.entities.map { reference(toEntity: $0.name) })
    return writer.addObject(
      ["NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary", "NSObject"],
      [
        "searchMapping": strategy.field, "values": values.field, "version": .integer(1),
        "emptyToken": writer.add(.string("__empty_slot_token_4c24_98dc_ac1e_b773__")).field,
      ])
  }

  private mutating func define(_ entity: EntityDescription) {
    // An entity repeats inherited properties, each as a separate object.
    let attributes = model.allAttributes(of: entity)
    let relationships = model.allRelationships(of: entity)
    for attribute in attributes { define(attribute, of: entity) }
    for relationship in relationships { define(relationship, of: entity) }
    let properties = (attributes.map(\.name) + relationships.map(\.name)).map {
      (key: writer.add(.string($0)), value: reference(toProperty: $0, of: entity.name))
    }
    let subentities = model.directSubentities(of: entity).map {
      (key: writer.add(.string($0.name)), value: reference(toEntity: $0.name))
    }
    var fields = [
      "NSEntityName": string(entity.name), "NSClassNameForEntity": string(entity.managedObjectClassName),
      "NSManagedObjectModel": modelReference.field,
      "NSProperties": writer.addDictionary(properties, isMutable: true).field,
      "NSRenamingIdentifier": string(entity.renamingIdentifier ?? entity.name),
      "NSSubentities": writer.addDictionary(subentities, isMutable: true).field,
      "NSSuperentity": (entity.superentityName.map { reference(toEntity: $0) } ?? KeyedArchiveWriter.null).field,
      "NSUserInfo": dictionary(entity.userInfo).field, "NSVersionHashModifier": string(entity.versionHashModifier),
    ]
    if entity.isAbstract { fields["NSIsAbstract"] = .boolean(true) }
    if !entity.uniquenessConstraints.isEmpty {
      fields["NSUniqueTuples"] = tuples(entity.uniquenessConstraints.map(\.propertyNames))
    }
    addIndexes(of: entity, to: &fields)
    writer.define(reference(toEntity: entity.name), ["NSEntityDescription", "NSObject"], fields)
  }

  // MARK: Indexes

  private mutating func addIndexes(of entity: EntityDescription, to fields: inout [String: PropertyList]) {
    let generated = entity.namesOfIndexedAttributes.map {
      FetchIndexDescription(name: $0, elements: [FetchIndexDescription.Element(propertyName: $0)])
    }
    // If any entity has an index, every entity has a list of indexes, even if the list is empty.
    guard modelHasIndexes else { return }
    let indexes = (generated + entity.fetchIndexes).map { define($0, of: entity) }
    fields["NSFetchIndexDescriptions"] = writer.addArray(indexes, isMutable: true).field
    fields["NSCompoundIndexes"] = tuples(
      entity.fetchIndexes.map { $0.elements.compactMap(\.propertyName) }.filter { $0.count > 1 }
        + entity.compoundIndexes)
  }

  private mutating func define(
    _ index: FetchIndexDescription, of entity: EntityDescription
  ) -> KeyedArchiveWriter.Reference {
    let reference = writer.reserve()
    let elements = index.elements.map {
      writer.addObject(
        ["NSFetchIndexElementDescription", "NSObject"],
        [
          "NSPropertyName": string($0.propertyName), "NSAscending": .boolean($0.isAscending),
          "NSFetchIndexElementType": .integer(Int64($0.collationType.rawValue)),
          "NSFetchIndexDescription": reference.field,
        ])
    }
    writer.define(
      reference, ["NSFetchIndexDescription", "NSObject"],
      [
        "NSIndexName": string(index.name), "NSIndexElements": writer.addArray(elements).field,
        "NSEntity": self.reference(toEntity: entity.name).field,
        "NSPartialIndexPredicate": KeyedArchiveWriter.null.field,
      ])
    return reference
  }

  private mutating func tuples(_ tuples: [[String]]) -> PropertyList {
    let arrays = tuples.map { names in
      writer.addArray(names.map { writer.add(.string($0)) }, isMutable: true)
    }
    return writer.addArray(arrays, isMutable: true).field
  }

  // MARK: Properties

  private mutating func define(_ attribute: AttributeDescription, of entity: EntityDescription) {
    var fields = propertyFields(
      attribute.name, of: entity, isOptional: attribute.isOptional, isTransient: attribute.isTransient,
      renamingIdentifier: attribute.renamingIdentifier, modifier: attribute.versionHashModifier,
      userInfo: attribute.userInfo)
    fields["NSAttributeType"] = .integer(Int64(attribute.type.rawValue))
    fields["NSAttributeValueClassName"] = string(attribute.attributeValueClassName ?? attribute.type.usualClassName)
    fields["NSDefaultValue"] = writer.add(attribute.defaultValue).field
    fields["NSFlagsKey"] = .integer(attribute.preservesValueInHistoryOnDeletion ? 16 : 0)
    fields["NSValueTransformerName"] = string(attribute.valueTransformerName)
    if entity.namesOfIndexedAttributes.contains(attribute.name) { fields["NSIsIndexed"] = .boolean(true) }
    writer.define(
      reference(toProperty: attribute.name, of: entity.name), ["NSAttributeDescription"] + Self.propertyClasses, fields)
  }

  private mutating func define(_ relationship: RelationshipDescription, of entity: EntityDescription) {
    var fields = propertyFields(
      relationship.name, of: entity, isOptional: relationship.isOptional, isTransient: relationship.isTransient,
      renamingIdentifier: relationship.renamingIdentifier, modifier: relationship.versionHashModifier,
      userInfo: relationship.userInfo, isOrdered: relationship.isOrdered)
    let destination = relationship.destinationEntityName ?? ""
    fields["NSDeleteRule"] = .integer(Int64(relationship.deleteRule.rawValue))
    fields["NSMinCount"] = .integer(Int64(relationship.minCount))
    fields["NSMaxCount"] = .integer(Int64(relationship.maxCount))
    fields["NSDestinationEntity"] = reference(toEntity: destination).field
    fields["_NSDestinationEntityName"] = string(destination)
    fields["NSInverseRelationship"] =
      reference(toProperty: relationship.inverseName ?? "", of: destination).field
    fields["_NSInverseRelationshipName"] = string(relationship.inverseName)
    if relationship.isOrdered { fields["NSIsOrdered"] = .boolean(true) }
    writer.define(
      reference(toProperty: relationship.name, of: entity.name),
      ["NSRelationshipDescription"] + Self.propertyClasses, fields)
  }

  private mutating func propertyFields(
    _ name: String, of entity: EntityDescription, isOptional: Bool, isTransient: Bool, renamingIdentifier: String?,
    modifier: String?, userInfo: [String: String], isOrdered: Bool = false
  ) -> [String: PropertyList] {
    var fields = [
      "NSPropertyName": string(name), "NSEntity": reference(toEntity: entity.name).field,
      "NSRenamingIdentifier": string(renamingIdentifier ?? name),
    ]
    // In every known file, the bits repeat the facts that the keys state, which reveals the meaning of each bit.
    var bits: Int64 = 0xF1
    if isOptional { (fields["NSIsOptional"], bits) = (.boolean(true), bits | 0x02) }
    if isTransient { (fields["NSIsTransient"], bits) = (.boolean(true), bits | 0x08) }
    if let modifier { (fields["NSVersionHashModifier"], bits) = (string(modifier), bits & ~0x80) }
    if !userInfo.isEmpty { (fields["NSUserInfo"], bits) = (dictionary(userInfo).field, bits & ~0x40) }
    if isOrdered { bits |= 0x400 }
    fields["_P"] = .integer(bits)
    return fields
  }

  // MARK: References

  private mutating func string(_ text: String?) -> PropertyList {
    writer.add(text.map { .string($0) } ?? .null).field
  }

  private mutating func dictionary(_ entries: [String: String]) -> KeyedArchiveWriter.Reference {
    writer.addDictionary(
      entries.sorted { $0.key < $1.key }.map { (writer.add(.string($0.key)), writer.add(.string($0.value))) })
  }

  private func reference(toEntity name: String) -> KeyedArchiveWriter.Reference {
    entityReferences[name] ?? KeyedArchiveWriter.null
  }

  private func reference(toProperty name: String, of entity: String) -> KeyedArchiveWriter.Reference {
    propertyReferences[PropertyKey(entity: entity, name: name)] ?? KeyedArchiveWriter.null
  }
}

extension EntityDescription {
  /// The attributes that have the "indexed" flag, or an index of their own.
  fileprivate var namesOfIndexedAttributes: [String] {
    let single = Set(fetchIndexes.filter { $0.elements.count == 1 }.compactMap { $0.elements[0].propertyName })
    return attributes.filter { $0.isIndexed || single.contains($0.name) }.map(\.name)
  }
}
