import HeavyliftExpression

/// An object in a predicate, as the ID that it has: `author == %@`.
///
/// Predicates are values, and hold no objects. In the place of one stands a variable that is named after its ID, and the
/// context that fetches puts its own object there.
enum ObjectArgument {
  /// No identifier has a colon, so nobody writes such a variable.
  static func expression(_ id: ManagedObjectID) -> MappingExpression {
    MappingExpression(.variable(id.uriRepresentation))
  }

  static func id(ofVariable name: String) -> ManagedObjectID? { ManagedObjectID(uri: name, acceptsTemporary: true) }
}

extension ManagedObject: FormatArgumentConvertible {
  /// The object that the fetching context has under the same ID.
  public var formatArgument: FormatArgument { objectID.formatArgument }
}

extension ManagedObjectID: FormatArgumentConvertible {
  /// The object that the fetching context has under this ID.
  public var formatArgument: FormatArgument { .expression(ObjectArgument.expression(self)) }
}

extension ManagedObjectContext {
  /// The request with the context's objects for those that its predicate names.
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

/// An object that the context cannot have: it is the same as none of its own.
private final class ForeignObject: ExpressionObject {
  private let id: ManagedObjectID

  init(_ id: ManagedObjectID) { self.id = id }

  var identity: String? { id.uriRepresentation }

  func value(forKey key: String) throws -> ExpressionValue {
    throw EvaluationMistake.unknownKey(key, kind: "an object of another store", known: [])
  }
}
