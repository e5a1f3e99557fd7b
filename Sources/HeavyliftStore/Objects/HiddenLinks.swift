import HeavyliftModel
import HeavyliftSQLite

/// A relationship whose links are written with the rows of a store under construction, before policies may see them.
///
/// Filling in a column later moves rows that grow, which costs more than writing them. So links are written early, and
/// hidden until their entity mapping sets relationships: a relationship reads as nil or empty, and fetches do not find
/// its links.
package final class HiddenRelationship {
  fileprivate enum State {
    case hidden
    case shown
    /// The links that had not become visible were deleted.
    case discarded
  }

  /// Returns true if the link between an object at the first end and one at the second end is visible. Both parameters
  /// are keys.
  let isVisible: (_ first: Int64, _ second: Int64) -> Bool
  /// True until all of its links are visible, or have been discarded.
  package var isHidden: Bool { state == .hidden }
  package var areDiscarded: Bool { state == .discarded }
  // A property that other modules see is checked at each access.
  fileprivate var state = State.hidden
  fileprivate var ends: [HiddenLinks.End] = []

  package init(isVisible: @escaping (_ first: Int64, _ second: Int64) -> Bool) { self.isVisible = isVisible }

  /// - Parameter isFirst: True if the owner is at the first end.
  fileprivate func isVisible(owner: Int64, target: Int64, isFirst: Bool) -> Bool {
    isFirst ? isVisible(owner, target) : isVisible(target, owner)
  }
}

/// The hidden links of a store under construction.
package final class HiddenLinks {
  /// One end of a relationship in one entity.
  struct End {
    unowned let relationship: HiddenRelationship
    /// The index of the entity, and the slot of the relationship.
    let entity: Int
    let slot: EntityRuntime.Slot
    let isFirst: Bool
    /// Returns a link's target if the link is visible, otherwise NULL: `function(owner, target)`.
    let function: String

    func isVisible(owner: Int64, target: Int64) -> Bool {
      relationship.isVisible(owner: owner, target: target, isFirst: isFirst)
    }
  }

  private unowned let store: PersistentStore
  private var relationships: [HiddenRelationship] = []
  /// By entity and slot.
  private var toOnes: [[End?]]
  private var toManys: [[End?]]

  init(_ store: PersistentStore) {
    self.store = store
    toOnes = store.runtime.entities.map { [End?](repeating: nil, count: $0.toOnes.count) }
    toManys = store.runtime.entities.map { [End?](repeating: nil, count: $0.toManys.count) }
  }

  func end(ofToOne slot: Int, entity: Int) -> End? { toOnes[entity][slot] }
  func end(ofToMany slot: Int, entity: Int) -> End? { toManys[entity][slot] }

  func isVisible(_ target: Int64, ofToOne slot: Int, of key: Int64, entity: Int) -> Bool {
    toOnes[entity][slot]?.isVisible(owner: key, target: target) ?? true
  }

  func end(of slot: EntityRuntime.Slot, entity: Int) -> End? {
    switch slot {
    case .attribute: nil
    case .toOne(let slot): end(ofToOne: slot, entity: entity)
    case .toMany(let slot): end(ofToMany: slot, entity: entity)
    }
  }

  /// Hides the links of a relationship, at both ends and in sub-entities.
  fileprivate func add(
    _ relationship: HiddenRelationship, ends: [(entity: String, relationship: String)]
  ) throws {
    for (number, (name, relationshipName)) in ends.enumerated() {
      guard let declaring = store.runtime.byName[name] else { continue }
      let function = "heavylift_visible_\(relationships.count)_\(number)"
      for entity in store.runtime.entities
      where entity === declaring || entity.ancestors.contains(declaring.shapeOwner) {
        guard let slot = entity.relationshipSlot(named: relationshipName) else { continue }
        let end = End(
          relationship: relationship, entity: entity.index, slot: slot, isFirst: number == 0, function: function)
        relationship.ends.append(end)
        set(end, end)
      }
      let isFirst = number == 0
      try store.database.register(
        directFunction: function, argumentCount: 2, isDeterministic: false
      ) { [unowned relationship] arguments, result in
        let (owner, target) = (arguments.integer(at: 0), arguments.integer(at: 1))
        if relationship.isVisible(owner: owner, target: target, isFirst: isFirst) { result.set(integer: target) }
      }
    }
    relationships.append(relationship)
  }

  private func set(_ end: End, _ new: End?) {
    switch end.slot {
    case .attribute: break
    case .toOne(let slot): toOnes[end.entity][slot] = new
    case .toMany(let slot): toManys[end.entity][slot] = new
    }
  }

  /// Stops hiding a relationship.
  fileprivate func reveal(_ relationship: HiddenRelationship, as state: HiddenRelationship.State) {
    relationship.state = state
    for end in relationship.ends { set(end, nil) }
  }

  /// Returns the statements that delete the links that are still hidden.
  fileprivate func discarding(_ relationship: HiddenRelationship) -> [String] {
    var statements: [String] = []
    for end in relationship.ends {
      let entity = store.runtime.entities[end.entity]
      switch end.slot {
      case .attribute: continue
      case .toOne(let slot):
        guard let column = entity.toOnes[slot].column else { continue }
        let name = SQLName(column.column)
        let columns = [column.column, column.entityColumn].compactMap(\.self).map { "\(SQLName($0)) = NULL" }
        statements.append(
          "UPDATE \(SQLName(entity.layout.tableName)) SET \(columns.joined(separator: ", ")) WHERE Z_ENT = "
            + "\(entity.layout.number) AND \(name) IS NOT NULL AND \(end.function)(Z_PK, \(name)) IS NULL")
      case .toMany(let slot):
        guard end.isFirst, let storage = entity.toManys[slot].storage, storage.kind == .joinTable else { continue }
        let (owner, target) = (SQLName(storage.ownerColumn), SQLName(storage.targetColumn))
        statements.append(
          "DELETE FROM \(SQLName(storage.tableName)) WHERE \(end.function)(\(owner), \(target)) IS NULL")
      }
    }
    return Array(Set(statements)).sorted()
  }
}

extension ManagedObjectContext {
  /// Hides the links of a relationship until they are shown or discarded, in this context and in all others.
  package func hide(
    _ relationship: HiddenRelationship, ends: [(entity: String, relationship: String)]
  ) throws {
    let hidden = store.hiddenLinks ?? HiddenLinks(store)
    store.hiddenLinks = hidden
    try hidden.add(relationship, ends: ends)
  }

  /// Stops hiding a relationship whose links are all visible.
  package func show(_ relationship: HiddenRelationship) throws {
    store.hiddenLinks?.reveal(relationship, as: .shown)
    try reread(relationship)
  }

  /// Deletes the links of a relationship that are still hidden, and stops hiding the relationship.
  package func discardHidden(_ relationship: HiddenRelationship) throws {
    guard relationship.isHidden, let hidden = store.hiddenLinks else { return }
    for object in newObjects where !object.hiddenTargets.isEmpty {
      for case .toOne(let slot) in relationship.ends.filter({ $0.entity == object.runtime.index }).map(\.slot) {
        object.setHiddenTarget(0, at: slot)
      }
    }
    let statements = hidden.discarding(relationship)
    hidden.reveal(relationship, as: .discarded)
    try store.reporting { for sql in statements { try store.database.run(sql) } }
    try reread(relationship)
  }

  /// Updates objects in memory with the links that have become visible since they were read.
  private func reread(_ relationship: HiddenRelationship) throws {
    for object in registered.all where !object.isFault && !object.isNew && !object.isDeletedFromStore {
      for end in relationship.ends where end.entity == object.runtime.index {
        switch end.slot {
        case .attribute: continue
        case .toOne(let slot): try object.rereadTarget(at: slot)
        case .toMany(let slot): object.toManys[slot].unload()
        }
      }
    }
  }

  /// Prepares for a change of a relationship by way of objects: deletes its links that are still hidden.
  func willLink(_ object: ManagedObject, _ slot: EntityRuntime.Slot) throws {
    guard let end = store.hiddenLinks?.end(of: slot, entity: object.runtime.index) else { return }
    try discardHidden(end.relationship)
  }
}

extension ManagedObject {
  /// The key of a to-one relationship's target, 0 for none.
  func targetKey(at slot: Int) throws -> Int64 {
    if isFault { try fulfill() }
    // Its link may have become visible since the object was read.
    if toOnes[slot] == 0, let context, context.store.hiddenLinks?.end(ofToOne: slot, entity: runtime.index) != nil {
      try rereadTarget(at: slot)
    }
    return toOnes[slot]
  }

  /// Reads the target of a to-one relationship that has no unsaved change.
  fileprivate func rereadTarget(at slot: Int) throws {
    guard !isNew, let column = runtime.toOnes[slot].column else { return }
    let context = try livingContext()
    let target: Int64 = try context.store.reporting {
      let statement = try context.store.database.cached(
        "SELECT \(SQLName(column.column)) FROM \(SQLName(runtime.layout.tableName)) WHERE Z_PK = ?")
      try statement.bind(key, at: 1)
      var cursor = statement.query()
      return try cursor.next() ? cursor.row.integer(at: 0) : 0
    }
    let isVisible =
      context.store.hiddenLinks?.isVisible(target, ofToOne: slot, of: key, entity: runtime.index) ?? true
    replaceTarget(isVisible ? target : 0, at: slot)
    committed?.toOnes[slot] = toOnes[slot]
  }

  /// True if the object's row has been written.
  package var hasRow: Bool { !isNew }

  /// Writes a target into the row of a new object without setting the relationship.
  ///
  /// - Parameter slot: The relationship's slot.
  package func setHiddenTarget(_ key: Int64, at slot: Int) {
    // Moved out like `toOnes`.
    var targets = hiddenTargets.isEmpty ? runtime.noTargets : hiddenTargets
    hiddenTargets = []
    targets[slot] = key
    hiddenTargets = targets
  }

  /// The key that a new object's row contains for a to-one relationship; 0 for none.
  func storedTarget(at slot: Int) -> Int64 {
    hiddenTargets.isEmpty || hiddenTargets[slot] == 0 ? toOnes[slot] : hiddenTargets[slot]
  }

  /// The integer that the row of an object contains for a to-one relationship; nil if the object was changed.
  ///
  /// - Parameter slot: The relationship's slot.
  package func storedTargetKey(at slot: Int) throws -> Int64? {
    do {
      if isFault, let row, let key = try row.storedTargetKey(at: slot) { return key }
    } catch {
      throw try livingContext().worded(error)
    }
    try fulfill()
    return isChanged ? nil : toOnes[slot]
  }
}
