import HeavyliftModel

extension ExpressionType.Kind: CustomStringConvertible {
  /// The name in messages, with an article.
  package var description: String {
    switch self {
    case .null: "nil"
    case .boolean: "a Boolean"
    case .integer: "an integer"
    case .double: "a floating-point number"
    case .decimal: "a decimal"
    case .number: "a number"
    case .string: "a string"
    case .date: "a date"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .data: "data"
    case .transformable: "a transformable value"
    case .objectID: "an object ID"
    case .object(let entity, .source): "an object of source entity \(entity.quotedName)"
    case .object(let entity, .destination): "an object of destination entity \(entity.quotedName)"
    case .composite(let name, _): "a composite \(name.quotedName)"
    case .dictionary: "a dictionary"
    case .collection(let kind, let element): "\(kind) of \(element.plural)"
    case .migrationManager: "the migration manager"
    case .entityPolicy: "the entity policy"
    case .entityMapping: "the entity mapping"
    case .propertyMapping: "the property mapping"
    case .objectContext: "a managed object context"
    case .fetchRequest: "a fetch request"
    case .entityDescription: "an entity description"
    case .mixed: "a value of several kinds"
    case .any: "a value"
    }
  }

  /// The plural, without an article.
  var plural: String {
    switch self {
    case .null: "nil values"
    case .boolean: "Booleans"
    case .integer: "integers"
    case .double: "floating-point numbers"
    case .decimal: "decimals"
    case .number: "numbers"
    case .string: "strings"
    case .date: "dates"
    case .uuid: "UUIDs"
    case .uri: "URIs"
    case .data: "data"
    case .transformable: "transformable values"
    case .objectID: "object IDs"
    case .object(let entity, .source): "objects of source entity \(entity.quotedName)"
    case .object(let entity, .destination): "objects of destination entity \(entity.quotedName)"
    case .composite(let name, _): "composites \(name.quotedName)"
    case .collection: "collections"
    case .dictionary: "dictionaries"
    case .mixed: "values of several kinds"
    default: "values"
    }
  }
}

extension ExpressionType.CollectionKind: CustomStringConvertible {
  /// The name in messages, with an article.
  package var description: String {
    switch self {
    case .array: "an array"
    case .set: "a set"
    case .orderedSet: "an ordered set"
    }
  }
}
