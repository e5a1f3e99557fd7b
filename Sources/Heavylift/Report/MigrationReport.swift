import HeavyliftModel

/// What a migration did.
public struct MigrationReport: Hashable, Sendable {
  /// What one entity mapping did.
  public struct Mapping: Hashable, Sendable {
    /// As in the mapping model, given or derived.
    public var name: String
    /// How many source objects were read.
    public var sources: Int
    /// How many destination objects were made as the mapping declares.
    public var declared: Int
    /// Nil where nothing is taken of the source.
    public var sourceEntityName: String?
    /// Nil where nothing is made.
    public var destinationEntityName: String?
    /// What was added to a source object's key; nil where keys do not follow from those of sources.
    public var keyOffset: Int64?

    /// Creates an entry.
    public init(name: String, sources: Int, declared: Int) {
      self.name = name
      self.sources = sources
      self.declared = declared
    }
  }

  /// In the order in which they ran.
  public var mappings: [Mapping] = []
  /// How many objects of each entity the source holds, sub-entities not counted.
  public var sourceObjects: [String: Int] = [:]
  /// How many objects of each entity the destination holds, sub-entities not counted.
  public var objects: [String: Int] = [:]
  /// What happened to the source's objects, by entity in order of name; entities without objects are not listed.
  public var rows: [Rows] = []
  /// What happened to the source's links, by relationship in order of name; those without links are not listed.
  public var links: [Links] = []
  /// The data of the source that was not migrated, though no entity mapping removes it by name: the losses of the plan.
  public var losses: [MigrationLoss] = []
  /// What was left behind or is worth knowing.
  public var notes: [Diagnostic] = []

  /// Creates an empty report.
  public init() {}
}
