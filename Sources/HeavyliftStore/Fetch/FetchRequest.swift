import HeavyliftExpression
import HeavyliftModel

/// A request for objects of an entity, with a predicate and a sort order.
///
/// ```swift
/// var request = FetchRequest(entityName: "Book")
/// request.sortKeys = [.init(keyPath: "author.name"), .init(keyPath: "title")]
/// request.fetchLimit = 20
/// let books = try context.fetch(request)
/// ```
public struct FetchRequest {
  /// A sort key: an attribute, or an attribute reached through to-one relationships.
  public typealias SortKey = FetchRequestDescription.SortKey

  /// The entity whose objects are fetched, with those of its sub-entities unless you exclude them.
  public var entityName: String
  /// A Boolean value that indicates whether objects of sub-entities are fetched, too.
  public var includesSubentities = true
  /// The condition that fetched objects must meet; nil for all objects.
  ///
  /// SQLite evaluates the parts that mean the same in SQL. The rest is evaluated object by object, and so is the whole
  /// predicate if there are unsaved changes to consider. If SQLite evaluates one part of an AND, objects that fail this
  /// part are skipped, and cannot cause an error in another part.
  ///
  /// A fetch checks the predicate before it reads anything, and throws a `DiagnosticList` with all mistakes, such as an
  /// unknown key or a comparison of values that can never be equal: `number == '1'`.
  public var predicate: MappingPredicate?
  /// The values of the predicate's variables, by name without `$`.
  public var variables: [String: ExpressionValue] = [:]
  /// A closure that returns true for each object to fetch, among those that match the predicate; nil to fetch all of
  /// them.
  public var filter: ((ManagedObject) throws -> Bool)?
  /// The sort order. Objects with equal sort keys are sorted by primary key.
  public var sortKeys: [SortKey] = []
  /// The maximum number of objects; 0 for no limit.
  public var fetchLimit = 0
  /// The number of objects to skip at the start.
  public var fetchOffset = 0
  /// The number of rows to read at a time, on first access; 0 to read all of them at once.
  public var fetchBatchSize = 0
  /// A Boolean value that indicates whether unsaved changes affect the result.
  public var includesPendingChanges = true

  /// Creates a request for every object of an entity, including sub-entities, sorted by key.
  public init(entityName: String) { self.entityName = entityName }

  /// Creates a request for the objects of an entity that match a predicate.
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

extension FetchRequest {
  /// Throws the mistakes in the predicate, as found in the filter of a mapping.
  ///
  /// Values of unrelated kinds are never equal: without this check, `status != 'open'` would match all objects if
  /// `status` were a composite, and a program that deletes what it fetches would delete all of them.
  func checkPredicate(in runtime: StoreRuntime) throws(DiagnosticList) {
    guard let predicate else { return }
    var environment = runtime.checking
    environment.enter(.fetch, source: entityName, destination: nil)
    for (name, value) in variables { environment.variables[name] = ExpressionType(of: value) }
    let mistakes = ExpressionChecker(environment).check(predicate).diagnostics().filter { $0.severity == .error }
    guard mistakes.isEmpty else {
      throw DiagnosticList(
        mistakes.map {
          Diagnostic(
            .error, code: $0.code, problem: "predicate for entity '\(entityName)': \($0.problem)", remedy: $0.remedy)
        })
    }
  }
}
