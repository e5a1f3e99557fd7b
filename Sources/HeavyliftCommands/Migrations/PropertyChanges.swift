import Heavylift

/// The properties that only the old or only the new version of an entity has, and what becomes of them.
struct PropertyChanges {
  /// The name of the entity in the list.
  private let entity: String
  /// Old properties whose values other properties get, with their names.
  private(set) var moved: [(name: String, successors: [String])] = []
  /// Old properties that a policy or a function may have read.
  private(set) var leftToCode: [String] = []
  /// Old properties without a successor.
  private(set) var lost: [String] = []
  /// New properties that get no values from one of the old ones above.
  private(set) var new: [String] = []

  /// The changes of an entity that both versions have.
  init(_ entity: StoreDifference.Entity, _ renames: MigrationRenames?) {
    self.entity = entity.name
    sort(entity.onlyInFirst, of: entity.formerName ?? entity.name, renames)
    let successors = Set(moved.flatMap(\.successors))
    new = entity.onlyInSecond.filter { !successors.contains($0) }
  }

  /// The losses of an entity whose objects became objects of other entities. Properties with a successor are not listed.
  init(ofMovedEntity name: String, _ model: ManagedObjectModel, _ renames: MigrationRenames) {
    entity = name
    guard let entity = model.entity(named: name) else { return }
    let names =
      model.allAttributes(of: entity).filter { !$0.isTransient }.map(\.name)
      + model.allRelationships(of: entity).filter { !$0.isTransient }.map(\.name)
    sort(names, of: name, renames)
    moved = []
  }

  private mutating func sort(_ names: [String], of entity: String, _ renames: MigrationRenames?) {
    for name in names {
      let successors = renames?.successors(of: name, entity: entity) ?? []
      if !successors.isEmpty {
        moved.append((name, successors))
      } else if renames?.isLeftToCode(name, entity: entity) == true {
        leftToCode.append(name)
      } else {
        lost.append(name)
      }
    }
  }

  /// One line for each kind of change, and for each property that moved.
  var lines: [String] {
    let groups = [("left to a policy or function", leftToCode), ("lost", lost), ("new", new)].filter { !$0.1.isEmpty }
    return moved.map { "  \(entity.shown): \($0.name.shown) → \($0.successors.map(\.shown).joined(separator: ", "))" }
      + groups.map { "  \(entity.shown): \($0): \($1.map(\.shown).joined(separator: ", "))" }
  }
}

extension StoreDifference.Move {
  /// `Pet 768 → 503 Dog, 265 Cat`, without the numbers if all objects became objects of one entity.
  var text: String {
    let isWhole = destinations.count == 1 && destinations.first?.count == count
    let names = destinations.map { isWhole ? $0.entity.shown : "\($0.count.grouped) \($0.entity.shown)" }
    return "\(entity.shown) \(count.grouped) → \(names.joined(separator: ", "))"
  }
}
