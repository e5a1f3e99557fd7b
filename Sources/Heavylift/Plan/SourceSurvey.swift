import HeavyliftExpression
import HeavyliftMapping
import HeavyliftStore

/// The facts about the source's objects that are known before any row of the destination is written.
struct SourceSurvey {
  let stores: MappedStores
  /// The number of objects of each source entity, not including sub-entities.
  let counts: [String: Int]
  /// The statement that creates the rows of each entity mapping, without relationships.
  private(set) var statements: [Int: RowTransfer] = [:]
  /// The facts about the columns of each entity mapping's source rows, by the mapping's index.
  private(set) var columns: [Int: ColumnFacts] = [:]
  /// The keys of the source objects that each entity mapping removes with a filter, by the mapping's index.
  private(set) var removedKeys: [Int: KeySet] = [:]
  /// The keys of the source objects that each entity mapping migrates, by the mapping's index.
  private var keys: [Int: KeySet] = [:]
  /// The questions that yielded `keys`.
  private var questions: [Int: RowTransfer.Question] = [:]
  /// The results by question. Entity mappings that split an entity often ask the same one.
  private var results: [RowTransfer.Question: Result] = [:]
  /// Reads half of a large table's rows; nil if the source is a fused hop.
  private let reader: ParallelReader?
  private let leastParallelRows: Int
  private let notesColumns: Bool

  private struct Result {
    let question: RowTransfer.Question
    let misfit: Int64?
    let keys: KeySet
    let columns: ColumnFacts?
  }

  /// - Parameters:
  ///   - leastParallelRows: The number of rows from which on two threads read them.
  ///   - notesColumns: True to collect facts about columns.
  init(_ stores: MappedStores, reader: ParallelReader?, leastParallelRows: Int, notesColumns: Bool) throws {
    (self.stores, self.reader) = (stores, reader)
    (self.leastParallelRows, self.notesColumns) = (leastParallelRows, notesColumns)
    counts = try stores.viewed?.counts ?? stores.sourceStore.objectCounts(isClean: true)
  }

  // MARK: Reading

  /// Reads every source row of an entity mapping whose rows a statement can create, or at least its key.
  ///
  /// - Returns: The key of the first row with a value or a key that SQL cannot copy unchanged; nil if there is none.
  mutating func read(_ place: Int, _ statement: RowTransfer) throws -> Int64? {
    if let result = try result(of: statement, stores.mappings[place].sourceEntityName ?? "") {
      if let misfit = result.misfit { return misfit }
      (keys[place], columns[place], questions[place]) = (result.keys, result.columns, result.question)
    } else if knownKeys(place) == nil {
      var (own, repeated) = (KeySet(), Int64?.none)
      try stores.sourceStore.forEachSourceKey(of: statement) { if !own.insert($0) { repeated = $0 } }
      if let repeated { return repeated }
      keys[place] = own
    }
    statements[place] = statement
    return nil
  }

  /// Returns nil if SQL computes none of the attributes, so that nothing needs a check.
  private mutating func result(of statement: RowTransfer, _ entity: String) throws -> Result? {
    let names = stores.viewed.map { $0.computed[entity] ?? [] }
    if let names, names.isEmpty { return nil }
    let question = statement.surveyQuestion(among: names)
    if let known = results[question] { return known }
    let facts = notesColumns ? statement.columnFacts() : nil
    let isLarge = counts[entity] ?? 0 >= leastParallelRows
    let (keys, misfit) = try stores.sourceStore.survey(
      statement, among: names, facts: facts, with: isLarge ? reader : nil)
    let result = Result(question: question, misfit: misfit, keys: keys, columns: facts)
    results[question] = result
    return result
  }

  // MARK: Keys

  /// Returns the keys of the source objects that an entity mapping migrates; nil if a policy or a filter that SQL cannot
  /// evaluate decides. They are known for all entity mappings with a statement.
  func knownKeys(_ place: Int) -> KeySet? {
    if let keys = keys[place] { return keys }
    guard let viewed = stores.viewed, let entity = stores.mappings[place].sourceEntityName,
      stores.isUnfiltered(place)
    else { return nil }
    return viewed.keys[entity] ?? KeySet()
  }

  /// Returns the keys of the source objects that an entity mapping takes, if they were read, for this or for another
  /// entity mapping.
  func keys(likeThoseOf place: Int) -> KeySet? {
    if let keys = keys[place] { return keys }
    let mappings = stores.mappings
    do {
      let (entity, wanted) = (mappings[place].sourceEntityName, try stores.filter(of: mappings[place])?.kind)
      return try keys.first { other, _ in
        try mappings[other].sourceEntityName == entity && stores.filter(of: mappings[other])?.kind == wanted
      }?.value
    } catch {
      return nil
    }
  }

  /// True if two entity mappings take exactly the same source objects.
  func isSameRows(_ place: Int, _ other: Int) -> Bool {
    questions[place].map { $0 == questions[other] } ?? false
  }

  /// The source's tables in which not every row was read, so that there may be rows of other entities.
  var tablesToCheck: Set<String> {
    var read: Set<String> = []
    for (place, keys) in keys where stores.isUnfiltered(place) {
      guard let name = stores.mappings[place].sourceEntityName, keys.count == counts[name] ?? 0 else { continue }
      read.insert(name)
    }
    let tables = Dictionary(grouping: stores.source.layout.entities, by: \.tableName)
    // The number of rows of a table with one entity includes those of other entities.
    return Set(tables.filter { $1.count > 1 || !read.contains($1[0].name) }.keys)
  }

  /// Finds the keys of the source objects that entity mappings without a policy remove with a filter.
  mutating func findRemovedKeys() throws {
    for (place, mapping) in stores.mappings.enumerated() {
      guard let entity = mapping.sourceEntityName, mapping.destinationEntityName == nil,
        mapping.policyClassName == nil, let filter = try? stores.filter(of: mapping)
      else { continue }
      var request = FetchRequest(entityName: entity)
      request.includesSubentities = false
      request.predicate = filter
      var keys = KeySet()
      try ManagedObjectContext(store: stores.sourceStore).enumerate(request) { keys.insert($0.primaryKey) }
      removedKeys[place] = keys
    }
  }
}
