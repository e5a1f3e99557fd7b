import HeavyliftModel

/// Which of several models a store was written with.
public enum StoreVersion: Sendable {
  /// What shows that a model fits.
  public enum Evidence: String, Hashable, Sendable {
    case versionHashes = "version hashes"
    case modelCache = "own model"
    case structure
  }

  /// A model that fits.
  public struct Fit: Hashable, Sendable {
    public var model: ManagedObjectModel
    public var evidence: Evidence
    /// The model's configuration that the store holds; nil for all entities.
    public var configuration: String?
  }

  /// A model that does not fit, and in what.
  public struct Misfit: Hashable, Sendable {
    public var model: ManagedObjectModel
    /// In words, one an entity: the store's entity against the model's.
    public var reasons: [String]
  }

  case one(Fit)
  case several([Fit])
  /// The nearest model first.
  case none([Misfit])
}
