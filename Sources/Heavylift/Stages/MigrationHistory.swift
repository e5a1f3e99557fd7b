public import HeavyliftModel

/// The versions of a model, and the stages that lead from one to the next.
///
/// A history is a plain value. It does not contain the code of the stages, only what a plan shows.
public struct MigrationHistory: Hashable, Sendable {
  /// A handler of a custom stage.
  public enum Handler: Hashable, Codable, Sendable {
    /// Runs before the structure of the store changes.
    case willMigrate
    /// Runs for each migrated object of an entity.
    case objects(entityName: String)
    /// Runs after the structure of the store has changed.
    case didMigrate

    /// The handler in words: `willMigrate`, `migrate 'Track'`, `didMigrate`.
    public var title: String {
      switch self {
      case .willMigrate: "willMigrate"
      case .objects(let name): "migrate \(name.quotedName)"
      case .didMigrate: "didMigrate"
      }
    }
  }

  /// A stage, without its code.
  public struct Stage: Hashable, Codable, Sendable {
    /// The kinds of stages.
    public enum Kind: String, Hashable, Codable, Sendable {
      /// Only the structure changes, as a mapping that was inferred says.
      case lightweight
      /// Handlers may run before and after the structure changes.
      case custom
    }

    /// The kind of stage.
    public var kind: Kind
    /// The position in the list of stages, starting at 1.
    public var number: Int
    /// The stage's label.
    public var label: String?
    /// The handlers in the order in which they run.
    public var handlers: [Handler]
    /// The author's identifier for the code of the handlers.
    public var revision: String

    /// Creates a stage.
    ///
    /// - Parameters:
    ///   - kind: The kind of stage.
    ///   - number: The position in the list of stages, starting at 1.
    ///   - label: The stage's label.
    ///   - handlers: The handlers in the order in which they run.
    ///   - revision: The author's identifier for the code of the handlers.
    public init(kind: Kind, number: Int, label: String? = nil, handlers: [Handler] = [], revision: String = "") {
      self.kind = kind
      self.number = number
      self.label = label
      self.handlers = handlers
      self.revision = revision
    }

    /// The stage in words: `custom stage 'Count plays'`, or `custom stage 2` if it has no label.
    public var title: String { "\(kind.rawValue) stage \(label?.quotedName ?? "\(number)")" }
  }

  /// A step between neighboring versions, as a stage defines it.
  public struct Edge: Hashable, Sendable {
    /// The index of the source version.
    public var source: Int
    /// The index of the destination version.
    public var destination: Int
    /// The stage that defines the step.
    public var stage: Stage

    /// Creates an edge.
    ///
    /// - Parameters:
    ///   - source: The index of the source version.
    ///   - destination: The index of the destination version.
    ///   - stage: The stage that defines the step.
    public init(source: Int, destination: Int, stage: Stage) {
      self.source = source
      self.destination = destination
      self.stage = stage
    }
  }

  /// The versions, oldest first.
  public var versions: [ManagedObjectModel]
  /// The steps between neighboring versions, in order.
  public var edges: [Edge]

  /// Creates a history.
  ///
  /// - Parameters:
  ///   - versions: The versions, oldest first.
  ///   - edges: The steps between neighboring versions, in order.
  public init(versions: [ManagedObjectModel], edges: [Edge] = []) {
    self.versions = versions
    self.edges = edges
  }
}
