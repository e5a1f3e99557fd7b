import HeavyliftExpression
import HeavyliftModel

/// What to fetch: the objects of an entity, which of them, and in what order.
///
/// ```swift
/// var request = FetchRequest(entityName: "Book")
/// request.sortKeys = [.init(keyPath: "author.name"), .init(keyPath: "title")]
/// request.fetchLimit = 20
/// let books = try context.fetch(request)
/// ```
public struct FetchRequest {
  /// One key to sort by: an attribute, or one that to-one relationships lead to.
  public typealias SortKey = FetchRequestDescription.SortKey

  public var entityName: String
  /// Whether objects of sub-entities are fetched too.
  public var includesSubentities = true
  /// Which objects; all of them if nil.
  ///
  /// What the store can decide with the same result it decides; the rest, and all of it where changes that are not saved
  /// count, is evaluated object by object. A part of a conjunction that the store decides can spare an object an error in
  /// another part.
  public var predicate: MappingPredicate?
  /// The values of the predicate's variables, by their names without `$`.
  public var variables: [String: ExpressionValue] = [:]
  /// Which of the objects that the predicate lets through; all of them if nil.
  public var filter: ((ManagedObject) throws -> Bool)?
  /// Objects that are the same by all keys come in order of their keys in the store.
  public var sortKeys: [SortKey] = []
  /// At most that many objects; 0 for all.
  public var fetchLimit = 0
  /// That many of the first objects are passed over.
  public var fetchOffset = 0
  /// Read rows only when somebody looks, that many at a time; 0 to read them all at once.
  public var fetchBatchSize = 0
  /// Whether changes that are not saved yet count.
  public var includesPendingChanges = true

  /// Fetches every object of an entity, sub-entities included, in order of their keys.
  public init(entityName: String) { self.entityName = entityName }

  /// Fetches the objects of an entity that a predicate holds for.
  ///
  /// ```swift
  /// let request = try FetchRequest(entityName: "Book", where: "pages > %d AND author.name BEGINSWITH[cd] %@", 100, "k")
  /// ```
  ///
  /// - Throws: `ExpressionSyntaxError`
  public init(entityName: String, where format: String, _ arguments: any FormatArgumentConvertible...) throws {
    self.init(entityName: entityName)
    predicate = try MappingPredicate(format: format, arguments: arguments.map(\.formatArgument))
  }
}
