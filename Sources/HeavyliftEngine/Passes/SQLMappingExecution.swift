import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// Creates the objects of an entity mapping with one statement, and the rows of each join table with another.
struct SQLMappingExecution {
  private let run: MigrationRun
  private let step: EntityMappingStep
  private var database: Database { run.destination.database }
  private var planned: MigrationPlan.Step { run.plan.steps[step.mappingIndex] }

  init(_ run: MigrationRun, _ step: EntityMappingStep) {
    self.run = run
    self.step = step
  }

  private func transfer() throws -> RowTransfer {
    guard let transfer = try run.prepared.statement(of: step.mappingIndex) else {
      throw mismatch("there is no statement for its rows")
    }
    try run.destination.register(transfer)
    return transfer
  }

  // MARK: Rows

  func createDestinationInstances() throws {
    guard let rule = step.keyRule, let keys = run.survey.knownKeys(step.mappingIndex) else {
      throw mismatch("the keys of its rows are not known")
    }
    if planned.rows == .kept { return try noteKeptRows(keys) }
    try run.flush()
    let transfer = try transfer()
    let entity = step.complete.destinationEntityName ?? ""
    let progress = RowProgress(keys)
    let watching = RowTransfer.Watching(
      function: LinkFunctions.watchRows(step: step.mappingIndex), interval: Int64(run.progress.step),
      key: keys.greatest ?? 0)
    let cancellation = run.manager.cancellation
    try database.register(
      directFunction: watching.function, argumentCount: 1, isDeterministic: false
    ) { [run, step] arguments, result in
      try cancellation.check(in: step.name)
      run.didProcessRows(progress.advance(to: arguments.integer(at: 0)))
      result.set(integer: 1)
    }
    if run.plan.writesLinksWithRows {
      for (index, link) in planned.rowRelationships.enumerated() {
        try database.register(
          LinkFunctions.target(step: step.mappingIndex, link: index),
          in: link.targets.map { run.stores.lookedUp($0, among: run.survey.knownKeys($0) ?? KeySet()) })
      }
    }
    let (sql, bindings) = transfer.insertion(keyOffset: rule.offset, watching)
    try locatingErrors {
      try database.transaction(.immediate) {
        let statement = try database.prepare(sql)
        try statement.bind(bindings)
        try statement.execute()
        try check(database.changes, of: keys)
        if let greatest = keys.greatest {
          try run.destination.noteHighestKey(rule.destinationKey(ofSource: greatest), ofEntity: entity)
        }
      }
    }
    run.didProcessRows(progress.rest)
    note(keys)
    try run.cancellation.check(in: step.name)
  }

  /// Records the objects whose rows are in the destination already, in a table that it took over.
  private func noteKeptRows(_ keys: KeySet) throws {
    note(keys)
    run.didProcessRows(keys.count)
    try run.cancellation.check(in: step.name)
  }

  /// Throws if a statement has not created one row for each source object.
  private func check(_ count: Int, of keys: KeySet) throws {
    guard count != keys.count else { return }
    throw HopError(
      .migration, place: .init(mapping: step.name),
      problem: "its statement created \(count.grouped) rows for \(keys.count.grouped) source objects",
      remedy: "check the old store for damage, with 'PRAGMA integrity_check' in sqlite3")
  }

  private func note(_ keys: KeySet) {
    step.sourceCount += keys.count
    step.declaredCount += keys.count
    step.statementCount += keys.count
    run.associations.noteDeclared(keys, mapping: step.mappingIndex)
  }

  // MARK: Relationships

  /// Writes the rows of the entity mapping's join tables.
  func writeJoins() throws {
    let joins = run.prepared.joins(of: step.mappingIndex)
    guard !joins.isEmpty else { return }
    try run.flush()
    for join in joins {
      try database.register(linkTest: join.test, from: run.lookedUp(step.mappingIndex), to: run.lookedUp(join.target))
      try write(join, test: join.test)
    }
    try run.cancellation.check(in: step.name)
  }

  /// Writes rows of a join table.
  ///
  /// - Parameter test: The function that returns true for the links to write.
  func write(_ join: PreparedMigration.Join, test: String) throws {
    guard let transfer = join.transfer else {
      throw mismatch("the relationship has no table of its own", property: join.plan.name)
    }
    try locatingErrors(property: join.plan.name) {
      let statements = transfer.insertions(
        where: test, ownerOffset: join.ownerOffset, targetOffset: join.targetOffset)
      try database.transaction(.immediate) { for sql in statements { try database.run(sql) } }
    }
  }

  /// The progress of a statement that creates rows in the order of their keys.
  private final class RowProgress {
    private let total: Int
    private var counter: KeySet.Counter
    private var counted = 0
    /// The number of rows that have not been counted yet.
    var rest: Int { total - counted }

    init(_ keys: KeySet) { (total, counter) = (keys.count, KeySet.Counter(keys)) }

    /// Returns the number of rows since the last call.
    func advance(to key: Int64) -> Int {
      let count = counter.count(through: key)
      defer { counted = count }
      return count - counted
    }
  }

  // MARK: Errors

  func mismatch(_ what: String, property: String? = nil) -> HopError {
    HopError(
      .migration, place: .init(mapping: step.name, property: property),
      problem: "the plan does not match the store: \(what)")
  }

  /// Reports an error as the object-by-object pass does, with the object and the property at which it occurred.
  private func locatingErrors(property: String? = nil, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      let cause = (error as? SQLiteError)?.underlyingError ?? error
      if cause is HopError { throw cause }
      try lookForMistake()
      do {
        try run.destination.reporting { throw error }
      } catch {
        throw HopError.wrapping(error, .migration, .init(mapping: step.name, property: property))
      }
    }
  }

  /// Evaluates all attributes object by object to find the error, without creating anything.
  private func lookForMistake() throws {
    guard case .request(let request) = step.sourceObjects else { return }
    do {
      try run.sourceContext.enumerate(request) { source in
        for attribute in step.attributes {
          do {
            switch try attribute.source(in: step.evaluation.environment) {
            case .none, .constant: continue
            // Statements copy references to external files, even if the files are missing.
            case .expression where attribute.isCopied && attribute.attribute.allowsExternalBinaryDataStorage: continue
            case .expression(let expression):
              let value = try step.evaluation.evaluate(
                expression, source: source, destination: nil, property: attribute.mapping)
              _ = try attribute.converted(value)
            }
          } catch {
            throw HopError.wrapping(
              error, .migration,
              .init(mapping: step.name, property: attribute.attribute.name, object: "\(source)"))
          }
        }
      }
    } catch {
      throw HopError.wrapping(error, .migration, .init(mapping: step.name))
    }
  }
}
