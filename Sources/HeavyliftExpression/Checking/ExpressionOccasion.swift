/// For what an expression is evaluated, which decides what there is for it to refer to.
public enum ExpressionOccasion: Hashable, Sendable {
  /// The filter of an entity mapping: a predicate over source objects, as in a fetch request.
  case sourceFilter
  /// The source expression of an entity mapping, evaluated before there is any object.
  case sourceExpression
  /// The value of an attribute, evaluated while the destination object is made.
  case attribute
  /// The value of a relationship, evaluated when all objects are there.
  case relationship
  /// A fetch request, or an expression that somebody tries by hand.
  case fetch

  /// As it stands in messages.
  var description: String {
    switch self {
    case .sourceFilter: "a source filter"
    case .sourceExpression: "a source expression"
    case .attribute: "the value of an attribute"
    case .relationship: "the value of a relationship"
    case .fetch: "a fetch request"
    }
  }
}
