/// The static type of an expression's value.
///
/// ```swift
/// let checked = ExpressionChecker(environment).check(expression)
/// print(checked.type)  // a set of objects of source entity 'Book'
/// ```
package struct ExpressionType: Hashable, Sendable {
  /// The kind of value.
  package indirect enum Kind: Hashable, Sendable {
    /// Always nil.
    case null
    case boolean
    case integer
    case double
    case decimal
    /// A number of unknown kind: integer, floating-point or decimal.
    case number
    case string
    case date
    case uuid
    case uri
    case data
    case transformable
    case objectID
    /// An object of a source or a destination store.
    case object(entity: String, ModelSide)
    /// The value of a composite attribute.
    case composite(String, ModelSide)
    case dictionary
    case collection(CollectionKind, of: Kind)
    case migrationManager
    case entityPolicy
    case entityMapping
    case propertyMapping
    case objectContext
    /// A fetch request for objects of an entity, if the entity is known.
    case fetchRequest(entity: String?)
    case entityDescription
    /// Values of unrelated kinds.
    case mixed
    /// Unknown: the value comes from code, or from a mistake that is already reported.
    case any
  }

  /// The kind of collection.
  package enum CollectionKind: Hashable, Sendable {
    case array
    case set
    case orderedSet
  }

  /// The store that an object is in.
  package enum ModelSide: Hashable, Sendable {
    case source
    case destination
  }

  package var kind: Kind
  /// True if the value can be nil.
  package var isNullable: Bool

  /// Creates a type.
  package init(_ kind: Kind, isNullable: Bool = false) {
    self.kind = kind
    self.isNullable = isNullable
  }

  static let unknown = ExpressionType(.any, isNullable: true)
}

extension ExpressionType: CustomStringConvertible {
  /// The name in messages, with an article.
  package var description: String { kind.description }
}
