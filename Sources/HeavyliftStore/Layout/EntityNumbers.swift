import Foundation
import HeavyliftModel

/// The numbers that identify entities in a store's rows (`Z_ENT`).
///
/// Counted from 1, depth first: root entities in case-insensitive alphabetical order, each directly followed by its
/// sub-entities in the same order.
package struct EntityNumbers: Hashable, Sendable {
  private var numbers: [String: Int]
  /// Entity names, sorted by number.
  package let names: [String]

  /// Numbers the entities of a model as Core Data does for a new store.
  package init(model: ManagedObjectModel) {
    var subentities: [String?: [String]] = [:]
    let known = Set(model.entities.map(\.name))
    for entity in model.entities {
      let parent = entity.superentityName.flatMap { known.contains($0) && $0 != entity.name ? $0 : nil }
      subentities[parent, default: []].append(entity.name)
    }
    var ordered: [String] = []
    var pending = subentities[nil, default: []].sorted(by: Self.precedes).reversed().map(\.self)
    while let name = pending.popLast() {
      ordered.append(name)
      pending.append(contentsOf: subentities[name, default: []].sorted(by: Self.precedes).reversed())
    }
    self.init(ordered.enumerated().map { ($0.element, $0.offset + 1) })
  }

  /// Creates the numbers of an existing store.
  package init(_ pairs: [(name: String, number: Int)]) {
    numbers = Dictionary(pairs.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
    names = pairs.sorted { $0.number < $1.number }.map(\.name)
  }

  /// The number of the entity; nil if the store does not have it.
  package subscript(name: String) -> Int? { numbers[name] }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    let (lowerLeft, lowerRight) = (left.lowercased(), right.lowercased())
    return lowerLeft == lowerRight ? left.precedesInCodeUnits(right) : lowerLeft.precedesInCodeUnits(lowerRight)
  }
}

extension EntityNumbers {
  /// Creates the numbers of a model's entities from those of an existing store.
  ///
  /// The names in `Z_PRIMARYKEY` can be stale after an in-place migration that renamed an entity: an entity that is
  /// not found by name is looked up by its renaming identifier, and finally by elimination among its siblings.
  init(matching model: ManagedObjectModel, rows: [PrimaryKeyRow], store: URL) throws {
    var free = Dictionary(rows.filter { !$0.isHistory }.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var matched: [(name: String, number: Int)] = []
    var missing: [EntityDescription] = []
    for entity in model.entities {
      if let row = free.removeValue(forKey: entity.name) {
        matched.append((entity.name, row.number))
      } else {
        missing.append(entity)
      }
    }
    missing.removeAll { entity in
      guard let row = entity.renamingIdentifier.flatMap({ free.removeValue(forKey: $0) }) else { return false }
      matched.append((entity.name, row.number))
      return true
    }
    // Goes down the hierarchy: an entity's siblings are known once its parent's number is known.
    while !missing.isEmpty {
      let numbers = EntityNumbers(matched)
      let parents = missing.map { entity in entity.superentityName.map { numbers[$0] } ?? 0 }
      let place = missing.indices.first { index in
        guard let parent = parents[index] else { return false }
        return parents.count(where: { $0 == parent }) == 1
          && free.values.count(where: { $0.superNumber == parent }) == 1
      }
      guard let place, let row = free.values.first(where: { $0.superNumber == parents[place] }) else {
        throw StoreMistake.missingEntity(missing[0].name, known: free.keys.sorted()).diagnostic(store)
      }
      free[row.name] = nil
      matched.append((missing.remove(at: place).name, row.number))
    }
    self.init(matched)
  }
}
