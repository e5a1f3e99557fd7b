import HeavyliftModel
import HeavyliftStore

/// Finds the old object that a migrated object comes from.
final class ObjectPairs {
  private struct Origin {
    var entity: Int
    var offset: Int64
  }

  private let old: ManagedObjectContext
  /// The possible origins of objects, by the number of their entity.
  private var origins: [Int: [Origin]] = [:]
  /// Old objects that are read together.
  private var ahead: [ManagedObject] = []

  /// - Parameter report: The report of the hop between the stores.
  init(old: PersistentStore, new: PersistentStore, _ report: MigrationReport) throws {
    self.old = ManagedObjectContext(store: old)
    for mapping in report.mappings {
      guard let source = old.layout.entity(named: mapping.sourceEntityName),
        let destination = new.layout.entity(named: mapping.destinationEntityName),
        let offset = mapping.keyOffset
      else { continue }
      origins[destination.number, default: []].append(Origin(entity: source.number, offset: offset))
    }
  }

  /// Prepares for calls with these objects.
  func prepare(for objects: ObjectPlaces.SubSequence) throws {
    ahead = []
    for (number, objects) in Dictionary(grouping: objects, by: \.entity) {
      // With several origins, only the rows tell which one an object has.
      guard let origin = origins[number]?.first, origins[number]?.count == 1 else { continue }
      let keys = objects.map { $0.key - origin.offset }.filter { $0 > 0 }
      ahead += try old.faults(numbered: origin.entity, keys: keys)
    }
  }

  /// Calls a handler with an object and its origin; does nothing if the object has none, because a handler inserted it.
  func call(_ body: CustomMigrationStage.ObjectHandler, for object: ManagedObject) throws {
    for origin in origins[object.entityNumber] ?? [] {
      guard
        let source = try old.existingObject(numbered: origin.entity, key: object.primaryKey - origin.offset)
      else { continue }
      try body(source, object)
      if let failure = old.failure { throw failure }
      guard old.hasChanges else { return }
      throw Diagnostic(
        .error, code: "stage.changed-old-object", problem: "the handler changed the old object \(source)",
        remedy: "change the new object: the old one is read-only")
    }
  }
}
