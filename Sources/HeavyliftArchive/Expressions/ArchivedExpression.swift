/// An `NSExpression` from a keyed archive, as a tree.
///
/// Models store derivation expressions and indexed expressions in this form, and mapping models store their value
/// expressions in it. The description is the expression in predicate format syntax, as Foundation would print it.
package indirect enum ArchivedExpression: Hashable, Sendable {
  /// The three set operations. The raw values are Foundation's.
  package enum SetOperation: Int64, Hashable, Sendable {
    case union = 5
    case intersect = 6
    case minus = 7
  }

  case constant(ArchivedConstant)
  /// A class as the receiver of a function. The receiver of built-in functions is `_NSPredicateUtilities`.
  case classReceiver(String)
  /// `SELF`.
  case evaluatedObject
  /// `$name`.
  case variable(String)
  case keyPath(of: ArchivedExpression, String)
  case function(receiver: ArchivedExpression, selector: String, arguments: [ArchivedExpression])
  case aggregate([ArchivedExpression])
  /// `FIRST`, `LAST` or `SIZE` in square brackets.
  case symbol(String)
  case set(SetOperation, ArchivedExpression, ArchivedExpression)
  case subquery(ArchivedExpression, variable: String, ArchivedPredicate)
  case ternary(ArchivedPredicate, ArchivedExpression, ArchivedExpression)
  case fetch(request: ArchivedExpression, context: ArchivedExpression, countOnly: Bool)
  case anyKey
}
