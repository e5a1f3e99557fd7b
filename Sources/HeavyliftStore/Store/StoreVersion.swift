import HeavyliftModel

/// The result of looking for the model that a store was written with.
public enum StoreVersion: Sendable {
  /// The evidence that a model fits.
  public enum Evidence: String, Hashable, Sendable {
    /// The hashes in the metadata are those of the model.
    case versionHashes = "version hashes"
    /// The store contains the model, and its tables fit it.
    case modelCache = "own model"
    /// The tables and columns are the model's; the store records no hashes.
    case structure
  }

  /// A model that fits.
  public struct Fit: Hashable, Sendable {
    /// The model.
    public var model: ManagedObjectModel
    /// The reason to believe that the model fits.
    public var evidence: Evidence
    /// The configuration of the model that the store holds; nil for all entities.
    public var configuration: String?
    /// Other models that fit as well, because they differ only in parameters that a store does not record.
    public var twins: [ManagedObjectModel] = []
    /// The names of the model and its twins: `'Library 2' (the same as 'Library 3')`.
    public var title: String { StoreVersion.title(of: model, twins) }
  }

  /// A model that does not fit, and the reasons.
  public struct Misfit: Hashable, Sendable {
    /// The model.
    public var model: ManagedObjectModel
    /// The reasons in words, one per entity: how the store's entity differs from the model's.
    public var reasons: [String]
  }

  package static func title(of model: ManagedObjectModel, _ twins: [ManagedObjectModel]) -> String {
    let name = model.title.quotedName
    let others = twins.map { $0.title.quotedName }.filter { $0 != name }
    return others.isEmpty ? name : "\(name) (the same as \(others.joined(separator: ", ")))"
  }

  /// Exactly one model fits.
  case one(Fit)
  /// Several models fit equally well.
  case several([Fit])
  /// The nearest model first.
  case none([Misfit])
}
