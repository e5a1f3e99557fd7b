import HeavyliftModel
import HeavyliftStore

/// A deliberate mistake that a test should detect.
struct Mutation {
  enum Kind {
    /// A pair with a changed mapping or stage carries out the migration.
    case pair(MigrationPair)
    /// The migrated store is changed afterwards.
    case store((ManagedObjectContext, [String: ManagedObjectID]) throws -> Void)
  }

  let name: String
  /// The texts that a message must contain to name the right place.
  let place: [String]
  let kind: Kind
}
