import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

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

    package init(_ mapping: CompleteEntityMapping, sources: Int, declared: Int, keyOffset: Int64?) {
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

extension MigrationReport {
  /// The outcome for the objects of one source entity, not including sub-entities.
  ///
  /// Each object is counted exactly once; the migration fails if an object is not accounted for.
  public struct Rows: Hashable, Codable, Sendable {
    /// The source entity.
    public var entityName: String
    /// The number of objects in the source.
    public var count: Int
    /// Objects with at least one associated destination object.
    public var migrated = 0
    /// Objects excluded by the filter or the source expression of every entity mapping that creates objects.
    public var filtered = 0
    /// Objects that an entity mapping removes.
    public var removed = 0
    /// Objects that a policy received but created nothing from, or that it deleted, or whose counterparts it deleted.
    public var unused = 0
    /// Objects of entities that no entity mapping reads. Only Xcode's mapping models may drop objects this way.
    public var unmentioned = 0

    /// Creates an entry without results.
    public init(entityName: String, count: Int) { (self.entityName, self.count) = (entityName, count) }

    var accounted: Int { migrated + filtered + removed + unused + unmentioned }
  }

  /// The outcome for the links of one source relationship. A relationship and its inverse count as one.
  public struct Links: Hashable, Codable, Sendable {
    /// The entity that declares the relationship.
    public var entityName: String
    /// The relationship; for a one-to-many, the to-one end.
    public var relationshipName: String
    /// The number of links in the source.
    public var count: Int
    /// Links that a destination relationship contains.
    public var carried = 0
    /// Links that an expression or a policy reads and turns into something else.
    public var replaced = 0
    /// Links dropped because an object at one end was not migrated, or the property was removed.
    public var dropped = 0
    /// Links to objects that are missing from the source: Core Data reads such a link as nil.
    public var dangling = 0
    /// Links that were left to a policy, which may have read them or set others instead.
    public var leftToPolicy = 0

    /// Creates an entry without results.
    public init(entityName: String, relationshipName: String, count: Int) {
      (self.entityName, self.relationshipName, self.count) = (entityName, relationshipName, count)
    }
  }
}

extension [MigrationReport.Links] {
  /// The relationships with dangling links: links to objects that are missing from the source.
  var danglingLinks: [DanglingLinks] {
    filter { $0.dangling > 0 }.map {
      DanglingLinks(entity: $0.entityName, relationship: $0.relationshipName, count: $0.dangling)
    }
  }
}

extension MigrationReport: CustomStringConvertible {
  /// A line for each source entity with objects, and for each loss, note and warning.
  public var description: String {
    let entities = rows.map { row in
      let parts = [
        (row.migrated, "migrated"), (row.filtered, "filtered"), (row.removed, "removed"),
        (row.unused, "left out by policies"),
        (row.unmentioned, "not mentioned"),
      ].filter { $0.0 > 0 }
      return "\(row.count.counted(as: "object")) of entity '\(row.entityName)': "
        + parts.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", ")
    }
    let all = entities + losses.map(\.description) + notes.map(\.description)
    return all.isEmpty ? "no objects" : all.joined(separator: "\n")
  }
}
