import HeavyliftModel
import HeavyliftSQLite

extension RowTransfer {
  /// Identifies a survey, so that its result can be reused.
  package struct Question: Hashable, Sendable {
    private let sql: String
    private let bindings: [SQLiteValue]
    private let kinds: [SurveyedKind]

    fileprivate init(_ survey: RowSurvey) {
      (sql, bindings, kinds) = (survey.sql, survey.bindings, survey.kinds)
    }
  }

  /// The identity of the survey.
  package var surveyQuestion: Question { Question(survey()) }

  /// Returns a statement that checks each source row: its key, and whether its columns have values that their
  /// attributes and links can have. Of a row that the filter excludes, the columns that the filter reads are checked.
  func survey(_ facts: ColumnFacts? = nil) -> RowSurvey {
    let columns = source.columns.attributes.map(\.column).flatMap(\.leaves)
    var (arguments, kinds, misfits) = ([String](), [SurveyedKind](), [String]())
    for column in columns where !column.isDerived {
      let name = Self.column(column.column)
      if let kind = column.surveyedKind, kinds.count < RowSurvey.mostValues {
        arguments.append(name)
        kinds.append(kind)
      } else if let misfit = column.misfit(name) {
        misfits.append(misfit)
      }
    }
    // A statement would read `2.5` or a blob as the key of another object.
    for (_, link) in source.columns.toOnes {
      let name = Self.column(link.column)
      if kinds.count < RowSurvey.mostValues {
        arguments.append(name)
        kinds.append(.integer)
      } else {
        misfits.append(ToOneColumn.misfit(name))
      }
    }
    let filterMisfits = source.misfits(inColumns: filterColumns, Self.column).sorted { $0.key < $1.key }
    // Other columns are checked by the types of their values, in all rows of the query.
    misfits += filterMisfits.filter { !arguments.contains(Self.column($0.key)) }.map(\.value)
    let isMisfit = filterMisfits.isEmpty ? nil : filterMisfits.map(\.value).joined(separator: " OR ")
    let wanted = condition(orWhere: isMisfit)
    let factColumns = facts?.columns.map { column in
      let name = Self.column(column.name)
      if let known = arguments.firstIndex(of: name) { return known }
      arguments.append(name)
      return arguments.count - 1
    }
    return RowSurvey(
      arguments: arguments, kinds: kinds, factColumns: factColumns?.map { $0 + RowSurvey.firstArgument } ?? [],
      misfits: misfits, rows: "\(origin) WHERE \(wanted)", bindings: filterBindings)
  }
}

/// A group of attribute types whose columns can be checked by the SQLite types of their values alone.
enum SurveyedKind: Hashable, Sendable {
  case integer
  case number
  case text

  /// The SQLite types that the column's values may have; NULL is always allowed.
  var types: Set<SQLiteType> {
    switch self {
    case .integer: [.null, .integer]
    case .number: [.null, .integer, .real]
    case .text: [.null, .text]
    }
  }
}

/// A query for the values of each row that must be valid.
struct RowSurvey {
  /// The most columns whose values are checked in Swift; a query has at most 2,000.
  static let mostValues = 1_000
  /// The position of the first of `arguments` in a row of the query.
  static let firstArgument = 2

  /// The columns of the query, after the key and the result of the conditions.
  let arguments: [String]
  /// The expected kinds of the first of those values; the others are only noted as facts.
  let kinds: [SurveyedKind]
  /// The positions of the columns whose values are noted as facts, in a row of the query.
  let factColumns: [Int]
  /// Conditions for the columns whose types do not tell enough; each is true for an invalid value.
  let misfits: [String]
  let rows: String
  let bindings: [SQLiteValue]

  /// The query: the key, 1 if one of the conditions is true and 0 otherwise, and the columns.
  var sql: String {
    let misfit = misfits.isEmpty ? "0" : "CASE WHEN \(misfits.joined(separator: " OR ")) THEN 1 ELSE 0 END"
    return "SELECT \((["t0.Z_PK", misfit] + arguments).joined(separator: ", ")) \(rows)"
  }

  /// The result of a survey.
  struct Result {
    /// The keys of the rows up to the first one with an invalid value or key.
    var keys = KeySet()
    /// That row's key.
    var misfit: Int64?
  }

  /// Reads the rows, optionally only those whose keys meet a condition.
  func read(
    _ database: Database, where condition: KeyCondition? = nil, _ facts: ColumnFacts?
  ) throws(SQLiteError) -> Result {
    var types = ColumnTypes()
    for kind in kinds { types.append(kind.types) }
    let statement = try database.prepare(sql + (condition.map { " AND \($0.sql(of: "t0.Z_PK"))" } ?? ""))
    try statement.bind(bindings)
    guard let facts else { return try read(statement, types) { _ in } }
    var result = Result()
    try facts.noting { noting throws(SQLiteError) in
      result = try read(statement, types) { noting.note($0, at: factColumns) }
    }
    return result
  }

  @inline(__always)
  private func read(
    _ statement: Statement, _ types: ColumnTypes, _ note: (borrowing RowView) -> Void
  ) throws(SQLiteError) -> Result {
    var result = Result()
    var cursor = statement.query()
    while try cursor.next() {
      let key = cursor.row.integer(at: 0)
      guard key > 0, types.holds(cursor.row, from: Self.firstArgument), cursor.row.integer(at: 1) == 0 else {
        result.misfit = key
        return result
      }
      result.keys.insert(key)
      note(cursor.row)
    }
    return result
  }
}

extension PersistentStore {
  /// Reads every source row of a transfer once, and checks whether it is valid for the model.
  ///
  /// - Parameters:
  ///   - facts: Gets the facts about columns, if they are needed.
  ///   - reader: Reads half of the rows.
  /// - Returns: The keys of the rows up to the first one with an invalid value or key, and that row's key.
  package func survey(
    _ transfer: RowTransfer, facts: ColumnFacts? = nil, with reader: ParallelReader? = nil
  ) throws -> (keys: KeySet, misfit: Int64?) {
    try register(transfer)
    let survey = transfer.survey(facts)
    return try reporting {
      let result =
        try reader.flatMap { try read(survey, transfer, facts, with: $0) } ?? survey.read(database, facts)
      return (result.keys, result.misfit)
    }
  }

  /// Reads the upper half of the rows on another thread.
  ///
  /// - Returns: Nil, without reading anything, if that is not possible.
  private func read(
    _ survey: RowSurvey, _ transfer: RowTransfer, _ facts: ColumnFacts?, with reader: ParallelReader
  ) throws -> RowSurvey.Result? {
    // The second connection does not have the functions that a filter may call.
    if let filter = transfer.filter, !filter.functions.isEmpty { return nil }
    let otherFacts = facts?.blank
    guard
      let (lower, upper) = try reader.halves(
        of: transfer.source.layout.tableName,
        lower: { try survey.read($0, where: $1, facts) }, upper: { try survey.read($0, where: $1, otherFacts) })
    else { return nil }
    if lower.misfit != nil { return lower }
    if let facts, let otherFacts { facts.formUnion(otherFacts) }
    var whole = upper
    whole.keys.formUnion(lower.keys)
    return whole
  }
}

extension ToOneColumn {
  /// Returns a condition that is true if a value is not the key of a target.
  static func misfit(_ column: String) -> String { "typeof(\(column)) NOT IN ('integer', 'null')" }
}

extension AttributeColumn {
  /// The attribute's columns in the table: its own, or those of a composite's elements.
  var leaves: [AttributeColumn] { type == .composite ? elements.flatMap(\.leaves) : [self] }

  /// The kind of its values; nil if their SQLite types do not decide whether they are valid.
  fileprivate var surveyedKind: SurveyedKind? {
    if mayBeExternal { return nil }
    switch type {
    case .integer16, .integer32, .integer64, .boolean: return .integer
    case .double, .float, .date: return .number
    case .string, .uri: return .text
    // A decimal is a number or the text `NaN`. SQLite reads a large value to pass it to a function, but not for
    // `typeof`.
    case .decimal, .binaryData, .transformable, .uuid, .undefined, .objectID, .composite: return nil
    }
  }

  /// Returns a condition that is true if the column's value cannot be read as the attribute's, or if SQL cannot decide
  /// that.
  ///
  /// - Parameter column: The column's name in a statement.
  func misfit(_ column: String) -> String? {
    if mayBeExternal { return "\(column) IS NOT NULL AND hex(substr(\(column), 1, 1)) NOT IN ('01', '02')" }
    let kind: String
    switch type {
    case .integer16, .integer32, .integer64, .boolean: kind = "integer"
    // In SQLite, all texts and blobs are greater than all numbers.
    case .double, .float, .date: return "\(column) >= ''"
    // A number that may be too large or too small for a decimal is left to the code that reads objects.
    case .decimal:
      return "\(column) >= '' AND \(column) <> 'NaN' OR \(column) < '' AND (\(column) NOT BETWEEN -1e120 AND 1e120 "
        + "OR \(column) <> 0 AND \(column) BETWEEN -1e-90 AND 1e-90)"
    case .string, .uri: kind = "text"
    case .binaryData, .transformable: kind = "blob"
    case .uuid: return "\(column) IS NOT NULL AND (typeof(\(column)) <> 'blob' OR length(\(column)) <> 16)"
    case .undefined, .objectID, .composite: return nil
    }
    return "typeof(\(column)) <> '\(kind)' AND \(column) IS NOT NULL"
  }
}

extension PersistentStore {
  /// Returns the key of a row with an invalid value in one of some columns, among the rows of entities that share a
  /// table; nil if there is none.
  package func misfit(inColumns columns: Set<String>, ofEntities entities: [String]) throws -> Int64? {
    let kinds = entities.compactMap { runtime.byName[$0] }
    let misfits = Set(kinds.flatMap { $0.misfits(inColumns: columns) { SQLName($0).description }.values })
    guard let layout = kinds.first?.layout, !misfits.isEmpty else { return nil }
    let numbers = kinds.map { "\($0.layout.number)" }.joined(separator: ", ")
    let found = try reporting {
      try database.firstValue(
        "SELECT Z_PK FROM \(SQLName(layout.tableName)) WHERE \(layout.numberSQL()) IN (\(numbers)) "
          + "AND (\(misfits.sorted().joined(separator: " OR "))) LIMIT 1")
    }
    return if case .integer(let key)? = found { key } else { nil }
  }

  /// Throws if one of an object's values is invalid, or the key of a to-one target.
  package func requireValidValues(ofEntity name: String, key: Int64) throws {
    guard let entity = runtime.byName[name] else { return }
    let context = ManagedObjectContext(store: self)
    let object = try context.object(key, destination: entity.index)
    for attribute in object.runtime.attributes where attribute.column != nil {
      _ = try object.value(forKey: attribute.description.name) as Value
    }
    for toOne in object.runtime.toOnes where toOne.column != nil {
      _ = try object.object(forKey: toOne.description.name)
    }
  }
}

extension EntityRuntime {
  /// Returns conditions for columns, by their names; each is true if its column's value is invalid.
  ///
  /// - Parameter column: Returns a column in a statement.
  func misfits(inColumns wanted: Set<String>, _ column: (String) -> String) -> [String: String] {
    var misfits: [String: String] = [:]
    for leaf in columns.attributes.map(\.column).flatMap(\.leaves) where wanted.contains(leaf.column) {
      if let misfit = leaf.misfit(column(leaf.column)) { misfits[leaf.column] = "(\(misfit))" }
    }
    for (_, link) in columns.toOnes where wanted.contains(link.column) {
      misfits[link.column] = ToOneColumn.misfit(column(link.column))
    }
    return misfits
  }
}
