import HeavyliftModel

/// Compares what two schemas know beyond their models, and asks about changes that may not be meant.
struct SchemaComparison {
  let old: Schema
  let new: Schema
  let difference: ModelDifference

  // MARK: Swift types

  var typeChanges: [SchemaDifference.TypeChange] {
    new.entities.flatMap { entity -> [SchemaDifference.TypeChange] in
      let changes = difference.entity(named: entity.name)
      guard let before = old.entities.first(where: { $0.name == changes?.oldName ?? entity.name }) else { return [] }
      return entity.properties.sorted { $0.name < $1.name }.compactMap { property in
        let change = changes?.properties.first { $0.newName == property.name }
        let oldName = change.map(\.oldName) ?? property.name
        guard property.codec != nil, let former = before.properties.first(where: { $0.name == oldName }),
          former.codec != nil, former.typeText != property.typeText
        else { return nil }
        return .init(
          entityName: entity.name, propertyName: property.name, oldType: former.typeText, newType: property.typeText)
      }
    }
  }

  // MARK: Questions

  /// A change that may not be meant.
  struct Question {
    enum Subject {
      /// The property or entity of the old version that may have been renamed: `Track.json`.
      case removed(String)
      /// The new attribute whose initial value differs each time.
      case repeated(SchemaProperty, of: EntityType)
    }

    var subject: Subject
    var diagnostic: Diagnostic

    /// The property or entity of the old version that may have been renamed. Nil for other questions.
    var removed: String? { if case .removed(let name) = subject { name } else { nil } }
  }

  var questions: [Question] { renamedEntities + difference.entities.flatMap(questions) }

  private func questions(_ entity: EntityDifference) -> [Question] {
    guard let oldName = entity.oldName, let newName = entity.newName,
      let before = old.model.entity(named: oldName), let after = new.model.entity(named: newName),
      let described = new.entities.first(where: { $0.name == newName })
    else { return [] }
    let added = entity.properties.filter { $0.oldName == nil }
    let removed = entity.properties.filter { $0.newName == nil }
    let className = described.type.scopedName
    let renamed = removed.compactMap { property -> Question? in
      let similar = added.filter { isSimilar(property, of: before, $0, of: after) }
      guard !similar.isEmpty else { return nil }
      let names = similar.map { "'\($0.name)'" }.joined(separator: ", ")
      let kind = property.kind.rawValue
      let diagnostic = Diagnostic(
        .warning, code: "schema.renamed",
        problem: "class '\(className)' no longer has \(kind) '\(property.name)', but "
          + (similar.count == 1 ? "a new \(kind) of the same type, \(names)" : "new ones of the same type, \(names)"),
        remedy:
          "if it was renamed, declare the new one with 'originalName: \"\(property.name)\"'; otherwise, a migration "
          + "drops its \(property.kind == .attribute ? "values" : "links")")
      return Question(subject: .removed("\(oldName).\(property.name)"), diagnostic: diagnostic)
    }
    let repeated = added.compactMap { property -> Question? in
      guard let declared = described.properties.first(where: { $0.name == property.name }), declared.defaultVaries
      else { return nil }
      let diagnostic = Diagnostic(
        .warning, code: "schema.one-value-for-all",
        problem:
          "attribute '\(property.name)' of class '\(className)' is new, and its initial value differs each time: a "
          + "migration without code gives all existing objects the same value",
        remedy: "set it for each object in the 'didMigrate' of a custom stage or in a mapping, or make the attribute "
          + "optional and remove the initial value")
      return Question(subject: .repeated(declared, of: described.type), diagnostic: diagnostic)
    }
    return renamed + repeated
  }

  private func isSimilar(
    _ left: PropertyDifference, of before: EntityDescription, _ right: PropertyDifference, of after: EntityDescription
  ) -> Bool {
    guard left.kind == right.kind else { return false }
    if let old = before.attribute(named: left.name), let new = after.attribute(named: right.name) {
      return old.type == new.type
    }
    guard let old = before.relationship(named: left.name), let new = after.relationship(named: right.name) else {
      return false
    }
    return old.destinationEntityName == new.destinationEntityName && old.isToMany == new.isToMany
  }

  /// Questions about entities that are gone while a new one has the same properties.
  private var renamedEntities: [Question] {
    let added = difference.entities.filter { $0.oldName == nil }.compactMap { new.model.entity(named: $0.name) }
    return difference.entities.filter { $0.newName == nil }.compactMap { removed in
      guard let before = old.model.entity(named: removed.name),
        let after = added.first(where: { Self.haveSameProperties($0, before) }),
        let described = new.entities.first(where: { $0.name == after.name })
      else { return nil }
      let diagnostic = Diagnostic(
        .warning, code: "schema.renamed",
        problem:
          "the schema no longer has entity '\(before.name)', but a new entity with the same properties, '\(after.name)'",
        remedy: "if it was renamed, override 'originalName' in class '\(described.type.scopedName)' and return "
          + "\"\(before.name)\"; otherwise, a migration drops its objects")
      return Question(subject: .removed(before.name), diagnostic: diagnostic)
    }
  }

  private static func haveSameProperties(_ left: EntityDescription, _ right: EntityDescription) -> Bool {
    left.attributes.map(\.name) == right.attributes.map(\.name)
      && left.attributes.map(\.type) == right.attributes.map(\.type)
      && left.relationships.map(\.name) == right.relationships.map(\.name)
      && !(left.attributes.isEmpty && left.relationships.isEmpty)
  }
}
