/// Translates expressions and predicates on the rows of an entity into SQL.
///
/// ```swift
/// let translator = SQLTranslator(schema: schema, entity: "Book")
/// let fragment = try translator.translate(MappingPredicate(parsing: "author.name BEGINSWITH[c] 'k' AND pages > 100"))
/// print(fragment.sql)
/// ```
///
/// A translation gives exactly the value or error that the evaluator gives; if that is impossible, there is no
/// translation. If SQLite's own operator differs, the SQL calls a function that runs the evaluator's code. The
/// translation assumes that columns hold valid values of their attributes, and that every key refers to an object.
package struct SQLTranslator {
  let schema: any SQLSchema
  let entity: String
  let rowVariables: Set<String>
  let variables: [String: ExpressionValue]
  let aliasPrefix: String
  let functions: FunctionRegistry

  /// Creates a translator for the rows of an entity.
  ///
  /// - Parameters:
  ///   - schema: The tables of the store.
  ///   - entity: The name of the entity.
  ///   - rowVariables: The names of variables that refer to the row, as `SELF` does, such as `source`.
  ///   - variables: The values of other variables.
  ///   - aliasPrefix: The prefix for aliases of joined tables, so that one statement can contain several fragments.
  ///   - functions: The functions that `FUNCTION` may call. Only built-in functions are translated.
  package init(
    schema: any SQLSchema, entity: String, rowVariables: Set<String> = [], variables: [String: ExpressionValue] = [:],
    aliasPrefix: String = "e", functions: FunctionRegistry = .builtIn
  ) {
    self.functions = functions
    self.aliasPrefix = aliasPrefix
    self.schema = schema
    self.entity = entity
    self.rowVariables = rowVariables
    self.variables = variables
  }

  /// Translates an expression into SQL that computes its value for a row.
  ///
  /// - Throws: `NotTranslated`
  package func translate(_ expression: MappingExpression) throws(NotTranslated) -> SQLFragment {
    try refuse(deeperThan: expression.depth, expression.range)
    var translation = SQLTranslation(self)
    let term = try translation.translate(expression, in: .stored)
    var fragment = translation.fragment(term.text, term.kind, mayFail: term.mayFail)
    fragment.mayBeNaN = term.mayBeNaN
    fragment.mayBeNull = term.mayBeNull
    try refuse(deeperThan: fragment, expression.range)
    return fragment
  }

  /// Translates a predicate into a condition on a row.
  ///
  /// - Throws: `NotTranslated`
  package func translate(_ predicate: MappingPredicate) throws(NotTranslated) -> SQLFragment {
    try refuse(deeperThan: predicate.depth, predicate.range)
    var translation = SQLTranslation(self)
    let test = try translation.translate(predicate)
    let fragment = translation.fragment(test.text, .bool, mayFail: test.mayFail)
    try refuse(deeperThan: fragment, predicate.range)
    return fragment
  }

  /// The maximum number of parts of a predicate: SQLite parses them as a tree of that depth.
  static let widthLimit = 200
  private static let treeLimit = 60
  /// SQLite's parser has a stack of 100 entries, and each level takes up to three.
  private static let levelLimit = 24
  private static let bindingLimit = 10_000

  private func refuse(deeperThan depth: Int, _ range: SourceRange) throws(NotTranslated) {
    if depth > SQLTranslator.treeLimit {
      throw NotTranslated("the expression is nested too deeply for SQLite", at: range)
    }
  }

  private func refuse(deeperThan fragment: SQLFragment, _ range: SourceRange) throws(NotTranslated) {
    if fragment.bindings.count > SQLTranslator.bindingLimit {
      throw NotTranslated("the expression has too many values for one statement", at: range)
    }
    // SQLite can join up to 64 tables.
    if fragment.joins.count > 40 { throw NotTranslated("the expression follows too many relationships", at: range) }
    var (level, deepest) = (0, 0)
    for byte in fragment.sql.utf8 {
      if byte == UInt8(ascii: "(") {
        level += 1
        deepest = max(deepest, level)
      } else if byte == UInt8(ascii: ")") {
        level -= 1
      }
    }
    if deepest > SQLTranslator.levelLimit {
      throw NotTranslated("the expression is nested too deeply for SQLite", at: range)
    }
  }
}
