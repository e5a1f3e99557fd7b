import HeavyliftExpression
import HeavyliftMapping
import HeavyliftStore

/// The source objects of an entity mapping.
enum SourceObjects {
  /// None, because the entity mapping adds objects without a source.
  case none
  /// The objects of a fetch request, which are streamed.
  case request(FetchRequest)
  /// The objects that an expression returns all at once.
  case expression(CompiledExpression)

  init(_ mapping: CompleteEntityMapping, _ evaluation: MappingEvaluation) throws {
    guard let expression = mapping.sourceExpression else {
      self = .none
      return
    }
    if mapping.description.sourceExpression == nil, let entity = mapping.sourceEntityName {
      var request = FetchRequest(entityName: entity)
      request.includesSubentities = false
      request.predicate = mapping.filter
      self = .request(request)
      return
    }
    if let request = try Self.request(in: expression) {
      self = .request(request)
      return
    }
    self = .expression(try CompiledExpression(expression, in: evaluation.environment))
  }

  /// Returns the request of a fetch in the form that Xcode's compiler writes, so the objects can be streamed.
  private static func request(in expression: MappingExpression) throws -> FetchRequest? {
    guard case .fetch(let request, let context, false) = expression.kind,
      case .call(let receiver, ManagerSelector.fetchRequest, let arguments) = request.kind,
      case .variable("manager") = receiver.kind, arguments.count == 2,
      case .constant(.value(.string(let entity))) = arguments[0].kind,
      case .constant(.value(.string(let predicate))) = arguments[1].kind,
      case .keyPath(let base, let path) = context.kind, case .variable("manager") = base.kind,
      path.keys == [.name("sourceContext")]
    else { return nil }
    return try FetchRequestReference(entity: entity, predicate: predicate).request
  }
}
