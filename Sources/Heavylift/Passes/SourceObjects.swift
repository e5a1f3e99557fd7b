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
    // A fetch in the form that Xcode's compiler writes, so that the objects can be streamed.
    if let fetch = expression.sourceFetch {
      self = .request(try FetchRequestReference(entity: fetch.entity, predicate: fetch.predicate).request)
      return
    }
    self = .expression(try CompiledExpression(expression, in: evaluation.environment))
  }
}
