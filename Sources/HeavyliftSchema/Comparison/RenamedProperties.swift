import HeavyliftModel

/// Asks about properties that may have been renamed, and about new ones whose initial value differs each time.
struct RenamedProperties {
  typealias Question = SchemaComparison.Question

  let old: Schema
  let new: Schema
  let difference: ModelDifference

  /// The questions about the entities that both versions have. One about an inherited property is asked once, and about
  /// the class that declares it, if that is one of them.
  var questions: [Question] {
    let changed = difference.entities.compactMap(changedEntity)
    let own = changed.map { questions($0, declared: true) }
    var asked = Set(own.joined().map(\.property))
    return zip(changed, own).flatMap { entity, own in
      own + questions(entity, declared: false).filter { asked.insert($0.property).inserted }
    }.map(\.question)
  }

  /// An entity of both versions, with the own and inherited properties that only one of them has.
  private struct ChangedEntity {
    var oldName: String
    var newName: String
    var described: SchemaEntity
    var removed: [ComparedProperty] = []
    var added: [ComparedProperty] = []
  }

  private func changedEntity(_ changes: EntityDifference) -> ChangedEntity? {
    guard let oldName = changes.oldName, let newName = changes.newName,
      let before = old.model.entity(named: oldName), let after = new.model.entity(named: newName),
      let described = new.entities.first(where: { $0.name == newName })
    else { return nil }
    var entity = ChangedEntity(oldName: oldName, newName: newName, described: described)
    for kind in [ComparedProperty.Kind.attribute, .relationship] {
      let olds = ComparedProperty.all(of: before, in: old.model).filter { $0.kind == kind }
      let news = ComparedProperty.all(of: after, in: new.model).filter { $0.kind == kind }
      let match = RenamingMatch(old: olds.map(\.thing), new: news.map(\.thing))
      entity.removed += match.pairs.filter { $0.new == nil }.compactMap { $0.old.map { olds[$0] } }
      entity.added += match.pairs.filter { $0.old == nil }.compactMap { $0.new.map { news[$0] } }
    }
    return entity
  }

  /// - Parameter isDeclared: True for questions about the properties that the entity itself declares.
  private func questions(
    _ entity: ChangedEntity, declared isDeclared: Bool
  ) -> [(property: String, question: Question)] {
    let removed = entity.removed.filter { ($0.owner == entity.oldName) == isDeclared }
    let added = entity.added.filter { ($0.owner == entity.newName) == isDeclared }
    return removed.compactMap { property in
      rename(of: property, in: entity).map { ("old \(property.owner).\(property.name)", $0) }
    }
      + added.compactMap { property in
        repetition(of: property, in: entity).map { ("new \(property.owner).\(property.name)", $0) }
      }
  }

  private func rename(of property: ComparedProperty, in entity: ChangedEntity) -> Question? {
    let fitting = entity.added.filter { $0.canReplace(property, difference) }
    let similar =
      fitting
      + entity.added.filter { new in
        !new.canReplace(property, difference) && new.resembles(property, difference)
      }
    guard !similar.isEmpty else { return nil }
    let names = similar.map { "'\($0.name)'" }.joined(separator: ", ")
    let kind = property.kind.rawValue
    let type =
      fitting.isEmpty
      ? "with a similar name"
      : fitting.count < similar.count
        ? "of a type that fits or with a similar name"
        : similar.allSatisfy { $0.hasType(of: property) } ? "of the same type" : "of a type that fits"
    let conversion = fitting.isEmpty ? " and convert its \(property.contents) in a custom stage" : ""
    let diagnostic = Diagnostic(
      .warning, code: "schema.renamed",
      problem: "class '\(entity.described.type.scopedName)' no longer has \(kind) '\(property.name)', but "
        + (similar.count == 1 ? "a new \(kind) \(type), \(names)" : "new ones \(type), \(names)"),
      remedy:
        "if it was renamed, declare the new one with 'originalName: \"\(property.name)\"'\(conversion); otherwise, a "
        + "migration drops its \(property.contents)")
    return Question(subject: .removed("\(property.owner).\(property.name)"), diagnostic: diagnostic)
  }

  private func repetition(of property: ComparedProperty, in entity: ChangedEntity) -> Question? {
    guard let declared = entity.described.properties.first(where: { $0.name == property.name }), declared.defaultVaries
    else { return nil }
    let diagnostic = Diagnostic(
      .warning, code: "schema.one-value-for-all",
      problem:
        "attribute '\(property.name)' of class '\(entity.described.type.scopedName)' is new, and its initial value "
        + "differs each time: a migration without code gives all existing objects the same value",
      remedy: "set it for each object in the 'didMigrate' of a custom stage or in a mapping, or make the attribute "
        + "optional and remove the initial value")
    return Question(subject: .repeated(declared, of: entity.described.type), diagnostic: diagnostic)
  }
}

extension ComparedProperty {
  fileprivate var contents: String { kind == .attribute ? "values" : "links" }

  fileprivate var thing: RenamingMatch.Thing { RenamingMatch.Thing(name: name, identifier: originalName) }
}
