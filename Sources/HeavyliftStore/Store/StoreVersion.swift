import HeavyliftModel

/// The result of looking for the model that a store was written with.
public enum StoreVersion: Sendable {
  /// The evidence that a model fits.
  public enum Evidence: String, Hashable, Sendable {
    case versionHashes = "version hashes"
    case modelCache = "own model"
    case structure
  }

  /// A model that fits.
  public struct Fit: Hashable, Sendable {
    public var model: ManagedObjectModel
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
    public var model: ManagedObjectModel
    /// The reasons in words, one per entity: how the store's entity differs from the model's.
    public var reasons: [String]
  }

  package static func title(of model: ManagedObjectModel, _ twins: [ManagedObjectModel]) -> String {
    let name = model.title.quotedName
    let others = twins.map { $0.title.quotedName }.filter { $0 != name }
    return others.isEmpty ? name : "\(name) (the same as \(others.joined(separator: ", ")))"
  }

  case one(Fit)
  case several([Fit])
  /// The nearest model first.
  case none([Misfit])
}
