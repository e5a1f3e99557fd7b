import Foundation
import HeavyliftModel

extension EntityNumbers {
  /// Takes over an existing store's numbers for the entities of a model.
  ///
  /// The names in `Z_PRIMARYKEY` can be stale after an in-place migration that renamed an entity: an entity that is not
  /// found by its name is looked up by its renaming identifier, and at last by elimination among its siblings.
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
    for entity in missing {
      let superNumber = entity.superentityName.flatMap { name in matched.first { $0.name == name }?.number } ?? 0
      let siblings = free.values.filter { $0.superNumber == superNumber }
      guard let row = siblings.first, siblings.count == 1, missing.count == 1 else {
        throw StoreMistake.missingEntity(entity.name, known: free.keys.sorted()).diagnostic(store)
      }
      matched.append((entity.name, row.number))
    }
    self.init(matched)
  }
}
