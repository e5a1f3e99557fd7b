import Foundation
import HeavyliftModel

/// Reads a model from its keyed archive: the model itself, its entities, configurations and templates.
///
/// Extensions read properties, indexes and fetch requests, one per file.
struct ModelArchiveReader {
  let archive: KeyedArchive
  let subject: String
  var expressions: ExpressionReader
  var diagnostics: [Diagnostic] = []
  var unexplainedFlags: [String: [String: Int64]] = [:]
  /// The types of composite attributes. An archive repeats the elements in each attribute and does not name the type.
  var composites: [CompositeDescription] = []
  /// The entities that declare the inverses of relationships according to the archive, by entity and relationship.
  var entitiesOfInverses: [String: [String: String]] = [:]

  init(archive: KeyedArchive, subject: String) {
    self.archive = archive
    self.subject = subject
    expressions = ExpressionReader(budget: ReadingBudget(byteCount: archive.byteCount))
  }

  mutating func model() throws(ArchiveMistake) -> ManagedObjectModel {
    guard let root = archive.root?.object, root.isKind(of: "NSManagedObjectModel") else {
      let found = archive.root?.object?.className.prefix(64)
      throw .wrongRoot(expected: "NSManagedObjectModel", found: found.map(String.init))
    }
    guard let entries = root["NSEntities"]?.dictionary else {
      throw .missingKey("NSEntities", className: root.className)
    }
    var entities: [EntityDescription] = []
    var names: Set<String> = []
    for entry in entries {
      guard let object = entry.value.object, object.isKind(of: "NSEntityDescription") else {
        throw .wrongKind("NSEntities", className: root.className, expected: "a dictionary of entities")
      }
      let entity = try self.entity(object)
      guard names.insert(entity.name).inserted else { throw .damaged("it has two entities named '\(entity.name)'") }
      entities.append(entity)
    }
    declareInverses(&entities)
    return ManagedObjectModel(
      versionIdentifiers: try versionIdentifiers(root), entities: entities,
      composites: composites, configurations: try configurations(root), fetchRequestTemplates: try templates(root))
  }

  private mutating func entity(_ object: ArchivedObject) throws(ArchiveMistake) -> EntityDescription {
    guard let name = try text("NSEntityName", of: object) else {
      throw .missingKey("NSEntityName", className: object.className)
    }
    do {
      return try entity(object, name: name)
    } catch {
      throw error.within("entity '\(name)'")
    }
  }

  private mutating func entity(
    _ object: ArchivedObject, name: String
  ) throws(ArchiveMistake) -> EntityDescription {
    let className = try text("NSClassNameForEntity", of: object)
    let renamingIdentifier = try text("NSRenamingIdentifier", of: object)
    let parent = object["NSSuperentity"]?.object
    var entity = EntityDescription(
      name: name,
      // An entity without a class has the generic class.
      managedObjectClassName: className == "NSManagedObject" ? nil : className,
      isAbstract: flag("NSIsAbstract", of: object),
      superentityName: try parent.flatMap { object throws(ArchiveMistake) in try text("NSEntityName", of: object) },
      uniquenessConstraints: try constraints(object),
      renamingIdentifier: renamingIdentifier == name ? nil : renamingIdentifier,
      versionHashModifier: try text("NSVersionHashModifier", of: object),
      userInfo: try userInfo(object, of: "entity '\(name)'"))
    try readProperties(of: object, inherited: inheritedNames(parent), into: &entity)
    try readIndexes(of: object, into: &entity)
    return entity
  }

  /// In a model cache, every entity repeats the properties that it inherits, so the parent's names are complete.
  private mutating func inheritedNames(_ parent: ArchivedObject?) throws(ArchiveMistake) -> Set<String> {
    guard let properties = parent?["NSProperties"]?.dictionary else { return [] }
    try expressions.budget.spend(properties.count)
    return Set(properties.byName.keys)
  }

  private mutating func constraints(
    _ object: ArchivedObject
  ) throws(ArchiveMistake) -> [EntityDescription.UniquenessConstraint] {
    var constraints: [EntityDescription.UniquenessConstraint] = []
    for tuple in try elements("NSUniqueTuples", of: object) {
      guard let parts = tuple.elements else {
        throw .wrongKind("NSUniqueTuples", className: object.className, expected: "an array of arrays")
      }
      var names: [String] = []
      for part in parts {
        try expressions.budget.spend()
        guard let name = part.string ?? part.object?.property["NSPropertyName"]?.string else {
          throw .wrongKind("NSUniqueTuples", className: object.className, expected: "an array of arrays of names")
        }
        names.append(name)
      }
      constraints.append(EntityDescription.UniquenessConstraint(names))
    }
    return constraints
  }

  /// Finds the entity that declares each inverse: in a model cache, an inverse may be a sub-entity's copy of an
  /// inherited relationship.
  private mutating func declareInverses(_ entities: inout [EntityDescription]) {
    let parents = Dictionary(
      entities.map { ($0.name, $0.superentityName) }, uniquingKeysWith: { first, _ in first })
    let relationships = Dictionary(
      entities.map { ($0.name, Set($0.relationships.map(\.name))) }, uniquingKeysWith: { first, _ in first })
    for index in entities.indices {
      var changed = entities[index].relationships
      for place in changed.indices {
        guard let inverse = changed[place].inverseName else { continue }
        let first = entitiesOfInverses[entities[index].name]?[changed[place].name]
        var candidate = first ?? changed[place].destinationEntityName
        changed[place].inverseEntityName = candidate
        var visited: Set<String> = []
        // The search stops at a cycle of parents or when the budget is used up; inverses found so far are kept.
        while let name = candidate, visited.insert(name).inserted, (try? expressions.budget.spend()) != nil {
          if relationships[name]?.contains(inverse) == true {
            changed[place].inverseEntityName = name
            break
          }
          candidate = parents[name] ?? nil
        }
      }
      entities[index].relationships = changed
    }
  }

  // MARK: Other parts of a model

  private mutating func versionIdentifiers(_ root: ArchivedObject) throws(ArchiveMistake) -> Set<String> {
    let identifiers = try elements("NSVersionIdentifiers", of: root)
    let texts = identifiers.compactMap(\.string)
    if texts.count < identifiers.count {
      note("version-identifier", "has a version identifier that is not text; it is skipped")
    }
    return Set(texts)
  }

  private mutating func configurations(
    _ root: ArchivedObject
  ) throws(ArchiveMistake) -> [ConfigurationDescription] {
    var configurations: [ConfigurationDescription] = []
    guard let entries = root["NSConfigurations"]?.dictionary else { return [] }
    for entry in entries {
      guard let name = entry.key.string, let members = entry.value.elements ?? entry.value.dictionary?.valueList else {
        throw .wrongKind("NSConfigurations", className: root.className, expected: "a dictionary of sets")
      }
      // The default configuration, which contains every entity, has this name and is in every model.
      if name == "PF_DEFAULT_CONFIGURATION_NAME" { continue }
      var names: Set<String> = []
      for member in members {
        try expressions.budget.spend()
        if let entity = member.object?["NSEntityName"]?.string ?? member.string { names.insert(entity) }
      }
      configurations.append(ConfigurationDescription(name: name, entityNames: names))
    }
    return configurations
  }

  private mutating func templates(_ root: ArchivedObject) throws(ArchiveMistake) -> [FetchRequestDescription] {
    guard let entries = root["NSFetchRequestTemplates"]?.dictionary else { return [] }
    var templates: [FetchRequestDescription] = []
    for entry in entries {
      guard let name = entry.key.string, let object = entry.value.object else {
        throw .wrongKind("NSFetchRequestTemplates", className: root.className, expected: "a dictionary of requests")
      }
      templates.append(try fetchRequest(object, name: name, of: "fetch request '\(name)'"))
    }
    return templates
  }

  // MARK: Values by key

  /// Returns the text of a key; nil if there is none.
  mutating func text(_ key: String, of object: ArchivedObject) throws(ArchiveMistake) -> String? {
    try expressions.budget.spend()
    guard let value = object[key], !value.isNull else { return nil }
    guard let text = value.string else {
      throw .wrongKind(key, className: String(object.className.prefix(64)), expected: "text")
    }
    return text
  }

  func flag(_ key: String, of object: ArchivedObject) -> Bool { object[key]?.boolean ?? false }

  func number(_ key: String, of object: ArchivedObject) throws(ArchiveMistake) -> Int64? {
    guard let value = object[key], !value.isNull else { return nil }
    guard let number = value.integer else {
      throw .wrongKind(key, className: String(object.className.prefix(64)), expected: "a whole number")
    }
    return number
  }

  /// Returns the elements of a key's array or set; empty if there is none.
  mutating func elements(_ key: String, of object: ArchivedObject) throws(ArchiveMistake) -> [ArchivedValue] {
    guard let value = object[key], !value.isNull else { return [] }
    guard let elements = value.elements else {
      throw .wrongKind(key, className: String(object.className.prefix(64)), expected: "an array or a set")
    }
    try expressions.budget.spend(elements.count)
    return Array(elements)
  }

  mutating func userInfo(_ object: ArchivedObject, of owner: String) throws(ArchiveMistake) -> [String: String] {
    guard let entries = object["NSUserInfo"]?.dictionary else { return [:] }
    try expressions.budget.spend(entries.count)
    let byName = entries.byName
    let texts = byName.compactMapValues(\.string)
    if texts.count < entries.count {
      note("user-info", "has user info for \(owner) that is not text; it is skipped")
    }
    return texts
  }

  mutating func note(_ code: String, _ problem: String, severity: Diagnostic.Severity = .note) {
    diagnostics.append(Diagnostic(severity, code: "archive.\(code)", problem: "\(subject) \(problem)"))
  }
}

extension ArchivedDictionary {
  /// The values without their keys.
  fileprivate var valueList: ArchivedCollection { ArchivedCollection(archive: archive, elements: values) }
}
