import HeavyliftStore

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
