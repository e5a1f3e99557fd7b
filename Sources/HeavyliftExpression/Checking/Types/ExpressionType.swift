/// What is known of an expression's value before there is one.
///
/// ```swift
/// let checked = ExpressionChecker(environment).check(expression)
/// print(checked.type)  // a set of 'Book' objects
/// ```
public struct ExpressionType: Hashable, Sendable {
  /// What kind of value it is.
  public indirect enum Kind: Hashable, Sendable {
    /// Always nil.
    case null
    case boolean
    case integer
    case double
    case decimal
    /// A number, but not known of which of the three kinds.
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
    /// A composite attribute's value.
    case composite(String, ModelSide)
    case dictionary
    case collection(CollectionKind, of: Kind)
    case migrationManager
    case entityPolicy
    case entityMapping
    case propertyMapping
    case objectContext
    /// What fetches objects of an entity, if it is known of which.
    case fetchRequest(entity: String?)
    case entityDescription
    /// Values of kinds that have nothing to do with one another.
    case mixed
    /// Nothing is known: it comes from code, or from what is a mistake already.
    case any
  }

  /// How a collection holds its elements.
  public enum CollectionKind: Hashable, Sendable {
    case array
    case set
    case orderedSet
  }

  /// Which of the two stores an object is in.
  public enum ModelSide: Hashable, Sendable {
    case source
    case destination
  }

  public var kind: Kind
  /// Whether the value can be nil.
  public var isNullable: Bool

  /// Creates a type.
  public init(_ kind: Kind, isNullable: Bool = false) {
    self.kind = kind
    self.isNullable = isNullable
  }

  static let unknown = ExpressionType(.any, isNullable: true)
}

extension ExpressionType: CustomStringConvertible {
  /// As it stands in messages, with its article.
  public var description: String { kind.description }
}
