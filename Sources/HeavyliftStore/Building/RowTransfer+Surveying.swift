import HeavyliftModel
import HeavyliftSQLite

extension RowTransfer {
  /// Identifies a survey, so that its result can be reused.
  package struct Question: Hashable, Sendable {
    private let sql: String
    private let bindings: [SQLiteValue]
    private let kinds: [SurveyedKind]

    fileprivate init(_ survey: RowSurvey) {
      (sql, bindings, kinds) = (survey.sql(calling: ""), survey.bindings, survey.kinds)
    }
  }

  /// Returns the identity of a survey of the given attributes.
  package func surveyQuestion(among names: Set<String>?) -> Question { Question(survey(among: names)) }

  /// Returns a statement that checks each source row: its key, and whether its columns have values that their
  /// attributes can have.
  func survey(among names: Set<String>?, _ facts: ColumnFacts? = nil) -> RowSurvey {
    let columns = source.columns.attributes.map(\.column).filter { names?.contains($0.name) ?? true }.flatMap(\.leaves)
    var (arguments, kinds, misfits) = ([String](), [SurveyedKind](), [String]())
    for column in columns where !column.isDerived {
      let name = "t0.\(SQLName(column.column))"
      if let kind = column.surveyedKind, kinds.count < RowSurvey.mostValues {
        arguments.append(name)
        kinds.append(kind)
      } else if let misfit = column.misfit(name) {
        misfits.append(misfit)
      }
    }
    arguments += facts?.columns.map { "t0.\(SQLName($0.name))" } ?? []
    return RowSurvey(
      arguments: arguments, kinds: kinds, misfits: misfits, rows: "\(origin) WHERE \(condition)",
      bindings: filterBindings)
  }
}

/// A group of attribute types whose columns can be checked by the SQLite types of their values alone.
enum SurveyedKind: Hashable, Sendable {
  case integer
  case number
  case text

  /// Returns true if the value of a column may have the SQLite type; NULL is always allowed.
  func holds(_ type: SQLiteType) -> Bool {
    switch type {
    case .null: true
    case .integer: self != .text
    case .real: self == .number
    case .text: self == .text
    case .blob: false
    }
  }
}

/// A statement that calls one function with all values of a row, because a call costs as much as a few conditions.
struct RowSurvey {
  /// SQLite functions have at most 127 arguments; two are used for the key and the conditions.
  static let mostValues = 100

  /// The columns whose values the function gets.
  let arguments: [String]
  /// The expected kinds of the first of those values; the others are only noted as facts.
  let kinds: [SurveyedKind]
  /// Conditions for the columns that the function cannot check; each is true for an invalid value.
  let misfits: [String]
  let rows: String
  let bindings: [SQLiteValue]

  /// The statement. Its function gets the key, 1 if one of the conditions is true and 0 otherwise, and the columns.
  func sql(calling function: String) -> String {
    let misfit = misfits.isEmpty ? "0" : "CASE WHEN \(misfits.joined(separator: " OR ")) THEN 1 ELSE 0 END"
    return "SELECT count(\(function)(\((["t0.Z_PK", misfit] + arguments).joined(separator: ", ")))) \(rows)"
  }
}

extension PersistentStore {
  /// Reads every source row of a transfer once, and checks whether it is valid for the model.
  ///
  /// - Parameters:
  ///   - names: The attributes to check; nil for all.
  ///   - facts: Gets the facts about columns, if they are needed.
  ///   - visitLink: Called with the index of a link column in the facts, and the key in it.
  ///   - visit: Called with the key of each row, up to the first invalid one.
  /// - Returns: The key of the first object with an invalid value or key; nil if all are valid.
  package func survey(
    _ transfer: RowTransfer, among names: Set<String>? = nil, facts: ColumnFacts? = nil,
    visitLink: @escaping (Int, Int64) -> Void = { _, _ in }, visit: @escaping (Int64) -> Void
  ) throws -> Int64? {
    try register(transfer)
    let survey = transfer.survey(among: names, facts)
    let (kinds, count) = (survey.kinds, survey.arguments.count + 2)
    // SQLite does not replace a function while statements are running, so each survey registers one with a unique name.
    let name = "heavylift_survey_\(UInt64.random(in: .min ... .max))"
    return try reporting {
      try database.register(directFunction: name, argumentCount: count, isDeterministic: false) { arguments, _ in
        let key = arguments.integer(at: 0)
        var isFit = key > 0 && arguments.integer(at: 1) == 0
        for (index, kind) in kinds.enumerated() where !kind.holds(arguments.type(at: index + 2)) { isFit = false }
        guard isFit else { throw Misfit(key: key) }
        visit(key)
        facts?.note(arguments, from: kinds.count + 2, visitLink)
      }
      defer { try? database.unregister(function: name, argumentCount: count) }
      do throws(SQLiteError) {
        let statement = try database.prepare(survey.sql(calling: name))
        try statement.bind(survey.bindings)
        try statement.execute()
        return nil
      } catch {
        guard let misfit = error.underlyingError as? Misfit else { throw error }
        return misfit.key
      }
    }
  }
}

/// Thrown to end a survey at an invalid row.
private struct Misfit: Error {
  var key: Int64
}

extension AttributeColumn {
  /// The attribute's columns in the table: its own, or those of a composite's elements.
  fileprivate var leaves: [AttributeColumn] { type == .composite ? elements.flatMap(\.leaves) : [self] }

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
  fileprivate func misfit(_ column: String) -> String? {
    if mayBeExternal { return "\(column) IS NOT NULL AND hex(substr(\(column), 1, 1)) NOT IN ('01', '02')" }
    let kind: String
    switch type {
    case .integer16, .integer32, .integer64, .boolean: kind = "integer"
    // In SQLite, all texts and blobs are greater than all numbers.
    case .double, .float, .date: return "\(column) >= ''"
    case .decimal: return "\(column) >= '' AND \(column) <> 'NaN'"
    case .string, .uri: kind = "text"
    case .binaryData, .transformable: kind = "blob"
    case .uuid: return "\(column) IS NOT NULL AND (typeof(\(column)) <> 'blob' OR length(\(column)) <> 16)"
    case .undefined, .objectID, .composite: return nil
    }
    return "typeof(\(column)) <> '\(kind)' AND \(column) IS NOT NULL"
  }
}
