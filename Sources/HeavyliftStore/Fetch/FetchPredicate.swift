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

/// An object in a predicate, represented by its ID: `author == %@`.
///
/// Predicates are values and contain no objects. A variable named after the ID takes the object's place, and the
/// fetching context replaces it with its own object.
enum ObjectArgument {
  /// Identifiers cannot contain a colon, so no user variable can have this name.
  static func expression(_ id: ManagedObjectID) -> MappingExpression {
    MappingExpression(.variable(id.uriRepresentation))
  }

  static func id(ofVariable name: String) -> ManagedObjectID? { ManagedObjectID(uri: name, acceptsTemporary: true) }
}

extension ManagedObject: FormatArgumentConvertible {
  /// An argument that represents the object with the same ID in the fetching context.
  public var formatArgument: FormatArgument { objectID.formatArgument }
}

extension ManagedObjectID: FormatArgumentConvertible {
  /// An argument that represents the object with this ID in the fetching context.
  public var formatArgument: FormatArgument { .expression(ObjectArgument.expression(self)) }
}

extension ManagedObjectContext {
  /// Returns the request with each object in its predicate replaced by the context's own object with the same ID.
  func resolvingObjects(of request: FetchRequest) throws -> FetchRequest {
    guard let predicate = request.predicate else { return request }
    var names: Set<String> = []
    predicate.visit { if case .variable(let name) = $0.kind, name.hasPrefix("x-coredata:") { names.insert(name) } }
    guard !names.isEmpty else { return request }
    var request = request
    for name in names.sorted() where request.variables[name] == nil {
      guard let id = ObjectArgument.id(ofVariable: name) else { continue }
      request.variables[name] = .object(try object(with: id) ?? ForeignObject(id))
    }
    return request
  }
}

/// Represents an object that the context does not have. It equals none of the context's objects.
private final class ForeignObject: ExpressionObject {
  private let id: ManagedObjectID

  init(_ id: ManagedObjectID) { self.id = id }

  var identity: String? { id.uriRepresentation }

  func value(forKey key: String) throws -> ExpressionValue {
    throw EvaluationMistake.unknownKey(key, kind: "an object of another store", known: [])
  }
}

extension MappingPredicate {
  /// Returns the column of the attribute that the predicate compares with one value, as in `name == %@`; for a
  /// conjunction, that of the first such comparison.
  func equalityColumn(of entity: EntityRuntime) -> String? {
    switch kind {
    case .and(let parts): return parts.lazy.compactMap { $0.equalityColumn(of: entity) }.first
    case .comparison(let comparison):
      guard comparison.comparator == .equal, comparison.options.isEmpty, comparison.quantifier == nil else {
        return nil
      }
      let sides = [comparison.left, comparison.right]
      return sides.lazy.compactMap { $0.column(of: entity) }.first
    default: return nil
    }
  }
}

extension MappingExpression {
  fileprivate func column(of entity: EntityRuntime) -> String? {
    guard case .keyPath(let base, let path) = kind, case .object = base.kind, path.keys.count == 1,
      case .name(let name) = path.keys[0], case .attribute(let slot)? = entity.slots[name]
    else { return nil }
    return entity.attributes[slot].column?.column
  }
}
