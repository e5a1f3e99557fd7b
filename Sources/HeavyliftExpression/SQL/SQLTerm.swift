/// A translated expression, with the facts known about its values.
struct SQLTerm {
  var text: SQLText
  var kind: SQLKind
  /// The bare column, if comparing it is the same as comparing the value; SQLite can then use an index.
  var column: SQLText?
  /// True for a column or a parameter, which costs nothing to repeat.
  var isLeaf = false
  /// True if the term is cheap enough to be repeated rather than passed to a function.
  var isPlain = false
  var mayFail = false
  /// True if the value can be NaN, which SQLite does not have.
  var mayBeNaN = false
  /// True if the value can be NULL, or if that is unknown.
  var mayBeNull = true
  var constant: ExpressionValue?

  /// True if a floating-point number that is calculated from the value can be NaN: a decimal can be NaN, but a column
  /// holds that as text.
  var canMakeNaN: Bool { mayBeNaN || constant == nil && (kind == .decimal || kind == .number) }

  /// The SQL to use in comparisons.
  var comparable: SQLText { column ?? text }

  /// True if the term is a constant other than nil.
  var isConstantValue: Bool { constant.map { !$0.isNull } ?? false }
}

/// A translated predicate.
struct SQLTest {
  var text: SQLText
  /// True if the test can be NULL, which means false.
  var mayBeNull = false
  var mayFail = false

  static let yes = SQLTest(text: "1")
  static let no = SQLTest(text: "0")

  /// The test as 1 or 0, never NULL.
  var decided: SQLText { mayBeNull ? "COALESCE(\(text), 0)" : text }
}

/// The representation of NaN.
enum NaNForm {
  /// NULL, as in any store.
  case stored
  /// A marker that lets the registered functions tell NaN from nil.
  case marked
}

/// An object in SQL: the row, the target of a to-one relationship, or an element of a collection.
struct SQLObjectReference {
  var entity: String
  /// The column with the object's key.
  var key: SQLText
  /// The alias of the object's table, if the table is already joined.
  var alias: String?
  /// The index of the statement or sub-select in which the table must be joined.
  var scope: Int
  /// True if the object always exists.
  var isCertain = false
}

/// The targets of a to-many relationship, and the keys that follow it in the path.
struct SQLCollectionReference {
  var owner: SQLObjectReference
  var toMany: SQLToMany
  var rest: ArraySlice<ExpressionKeyPath.Key>
}
