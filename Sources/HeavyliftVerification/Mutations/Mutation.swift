import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// A deliberate mistake that a test should detect.
struct Mutation {
  enum Kind {
    /// The mapping is changed before the migration.
    case mapping([MappingModel])
    /// The migrated store is changed afterwards.
    case store((ManagedObjectContext, [String: ManagedObjectID]) throws -> Void)
  }

  let name: String
  /// The texts that a message must contain to name the right place.
  let place: [String]
  let kind: Kind
}
