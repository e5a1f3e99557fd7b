import HeavyliftMapping
import HeavyliftModel

/// The result of a migration.
public struct MigrationReport: Hashable, Codable, Sendable {
  /// The result of one entity mapping.
  public struct Mapping: Hashable, Codable, Sendable {
    /// The name of the entity mapping, as written in the mapping model or derived.
    public var name: String
    /// The number of source objects that were read.
    public var sources: Int
    /// The number of destination objects that were created as the mapping declares.
    public var declared: Int
    /// The source entity; `nil` if the mapping reads no source objects.
    public var sourceEntityName: String?
    /// The destination entity; `nil` if the mapping creates no objects.
    public var destinationEntityName: String?
    /// The difference between the keys of a destination object and its source object; `nil` if it is not the same for
    /// all objects.
    public var keyOffset: Int64?

    /// Creates an entry.
    public init(name: String, sources: Int, declared: Int) {
      self.name = name
      self.sources = sources
      self.declared = declared
    }

    init(_ mapping: CompleteEntityMapping, sources: Int, declared: Int, keyOffset: Int64?) {
      self.init(name: mapping.name, sources: sources, declared: declared)
      (sourceEntityName, destinationEntityName) = (mapping.sourceEntityName, mapping.destinationEntityName)
      self.keyOffset = keyOffset
    }
  }

  /// The entity mappings in the order in which they ran.
  public var mappings: [Mapping] = []
  /// The number of objects of each entity in the source, not including sub-entities.
  public var sourceObjects: [String: Int] = [:]
  /// The number of objects of each entity in the destination, not including sub-entities.
  public var objects: [String: Int] = [:]
  /// The outcome for the source's objects, sorted by entity name; entities without objects are not listed.
  public var rows: [Rows] = []
  /// The outcome for the source's links, sorted by relationship name; relationships without links are not listed.
  public var links: [Links] = []
  /// The source entities some of whose objects policies changed or deleted before they were migrated, sorted by name. The
  /// store that was migrated does not show these changes.
  public var changedEntities: [String] = []
  /// The plan's losses: source data that was not migrated although no entity mapping removes it by name.
  public var losses: [MigrationLoss] = []
  /// Notes and warnings, for instance about contents that were left behind.
  public var notes: [Diagnostic] = []

  /// Creates an empty report.
  public init() {}
}
