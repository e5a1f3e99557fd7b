/// The use of an expression, which determines the available variables.
package enum ExpressionPlace: Hashable, Sendable {
  /// The filter of an entity mapping: a predicate over source objects, as in a fetch request.
  case sourceFilter
  /// The source expression of an entity mapping, evaluated once to get the source objects.
  case sourceExpression
  /// The value of an attribute, evaluated while the destination object is being created.
  case attribute
  /// The value of a relationship, evaluated when all destination objects exist.
  case relationship
  /// A fetch request, or an expression that a user tries out.
  case fetch

  /// The description for messages, with an article.
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
