/// The state of the translation of one expression or predicate to SQL.
struct SQLTranslation {
  let translator: SQLTranslator
  /// The joins of the statement, then those of the enclosing sub-selects.
  var scopes: [[SQLFragment.Join]] = [[]]
  /// Variables of subqueries, innermost last.
  var elements: [(name: String, object: SQLObjectReference)] = []
  private var functions: [SQLFunction] = []
  private var reads: Set<SQLRead> = []
  private var aliasCount = 0
  private var steps = 0

  init(_ translator: SQLTranslator) { self.translator = translator }

  /// The alias of the row's table.
  static let rowAlias = "t0"

  var row: SQLObjectReference {
    let key = translator.schema.entity(named: translator.entity)?.keyColumn ?? "Z_PK"
    return SQLObjectReference(
      entity: translator.entity, key: SQLText(column: key, of: Self.rowAlias), alias: Self.rowAlias, scope: 0,
      isCertain: true)
  }

  func fragment(_ text: SQLText, _ kind: SQLKind, mayFail: Bool) -> SQLFragment {
    SQLFragment(
      sql: text.sql, bindings: text.bindings, joins: scopes[0], functions: functions, kind: kind, mayFail: mayFail,
      sources: text.sources, reads: reads)
  }

  mutating func note(_ column: String, of object: SQLObjectReference) {
    reads.insert(SQLRead(entity: object.entity, column: column, isOfRow: object.alias == Self.rowAlias))
  }

  private static let stepLimit = 20_000

  /// Counts and limits steps, because some parts are translated more than once.
  mutating func step(at range: SourceRange) throws(NotTranslated) {
    steps += 1
    if steps > SQLTranslation.stepLimit { throw NotTranslated("the expression is too large", at: range) }
  }

  /// Restores the state from before a failed attempt, except for the step count.
  mutating func goBack(to state: SQLTranslation) {
    let done = steps
    self = state
    steps = done
  }

  mutating func newAlias() -> String {
    aliasCount += 1
    return "\(translator.aliasPrefix)\(aliasCount)"
  }

  /// Returns a function call, with the range in the text as its last argument if needed.
  mutating func call(_ function: SQLFunction, _ arguments: [SQLText], at range: SourceRange) -> SQLText {
    if !functions.contains(function) { functions.append(function) }
    let place: SQLText = function.takesPlace ? ", \(range.packed)" : ""
    return "\(raw: function.name)(\(arguments.joined(by: ", "))\(place))"
  }

  /// Returns a constant as a parameter.
  func constant(
    _ value: ExpressionValue, in form: NaNForm, at range: SourceRange
  ) throws(NotTranslated) -> SQLTerm {
    let kind: SQLKind
    switch value {
    case .null: return SQLTerm(text: "NULL", kind: .null, isLeaf: true, constant: value)
    case .bool: kind = .bool
    case .integer: kind = .integer
    case .double: kind = .double
    case .decimal: kind = .decimal
    case .string: kind = .string
    case .date: kind = .date
    case .uuid: kind = .uuid
    case .uri: kind = .uri
    case .data: kind = .data
    case .object(let object):
      guard let key = translator.schema.key(of: object) else {
        throw NotTranslated("the expression uses an object that is not in the store", at: range)
      }
      return SQLTerm(
        text: "\(SQLValue.integer(key.key))", kind: .object(entity: key.entity), isLeaf: true, constant: value)
    case .array, .set, .orderedSet, .dictionary:
      throw NotTranslated("a collection has no equivalent in SQL", at: range)
    }
    guard let bound = SQLValue(value, marksNaN: form == .marked) else {
      throw NotTranslated("\(value.kind) has no equivalent in SQL", at: range)
    }
    let isNaN = (kind == .double || kind == .date) && (bound == .notANumber || bound == .null)
    return SQLTerm(
      text: "\(bound)", kind: kind, isLeaf: true, mayBeNaN: isNaN, mayBeNull: isNaN || bound == .null, constant: value)
  }
}
