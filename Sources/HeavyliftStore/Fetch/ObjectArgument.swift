import HeavyliftExpression

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
