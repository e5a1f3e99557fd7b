import HeavyliftExpression
import HeavyliftModel

/// The predicate of a fetch request, split into a part that SQLite evaluates and a part that is evaluated object by
/// object.
struct FetchPredicate {
  /// The condition for the statement; nil if SQL cannot evaluate any part.
  let pushed: SQLFragment?
  /// The part that SQL does not evaluate; nil if SQL evaluates everything.
  let rest: CompiledPredicate?
  private let whole: CompiledPredicate
  private let environment: EvaluationEnvironment
  private let variables: [String: ExpressionValue]

  init?(_ request: FetchRequest, in store: PersistentStore) throws {
    guard let predicate = request.predicate else { return nil }
    var environment = EvaluationEnvironment(shape: try store.shape(ofEntity: request.entityName))
    for name in request.variables.keys.sorted() { environment.declare(name) }
    let translator = try store.translator(forEntity: request.entityName, variables: request.variables)
    self.environment = environment
    variables = request.variables
    whole = try CompiledPredicate(predicate, in: environment)
    try request.checkPredicate(in: store.runtime)
    do {
      pushed = try translator.translate(predicate)
      rest = nil
    } catch {
      let (harmless, others) = Self.split(predicate, translator)
      pushed = harmless.isEmpty ? nil : try? translator.translate(MappingPredicate(.and(harmless), at: predicate.range))
      rest =
        pushed == nil
        ? whole : try CompiledPredicate(MappingPredicate(.and(others), at: predicate.range), in: environment)
    }
    if let pushed { try store.register(pushed.functions) }
  }

  /// Returns the parts of a conjunction that SQL can evaluate on their own, and the rest. A part that can fail is among
  /// the rest: an earlier part may exclude the row that would cause the error.
  private static func split(
    _ predicate: MappingPredicate, _ translator: SQLTranslator
  ) -> (pushed: [MappingPredicate], rest: [MappingPredicate]) {
    guard case .and(let parts) = predicate.kind else { return ([], [predicate]) }
    var (pushed, rest): ([MappingPredicate], [MappingPredicate]) = ([], [])
    for part in parts {
      if let fragment = try? translator.translate(part), !fragment.mayFail {
        pushed.append(part)
      } else {
        rest.append(part)
      }
    }
    return (pushed, rest)
  }

  /// A test for the part that SQL does not evaluate; nil if SQL evaluates everything.
  var remainingTest: ((ManagedObject) throws -> Bool)? { rest.map(test) }

  /// A test for the whole predicate.
  var wholeTest: (ManagedObject) throws -> Bool { test(whole) }

  private func test(_ predicate: CompiledPredicate) -> (ManagedObject) throws -> Bool {
    var context = EvaluationContext(environment)
    for (name, value) in variables { context[name] = value }
    return { object in
      context.object = .object(object)
      return try predicate.evaluate(in: &context)
    }
  }
}
