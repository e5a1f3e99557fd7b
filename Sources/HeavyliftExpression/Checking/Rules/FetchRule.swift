extension ExpressionInspector {
  /// `FETCH(request, context, countOnly)`: selects the source objects of a mapping; usually a mistake anywhere else.
  mutating func inspectFetch(
    _ request: MappingExpression, _ context: MappingExpression, countOnly: Bool, at range: SourceRange
  ) -> ExpressionFacts {
    switch environment.place {
    case .sourceExpression: break
    case .attribute, .relationship: report(.fetchForEveryObject(place: environment.place), at: range)
    case .sourceFilter, .fetch:
      report(.misplacedFetch(place: environment.place), at: range)
      return .unknown
    }
    let (wanted, place) = (inspect(request), inspect(context))
    if place.kind != .any, place.kind != .objectContext {
      report(.operand(of: "FETCH", expected: "a managed object context", found: place.kind), at: context.range)
    }
    if countOnly { return ExpressionFacts(.integer) }
    switch wanted.kind {
    case .any: return ExpressionFacts(.collection(.array, of: .any))
    case .fetchRequest(let entity):
      return ExpressionFacts(.collection(.array, of: entity.map { .object(entity: $0, .source) } ?? .any))
    default:
      report(.operand(of: "FETCH", expected: "a fetch request", found: wanted.kind), at: request.range)
      return .unknown
    }
  }
}
