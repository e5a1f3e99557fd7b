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
  /// The property that the mistake is about.
  var property: String?
  /// The object that the graph lacks if the mistake changes nothing; `nil` if such a mistake does not count, because no
  /// graph could show it.
  var lack: String?
  /// The same mistake on both sides of a relationship, which counts instead if this one changes nothing: the other side
  /// makes up for it. At most one.
  var onBothSides: [Mutation] = []
}
