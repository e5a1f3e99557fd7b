import Foundation
import HeavyliftArchive
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel

/// Reads a mapping model from its keyed archive.
struct MappingArchiveReader {
  let archive: KeyedArchive
  let subject: String
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var sourceHashes: [String: VersionHash] = [:]
  private(set) var destinationHashes: [String: VersionHash] = [:]
  private var expressions: ExpressionReader

  init(archive: KeyedArchive, subject: String) {
    self.archive = archive
    self.subject = subject
    expressions = ExpressionReader(budget: ReadingBudget(byteCount: archive.byteCount))
  }

  mutating func mappingModel() throws(ArchiveMistake) -> MappingModel {
    guard let root = archive.root?.object, root.isKind(of: "NSMappingModel") else {
      let found = archive.root?.object?.className.prefix(64)
      throw .wrongRoot(expected: "NSMappingModel", found: found.map(String.init))
    }
    guard let elements = try elements("NSEntityMappings", of: root) else {
      throw .missingKey("NSEntityMappings", className: root.className)
    }
    var mappings: [EntityMappingDescription] = []
    for element in elements {
      guard let object = element.object, object.isKind(of: "NSEntityMapping") else {
        throw .wrongKind("NSEntityMappings", className: root.className, expected: "an array of entity mappings")
      }
      mappings.append(try entityMapping(object))
    }
    return MappingModel(copying: .listed, unmentionedEntities: .dropped, entityMappings: mappings)
  }

  private mutating func entityMapping(_ object: ArchivedObject) throws(ArchiveMistake) -> EntityMappingDescription {
    var mapping = EntityMappingDescription(
      source: try text("NSSourceEntityName", of: object), destination: try text("NSDestinationEntityName", of: object),
      policy: try text("NSEntityMigrationPolicyClassName", of: object))
    if let name = try text("NSMappingName", of: object), name != mapping.name { mapping.givenName = name }
    let place = "entity mapping '\(mapping.name)'"
    mapping.givenType = try type(of: object)
    mapping.userInfo = try userInfo(object, of: place)
    sourceHashes[mapping.sourceEntityName] = try hash("NSSourceEntityVersionHash", of: object)
    destinationHashes[mapping.destinationEntityName] = try hash("NSDestinationEntityVersionHash", of: object)
    try readSource(of: object, into: &mapping, place: place)
    mapping.propertyMappings =
      try properties(.attribute, "NSAttributeMappings", of: object, place: place)
      + properties(.relationship, "NSRelationshipMappings", of: object, place: place)
    return mapping
  }

  private func type(of object: ArchivedObject) throws(ArchiveMistake) -> EntityMappingType? {
    guard let value = object["NSMappingType"] else { return nil }
    guard let type = value.integer.flatMap({ Int(exactly: $0) }).flatMap(EntityMappingType.init(rawValue:)) else {
      throw .wrongKind("NSMappingType", className: object.className, expected: "a known type")
    }
    return type
  }

  private mutating func hash(_ key: String, of object: ArchivedObject) throws(ArchiveMistake) -> VersionHash? {
    try expressions.budget.spend()
    guard let value = object[key], !value.isNull else { return nil }
    guard case .data(let bytes) = value, bytes.count == 32 else {
      throw .wrongKind(key, className: object.className, expected: "32 bytes of data")
    }
    return VersionHash(bytes: bytes)
  }

  /// Extracts the filter from the fetch expression that Xcode's compiler writes; any other expression is kept.
  private mutating func readSource(
    of object: ArchivedObject, into mapping: inout EntityMappingDescription, place: String
  ) throws(ArchiveMistake) {
    guard let expression = try expression("NSSourceExpression", of: object) else { return }
    guard let fetch = expression.sourceFetch, fetch.entity == mapping.sourceEntityName else {
      mapping.sourceExpression = expression
      return
    }
    do {
      let filter = try MappingPredicate(parsing: fetch.predicate)
      mapping.filter = filter.kind == .literal(true) ? nil : filter
    } catch {
      mapping.sourceExpression = expression
      for mistake in error.mistakes {
        diagnostics.append(
          Diagnostic(
            .error, code: mistake.code, problem: "\(subject): the filter of \(place): \(mistake.problem)",
            remedy: mistake.remedy))
      }
    }
  }

  // MARK: Properties

  private mutating func properties(
    _ kind: PropertyMappingDescription.Kind, _ key: String, of object: ArchivedObject, place: String
  ) throws(ArchiveMistake) -> [PropertyMappingDescription] {
    var mappings: [PropertyMappingDescription] = []
    guard let elements = try elements(key, of: object) else { return [] }
    for element in elements {
      guard let property = element.object, property.isKind(of: "NSPropertyMapping") else {
        throw .wrongKind(key, className: object.className, expected: "an array of property mappings")
      }
      guard let name = try text("NSDestinationPropertyName", of: property) else {
        warn("nameless-property", "has a mapping in \(place) that does not name its \(kind.rawValue); it is skipped")
        continue
      }
      let value = try expression("NSValueExpression", of: property)
      if let transforms = property["NSPropertyTransforms"], !transforms.isNull, transforms.elements?.isEmpty != true {
        warn("transforms", "has transforms of unknown meaning for \(kind.rawValue) '\(name)' of \(place)")
      }
      mappings.append(
        PropertyMappingDescription(
          kind, name: name, source: value.map { .expression($0) } ?? .unmapped,
          userInfo: try userInfo(property, of: "\(kind.rawValue) '\(name)' of \(place)")))
    }
    return mappings
  }

  // MARK: Values by key

  private mutating func expression(
    _ key: String, of object: ArchivedObject
  ) throws(ArchiveMistake) -> MappingExpression? {
    guard let value = object[key], !value.isNull else { return nil }
    return try expressions.expression(value).mappingExpression().asRead
  }

  private mutating func text(_ key: String, of object: ArchivedObject) throws(ArchiveMistake) -> String? {
    try expressions.budget.spend()
    guard let value = object[key], !value.isNull else { return nil }
    guard let text = value.string else { throw .wrongKind(key, className: object.className, expected: "text") }
    return text.isEmpty ? nil : text
  }

  private mutating func elements(
    _ key: String, of object: ArchivedObject
  ) throws(ArchiveMistake) -> ArchivedCollection? {
    guard let value = object[key], !value.isNull else { return nil }
    guard let elements = value.elements else {
      throw .wrongKind(key, className: object.className, expected: "an array")
    }
    try expressions.budget.spend(elements.count)
    return elements
  }

  private mutating func userInfo(
    _ object: ArchivedObject, of place: String
  ) throws(ArchiveMistake) -> [String: String] {
    guard let value = object["NSUserInfo"], !value.isNull else { return [:] }
    guard let entries = value.dictionary else {
      throw .wrongKind("NSUserInfo", className: object.className, expected: "a dictionary")
    }
    try expressions.budget.spend(entries.count)
    let texts = entries.byName.compactMapValues(\.string)
    if texts.count < entries.count { warn("user-info", "has user info for \(place) that is not text; it is skipped") }
    return texts
  }

  private mutating func warn(_ code: String, _ problem: String) {
    diagnostics.append(Diagnostic(.warning, code: "mapping-file.\(code)", problem: "\(subject) \(problem)"))
  }
}

extension [String: VersionHash] {
  /// The hash of an entity. The setter ignores nil, a missing name, and any hash after the entity's first one.
  fileprivate subscript(name: String?) -> VersionHash? {
    get { name.flatMap { self[$0] } }
    set { if let name, let newValue, self[name] == nil { self[name] = newValue } }
  }
}
