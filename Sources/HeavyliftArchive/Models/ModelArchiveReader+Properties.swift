import Foundation
import HeavyliftModel

extension ModelArchiveReader {
  mutating func readProperties(
    of object: ArchivedObject, inherited: Set<String>, into entity: inout EntityDescription
  ) throws(ArchiveMistake) {
    guard let properties = object["NSProperties"]?.dictionary else {
      throw .missingKey("NSProperties", className: object.className)
    }
    var attributes: [AttributeDescription] = []
    var relationships: [RelationshipDescription] = []
    var fetched: [FetchedPropertyDescription] = []
    var names: Set<String> = []
    for entry in properties {
      try expressions.budget.spend()
      guard let property = entry.value.object?.property else {
        throw .wrongKind("NSProperties", className: object.className, expected: "a dictionary of properties")
      }
      guard let name = try text("NSPropertyName", of: property) else {
        throw .missingKey("NSPropertyName", className: property.className)
      }
      if inherited.contains(name) { continue }
      guard names.insert(name).inserted else { throw .damaged("it has two properties named '\(name)'") }
      do {
        if property.isKind(of: "NSAttributeDescription") {
          attributes.append(try attribute(property, name: name, entity: entity.name))
          continue
        } else if property.isKind(of: "NSRelationshipDescription") {
          relationships.append(try relationship(property, name: name, entity: entity.name))
          continue
        } else if property.isKind(of: "NSFetchedPropertyDescription") {
          fetched.append(try fetchedProperty(property, name: name, entity: entity.name))
          continue
        }
      } catch {
        throw error.within("property '\(name)' of entity '\(entity.name)'")
      }
      note(
        "unknown-property",
        "has a property '\(name)' of entity '\(entity.name)' of unknown class "
          + "'\(property.className.prefix(64))'; it is skipped",
        severity: .warning)
    }
    entity.attributes = attributes
    entity.relationships = relationships
    entity.fetchedProperties = fetched
  }

  private mutating func attribute(
    _ object: ArchivedObject, name: String, entity: String, depth: Int = 0
  ) throws(ArchiveMistake) -> AttributeDescription {
    guard let number = try number("NSAttributeType", of: object) else {
      throw .missingKey("NSAttributeType", className: object.className)
    }
    guard let type = Int32(exactly: number).flatMap(AttributeType.init(rawValue:)) else {
      throw .wrongKind("NSAttributeType", className: object.className, expected: "a known type (\(number))")
    }
    let place = "attribute '\(name)' of entity '\(entity)'"
    let className = try text("NSAttributeValueClassName", of: object)
    var attribute = AttributeDescription(
      name: name, type: type, isOptional: flag("NSIsOptional", of: object),
      isTransient: flag("NSIsTransient", of: object),
      isIndexed: flag("NSIsIndexed", of: object),
      valueTransformerName: try text("NSValueTransformerName", of: object),
      attributeValueClassName: className == type.usualClassName ? nil : className,
      renamingIdentifier: try renamingIdentifier(object, name: name),
      versionHashModifier: try text("NSVersionHashModifier", of: object),
      userInfo: try userInfo(object, of: place))
    attribute.defaultValue = try defaultValue(object, type: type, place: place)
    attribute.validation = try validation(object, type: type, place: place)
    try readFlags(object, entity: entity, into: &attribute)
    if object.isKind(of: "NSDerivedAttributeDescription") {
      try readDerivation(object, place: place, into: &attribute)
    }
    if type == .composite {
      attribute.compositeName = try compositeName(object, attribute: name, entity: entity, place: place, depth: depth)
    }
    return attribute
  }

  /// Returns the name of the composite type with the attribute's elements: a type that is already known, or a new type
  /// named after the attribute.
  ///
  /// No public archive shows under which key the elements are, so the object's only list of attributes is used.
  private mutating func compositeName(
    _ object: ArchivedObject, attribute name: String, entity: String, place: String, depth: Int
  ) throws(ArchiveMistake) -> String? {
    guard depth < 32 else { throw .tooDeep(32) }
    var elements: [AttributeDescription] = []
    for key in object.keys {
      guard let list = object[key]?.elements, !list.isEmpty else { continue }
      try expressions.budget.spend(list.count)
      let parts = list.compactMap { $0.object?.property }.filter { $0.isKind(of: "NSAttributeDescription") }
      guard parts.count == list.count else { continue }
      for part in parts {
        guard let element = try text("NSPropertyName", of: part) else {
          throw .missingKey("NSPropertyName", className: part.className)
        }
        elements.append(try attribute(part, name: element, entity: entity, depth: depth + 1))
      }
      break
    }
    if elements.isEmpty {
      note("composite", "has the composite \(place), whose elements were not found", severity: .warning)
      return nil
    }
    if let known = composites.first(where: { $0.elements == elements }) { return known.name }
    let wanted = name.prefix(1).uppercased() + name.dropFirst()
    let taken = Set(composites.map(\.name))
    let free = ([wanted] + (2...(taken.count + 2)).map { "\(wanted)\($0)" }).first { !taken.contains($0) } ?? wanted
    composites.append(CompositeDescription(name: free, elements: elements))
    return free
  }

  /// Bit 16 marks attributes whose value is preserved in history on deletion; no known model sets any other bit.
  private mutating func readFlags(
    _ object: ArchivedObject, entity: String, into attribute: inout AttributeDescription
  ) throws(ArchiveMistake) {
    let preservesValue: Int64 = 16
    let flags = try number("NSFlagsKey", of: object) ?? 0
    attribute.preservesValueInHistoryOnDeletion = flags & preservesValue != 0
    let unexplained = flags & ~preservesValue
    guard unexplained != 0 else { return }
    unexplainedFlags[entity, default: [:]][attribute.name] = unexplained
    if attribute.type == .binaryData {
      attribute.allowsExternalBinaryDataStorage = true
      diagnostics.append(
        CompiledModel.assumedExternalStorage(attribute.name, of: entity, flags: unexplained, in: subject))
    } else {
      let place = "attribute '\(attribute.name)' of entity '\(entity)'"
      note("unknown-flags", "has flags \(unexplained) of unknown meaning for \(place)")
    }
  }

  private mutating func readDerivation(
    _ object: ArchivedObject, place: String, into attribute: inout AttributeDescription
  ) throws(ArchiveMistake) {
    guard let value = object["NSDerivationExpression"], !value.isNull else {
      throw .missingKey("NSDerivationExpression", className: object.className)
    }
    attribute.derivationExpression = try expressions.expression(value).description
    if let filter = object["NSFilteringPredicate"], !filter.isNull {
      note("filtered-derivation", "has a filter for the derived \(place); it is skipped", severity: .warning)
    }
  }

  private mutating func relationship(
    _ object: ArchivedObject, name: String, entity: String
  ) throws(ArchiveMistake) -> RelationshipDescription {
    let inverse = object["NSInverseRelationship"]?.object?.property
    let rule = try number("NSDeleteRule", of: object) ?? 0
    guard let deleteRule = DeleteRule(rawValue: Int(rule)) else {
      throw .wrongKind("NSDeleteRule", className: object.className, expected: "a known rule (\(rule))")
    }
    let destination = try text("_NSDestinationEntityName", of: object)
    let inverseName = try text("_NSInverseRelationshipName", of: object)
    let relationship = RelationshipDescription(
      name: name,
      destinationEntityName: destination ?? object["NSDestinationEntity"]?.object?["NSEntityName"]?.string,
      inverseName: inverseName ?? inverse?["NSPropertyName"]?.string,
      isOptional: flag("NSIsOptional", of: object), isTransient: flag("NSIsTransient", of: object),
      isOrdered: flag("NSIsOrdered", of: object),
      minCount: Int(try number("NSMinCount", of: object) ?? 0),
      maxCount: Int(try number("NSMaxCount", of: object) ?? 0),
      deleteRule: deleteRule, isIndexed: flag("NSIsIndexed", of: object),
      renamingIdentifier: try renamingIdentifier(object, name: name),
      versionHashModifier: try text("NSVersionHashModifier", of: object),
      userInfo: try userInfo(object, of: "relationship '\(name)' of entity '\(entity)'"))
    if let owner = inverse?["NSEntity"]?.object?["NSEntityName"]?.string {
      entitiesOfInverses[entity, default: [:]][name] = owner
    }
    return relationship
  }

  private mutating func fetchedProperty(
    _ object: ArchivedObject, name: String, entity: String
  ) throws(ArchiveMistake) -> FetchedPropertyDescription {
    let place = "fetched property '\(name)' of entity '\(entity)'"
    var request: FetchRequestDescription?
    if let archived = object["NSFetchRequest"]?.object {
      request = try fetchRequest(archived, name: Self.nameOfFetchedPropertyRequest, of: place)
      if request?.entityName == nil { request?.entityName = try text("_NSFetchRequestEntityName", of: object) }
    }
    return FetchedPropertyDescription(
      name: name, fetchRequest: request, isOptional: flag("NSIsOptional", of: object),
      isTransient: flag("NSIsTransient", of: object),
      renamingIdentifier: try renamingIdentifier(object, name: name),
      versionHashModifier: try text("NSVersionHashModifier", of: object), userInfo: try userInfo(object, of: place))
  }

  /// Returns the renaming identifier if it differs from the property's own name. In an archive, every property has a
  /// renaming identifier.
  private mutating func renamingIdentifier(
    _ object: ArchivedObject, name: String
  ) throws(ArchiveMistake) -> String? {
    let identifier = try text("NSRenamingIdentifier", of: object)
    return identifier == name ? nil : identifier
  }
}

extension AttributeType {
  /// The default class for attributes of the type. An attribute with this class needs no class name.
  var usualClassName: String? {
    switch self {
    case .undefined, .transformable, .objectID, .composite: nil
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binaryData: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    }
  }
}
