import HeavyliftModel

/// Compares what two schemas know beyond their models, and asks about changes that may not be meant.
struct SchemaComparison {
  let old: Schema
  let new: Schema
  let difference: ModelDifference

  // MARK: Swift types

  var typeChanges: [SchemaDifference.TypeChange] { changedTypes.map(\.change) }

  /// The attributes whose values are kept as they are, but cannot be decoded as the new type, or lose elements.
  var unreadableValues: [SchemaDifference.TypeChange] {
    changedTypes.compactMap { change, former, property in
      guard let oldEntity = old.model.entity(named: oldName(ofEntity: change.entityName)),
        let newEntity = new.model.entity(named: change.entityName),
        let before = old.model.allAttributes(of: oldEntity).first(where: { $0.name == former.name }),
        let after = new.model.allAttributes(of: newEntity).first(where: { $0.name == property.name }),
        before.type == after.type, let oldShape = former.shape?.unwrapped, let newShape = property.shape?.unwrapped
      else { return nil }
      switch (after.type, oldShape, newShape) {
      case (.transformable, _, _), (.binaryData, _, _), (.composite, _, _), (_, .cases, .cases):
        return newShape.canRead(oldShape, columns: after.type == .composite) ? nil : change
      default: return nil
      }
    }
  }

  private var changedTypes: [(change: SchemaDifference.TypeChange, former: SchemaProperty, property: SchemaProperty)] {
    new.entities.flatMap { entity -> [(SchemaDifference.TypeChange, SchemaProperty, SchemaProperty)] in
      let changes = difference.entity(named: entity.name)
      guard let before = old.entities.first(where: { $0.name == oldName(ofEntity: entity.name) }) else { return [] }
      return entity.properties.sorted { $0.name < $1.name }.compactMap { property in
        let change = changes?.properties.first { $0.newName == property.name }
        let oldName = change.map(\.oldName) ?? property.name
        guard property.codec != nil, let former = before.properties.first(where: { $0.name == oldName }),
          former.codec != nil, former.typeText != property.typeText
        else { return nil }
        let types = SchemaDifference.TypeChange(
          entityName: entity.name, propertyName: property.name, oldType: former.typeText, newType: property.typeText)
        return (types, former, property)
      }
    }
  }

  private func oldName(ofEntity name: String) -> String { difference.entity(named: name)?.oldName ?? name }

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

  var questions: [Question] {
    renamedEntities + RenamedProperties(old: old, new: new, difference: difference).questions
  }

  // MARK: Entities

  /// Questions about entities that are gone while a new one has many of the same properties.
  private var renamedEntities: [Question] {
    let added = difference.entities.filter { $0.oldName == nil }.compactMap { new.model.entity(named: $0.name) }
    return difference.entities.filter { $0.newName == nil }.compactMap { removed in
      guard let before = old.model.entity(named: removed.name) else { return nil }
      let similar = added.compactMap { after in likeness(of: before, after).map { (after, $0) } }
      guard let (after, likeness) = similar.max(by: { $0.1.shared < $1.1.shared }),
        let described = new.entities.first(where: { $0.name == after.name })
      else { return nil }
      let isSame = likeness.shared == likeness.old && likeness.shared == likeness.new
      let properties = isSame ? "the same properties" : "\(likeness.shared) of its \(likeness.old) properties"
      let diagnostic = Diagnostic(
        .warning, code: "schema.renamed",
        problem: "the schema no longer has entity '\(before.name)', but a new entity with \(properties), "
          + "'\(after.name)'",
        remedy: "if it was renamed, override 'originalName' in class '\(described.type.scopedName)' and return "
          + "\"\(before.name)\"; otherwise, a migration drops its objects")
      return Question(subject: .removed(before.name), diagnostic: diagnostic)
    }
  }

  /// Returns the numbers of properties of a removed entity and a new one, and of those that both have; nil if the entities
  /// do not look the same.
  private func likeness(
    of before: EntityDescription, _ after: EntityDescription
  ) -> (shared: Int, old: Int, new: Int)? {
    let (olds, news) = (ownProperties(of: before), ComparedProperty.all(of: after, in: new.model))
    let shared = olds.filter { old in
      news.contains { $0.name == old.name && $0.canReplace(old, difference) }
    }.count
    if olds.isEmpty, after.attributes.isEmpty, after.relationships.isEmpty, let parent = before.superentityName {
      guard after.superentityName == difference.newName(ofEntity: parent) else { return nil }
      return (0, 0, 0)
    }
    return shared > 0 && shared * 2 >= olds.count ? (shared, olds.count, news.count) : nil
  }

  /// The properties that the entity does not inherit from an entity that is still there.
  private func ownProperties(of before: EntityDescription) -> [ComparedProperty] {
    let kept = Set(
      old.model.lineage(of: before).dropFirst().map(\.name).filter { difference.newName(ofEntity: $0) != nil })
    return ComparedProperty.all(of: before, in: old.model).filter { !kept.contains($0.owner) }
  }
}

extension ModelDifference {
  /// The name of an entity of the old version in the new one; nil if it was removed.
  func newName(ofEntity name: String) -> String? {
    guard let changed = entities.first(where: { $0.oldName == name }) else { return name }
    return changed.newName
  }
}
