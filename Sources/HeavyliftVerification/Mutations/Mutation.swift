import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Something done wrong on purpose, to see that a test notices.
struct Mutation {
  enum Kind {
    /// What migrates is not what was asked for.
    case mapping([MappingModel])
    /// What migrated is changed afterwards.
    case store((ManagedObjectContext, [String: ManagedObjectID]) throws -> Void)
  }

  let name: String
  /// What a message must contain to tell of the right place.
  let place: [String]
  let kind: Kind
}
