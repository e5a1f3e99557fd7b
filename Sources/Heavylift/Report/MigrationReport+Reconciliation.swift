import HeavyliftStore

extension MigrationReport {
  /// What happened to the objects of one source entity, sub-entities not counted.
  ///
  /// Each object is counted once; an object that is counted nowhere fails the migration.
  public struct Rows: Hashable, Sendable {
    /// The source entity.
    public var entityName: String
    /// How many objects the source holds.
    public var count: Int
    /// At least one destination object is associated with them.
    public var migrated = 0
    /// The filter or the source expression of every entity mapping that makes objects passes them over.
    public var filtered = 0
    /// An entity mapping removes them.
    public var removed = 0
    /// A policy was given them and made nothing of them, or deleted them or what it made.
    public var unused = 0
    /// No entity mapping reads the entity. Only Xcode's mapping models may drop objects that way.
    public var unmentioned = 0

    /// Creates an entry without results.
    public init(entityName: String, count: Int) { (self.entityName, self.count) = (entityName, count) }

    var accounted: Int { migrated + filtered + removed + unused + unmentioned }
  }

  /// What happened to the links of one source relationship. The two ends of a relationship are counted once.
  public struct Links: Hashable, Sendable {
    /// The entity that declares the relationship.
    public var entityName: String
    /// The relationship; of a one-to-many, the to-one end.
    public var relationshipName: String
    /// How many links the source holds.
    public var count: Int
    /// A relationship of the destination has them.
    public var carried = 0
    /// An expression or a policy reads them and makes something else of them.
    public var replaced = 0
    /// An object at one end was not migrated, or the property was removed.
    public var dropped = 0
    /// The store does not have the object at one end: Core Data reads such a link as nil.
    public var dangling = 0
    /// A policy may have read them, or decided otherwise.
    public var leftToPolicy = 0

    /// Creates an entry without results.
    public init(entityName: String, relationshipName: String, count: Int) {
      (self.entityName, self.relationshipName, self.count) = (entityName, relationshipName, count)
    }
  }
}

extension [MigrationReport.Links] {
  /// The relationships with links that lead to objects that the source does not have.
  var danglingLinks: [DanglingLinks] {
    filter { $0.dangling > 0 }.map {
      DanglingLinks(entity: $0.entityName, relationship: $0.relationshipName, count: $0.dangling)
    }
  }
}
