/// An `NSExpression` out of a keyed archive, as a tree.
///
/// Models hold derivations and what is indexed in this form, mapping models their value expressions. The description is
/// the text that the format language has for it, as Foundation would print it.
public indirect enum ArchivedExpression: Hashable, Sendable {
  /// The three operations on sets. The numbers are Foundation's.
  public enum SetOperation: Int64, Hashable, Sendable {
    case union = 5
    case intersect = 6
    case minus = 7
  }

  case constant(ArchivedConstant)
  /// A class as a receiver; functions of the language itself have `_NSPredicateUtilities`.
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
