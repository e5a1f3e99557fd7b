/// A fetch request in a model: a fetch request template, or the request of a fetched property.
///
/// The predicate is kept as text. Another module, HeavyliftExpression, parses it.
public struct FetchRequestDescription: Hashable, Sendable {
  /// The kind of result that a fetch returns. The raw values are Core Data's.
  public enum ResultType: Int, Hashable, Sendable {
    case managedObjects = 0
    case managedObjectIDs = 1
    case dictionaries = 2
    case count = 4
  }

  /// One key to sort by.
  public struct SortKey: Hashable, Sendable {
    public var keyPath: String
    public var isAscending: Bool

    /// Creates a sort key.
    public init(keyPath: String, isAscending: Bool = true) {
      self.keyPath = keyPath
      self.isAscending = isAscending
    }
  }

  /// The template's name. For a fetched property's request, the name that Xcode wrote, which has no meaning.
  public var name: String
  public var entityName: String?
  public var predicateString: String?
  public var sortKeys: [SortKey]
  public var fetchLimit: Int
  public var fetchBatchSize: Int
  public var resultType: ResultType
  public var includesSubentities: Bool
  public var includesPropertyValues: Bool
  public var includesPendingChanges: Bool
  public var returnsObjectsAsFaults: Bool
  public var returnsDistinctResults: Bool
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
