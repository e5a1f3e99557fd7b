import HeavyliftModel
import HeavyliftSQLite

extension RowTransfer {
  /// What a survey asks, to know it again.
  package struct Question: Hashable, Sendable {
    private let sql: String
    private let bindings: [SQLiteValue]
    private let kinds: [SurveyedKind]

    fileprivate init(_ survey: RowSurvey) {
      (sql, bindings, kinds) = (survey.sql(calling: ""), survey.bindings, survey.kinds)
    }
  }

  /// What `survey` asks, to know it again.
  package func surveyQuestion(among names: Set<String>?) -> Question { Question(survey(among: names)) }

  /// A look at each row: its key, and whether a column holds what no attribute of its type can be, or the key is none.
  func survey(among names: Set<String>?) -> RowSurvey {
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
    return RowSurvey(
      arguments: arguments, kinds: kinds, misfits: misfits, rows: "\(origin) WHERE \(condition)",
      bindings: filterBindings)
  }
}

/// What may stand in a column, as a look at its value's type tells.
enum SurveyedKind: Hashable, Sendable {
  case integer
  case number
  case text

  /// Whether a value, or none, is of the kind.
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

/// A statement that has one function look at all values of a row: a call costs as much as a few conditions do.
struct RowSurvey {
  /// SQLite's functions have 127 arguments at most, two of which are for other things.
  static let mostValues = 100

  /// Columns that the function looks at.
  let arguments: [String]
  /// What they must hold.
  let kinds: [SurveyedKind]
  /// Conditions that hold for what only SQL tells.
  let misfits: [String]
  let rows: String
  let bindings: [SQLiteValue]

  /// The statement, whose function gets the key, whether a condition holds, and the columns.
  func sql(calling function: String) -> String {
    let misfit = misfits.isEmpty ? "0" : "CASE WHEN \(misfits.joined(separator: " OR ")) THEN 1 ELSE 0 END"
    return "SELECT count(\(function)(\((["t0.Z_PK", misfit] + arguments).joined(separator: ", ")))) \(rows)"
  }
}

extension PersistentStore {
  /// Looks once at every source row of a transfer: which they are, and whether each is as the model says.
  ///
  /// - Parameters:
  ///   - names: The only attributes to look at; nil for all.
  ///   - visit: Called with each row's key, until one is not as the model says.
  /// - Returns: The key of the first object with a value or a key that is not as the model says.
  package func survey(
    _ transfer: RowTransfer, among names: Set<String>? = nil, visit: @escaping (Int64) -> Void
  ) throws -> Int64? {
    try register(transfer)
    let survey = transfer.survey(among: names)
    let (kinds, count) = (survey.kinds, survey.kinds.count + 2)
    // While other statements run, no function takes the place of another.
    let name = "heavylift_survey_\(UInt64.random(in: .min ... .max))"
    return try reporting {
      try database.register(directFunction: name, argumentCount: count, isDeterministic: false) { arguments, _ in
        let key = arguments.integer(at: 0)
        var isFit = key > 0 && arguments.integer(at: 1) == 0
        for (index, kind) in kinds.enumerated() where !kind.holds(arguments.type(at: index + 2)) { isFit = false }
        guard isFit else { throw Misfit(key: key) }
        visit(key)
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

/// Ends a survey.
private struct Misfit: Error {
  var key: Int64
}

extension AttributeColumn {
  /// The columns that really exist.
  fileprivate var leaves: [AttributeColumn] { type == .composite ? elements.flatMap(\.leaves) : [self] }

  /// Of what kind its values are, where their types tell all; nil where SQL must look.
  fileprivate var surveyedKind: SurveyedKind? {
    if mayBeExternal { return nil }
    switch type {
    case .integer16, .integer32, .integer64, .boolean: return .integer
    case .double, .float, .date: return .number
    case .string, .uri: return .text
    // A decimal is a number or the text `NaN`. A function that is given large values has them read; `typeof` has not.
    case .decimal, .binaryData, .transformable, .uuid, .undefined, .objectID, .composite: return nil
    }
  }

  /// Holds where the column has a value that cannot be read as the attribute's, or that only a closer look tells.
  ///
  /// - Parameter column: The column's name in a statement.
  fileprivate func misfit(_ column: String) -> String? {
    if mayBeExternal { return "\(column) IS NOT NULL AND hex(substr(\(column), 1, 1)) NOT IN ('01', '02')" }
    let kind: String
    switch type {
    case .integer16, .integer32, .integer64, .boolean: kind = "integer"
    // Any text and any bytes are more than any number.
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
