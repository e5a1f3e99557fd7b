/// A translated expression, and what is known of its values beforehand.
struct SQLTerm {
  var text: SQLText
  var kind: SQLKind
  /// The column alone, where it compares as the value does: an index can be used.
  var column: SQLText?
  /// Whether it is a column or a parameter, which costs nothing when it is written twice.
  var isLeaf = false
  /// Whether it is so little more than that, that it may be written twice rather than given to a function.
  var isPlain = false
  var mayFail = false
  /// Whether the value can be what is no number, which SQLite does not have.
  var mayBeNaN = false
  /// Whether the value can be NULL; true where that is not known.
  var mayBeNull = true
  var constant: ExpressionValue?

  /// What to compare with.
  var comparable: SQLText { column ?? text }

  /// Whether it is known to be something other than nil.
  var isConstantValue: Bool { constant.map { !$0.isNull } ?? false }
}

/// A translated predicate.
struct SQLTest {
  var text: SQLText
  /// Whether NULL can stand for no.
  var mayBeNull = false
  var mayFail = false

  static let yes = SQLTest(text: "1")
  static let no = SQLTest(text: "0")

  /// 1 or 0.
  var decided: SQLText { mayBeNull ? "COALESCE(\(text), 0)" : text }
}

/// What becomes of a value that is no number.
enum NaNForm {
  /// NULL, as in any store.
  case stored
  /// A mark that the registered functions know: nil is something else to them.
  case marked
}

/// An object that a row leads to.
struct SQLObjectReference {
  var entity: String
  /// Its key: a column.
  var key: String
  /// The table that holds its row, if it stands in the statement already.
  var alias: String?
  /// The statement or sub-select that the table must be joined in.
  var scope: Int
  /// Whether there always is one.
  var isCertain = false
}

/// The targets of a to-many relationship, and the keys behind it.
struct SQLCollectionReference {
  var owner: SQLObjectReference
  var toMany: SQLToMany
  var rest: ArraySlice<KeyPath.Key>
}
