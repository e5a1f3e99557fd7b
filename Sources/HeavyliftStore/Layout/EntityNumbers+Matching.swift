import Foundation
import HeavyliftModel

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
