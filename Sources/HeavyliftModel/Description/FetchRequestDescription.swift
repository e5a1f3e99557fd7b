/// A fetch request in a model: a fetch request template, or the request of a fetched property.
///
/// The predicate is kept as text. Another module, HeavyliftExpression, parses it.
public struct FetchRequestDescription: Hashable, Sendable {
  /// The kind of result that a fetch returns. The raw values are Core Data's.
  public enum ResultType: Int, Hashable, Sendable {
    /// Objects.
    case managedObjects = 0
    /// Identifiers of objects.
    case managedObjectIDs = 1
    /// Dictionaries of values.
    case dictionaries = 2
    /// The number of objects.
    case count = 4
  }

  /// One key to sort by.
  public struct SortKey: Hashable, Sendable {
    /// The key path from the fetched entity: `title`, `album.title`.
    public var keyPath: String
    /// A Boolean value that indicates whether small values come first.
    public var isAscending: Bool

    /// Creates a sort key.
    public init(keyPath: String, isAscending: Bool = true) {
      self.keyPath = keyPath
      self.isAscending = isAscending
    }
  }

  /// The template's name. For a fetched property's request, the name that Xcode wrote, which has no meaning.
  public var name: String
  /// The entity whose objects are fetched.
  public var entityName: String?
  /// The predicate as written; nil for all objects.
  public var predicateString: String?
  /// The keys to sort by, the most important one first.
  public var sortKeys: [SortKey]
  /// The maximum number of objects; 0 for no limit.
  public var fetchLimit: Int
  /// The number of objects that Core Data reads at a time; 0 for all.
  public var fetchBatchSize: Int
  /// The kind of result.
  public var resultType: ResultType
  /// A Boolean value that indicates whether objects of sub-entities are fetched, too.
  public var includesSubentities: Bool
  /// A Boolean value that indicates whether Core Data reads values together with the keys.
  public var includesPropertyValues: Bool
  /// A Boolean value that indicates whether unsaved changes count.
  public var includesPendingChanges: Bool
  /// A Boolean value that indicates whether values are read only when needed.
  public var returnsObjectsAsFaults: Bool
  /// A Boolean value that indicates whether equal dictionaries are returned once.
  public var returnsDistinctResults: Bool
  /// The spelling in the file. Not compared by `==`.
  public var markup: Markup

  /// Creates a fetch request for all objects of an entity.
  public init(
    name: String, entityName: String?, predicateString: String? = nil, sortKeys: [SortKey] = [], fetchLimit: Int = 0,
    fetchBatchSize: Int = 0, resultType: ResultType = .managedObjects, includesSubentities: Bool = true,
    includesPropertyValues: Bool = true, includesPendingChanges: Bool = true, returnsObjectsAsFaults: Bool = true,
    returnsDistinctResults: Bool = false, markup: Markup = Markup()
  ) {
    self.name = name
    self.entityName = entityName
    self.predicateString = predicateString
    self.sortKeys = sortKeys
    self.fetchLimit = fetchLimit
    self.fetchBatchSize = fetchBatchSize
    self.resultType = resultType
    self.includesSubentities = includesSubentities
    self.includesPropertyValues = includesPropertyValues
    self.includesPendingChanges = includesPendingChanges
    self.returnsObjectsAsFaults = returnsObjectsAsFaults
    self.returnsDistinctResults = returnsDistinctResults
    self.markup = markup
  }
}
