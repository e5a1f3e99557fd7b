/// The type of a relationship: `T?` for a to-one, `Set<T>`, `[T]` or `[T]?` for a to-many, where `T` is an entity class.
public protocol RelationshipValue {
  /// The kind of relationship that the type describes.
  static var relationshipForm: RelationshipForm { get }
  /// Returns a value with the given targets.
  static func containing(_ targets: [Entity]) -> Self
  /// The targets.
  var relationshipTargets: [Entity] { get }
}

/// A type that is a relationship's type if it is optional: an entity class, or an array of its instances.
public protocol OptionalRelationshipValue {
  /// The kind of relationship that an optional of the type describes.
  static var optionalRelationshipForm: RelationshipForm { get }
  /// Returns a value with the given targets.
  static func optionalContaining(_ targets: [Entity]) -> Self?
  /// The targets.
  var relationshipTargets: [Entity] { get }
}

/// The facts about a relationship that its type states.
public struct RelationshipForm: Sendable {
  enum Container: Hashable, Sendable {
    case object, set, array
  }

  let destination: Entity.Type
  let container: Container
  let isOptional: Bool

  var isToMany: Bool { container != .object }
}

extension Set: RelationshipValue where Element: Entity {
  public static var relationshipForm: RelationshipForm {
    RelationshipForm(destination: Element.self, container: .set, isOptional: false)
  }

  public static func containing(_ targets: [Entity]) -> Set {
    var set = Set(minimumCapacity: targets.count)
    for target in targets { if let target = target as? Element { set.insert(target) } }
    return set
  }

  public var relationshipTargets: [Entity] { Array(self) }
}

extension Array: RelationshipValue where Element: Entity {
  public static var relationshipForm: RelationshipForm {
    RelationshipForm(destination: Element.self, container: .array, isOptional: false)
  }

  public static func containing(_ targets: [Entity]) -> [Element] { targets.compactMap { $0 as? Element } }
  public var relationshipTargets: [Entity] { self }
}

extension Optional: RelationshipValue where Wrapped: OptionalRelationshipValue {
  public static var relationshipForm: RelationshipForm { Wrapped.optionalRelationshipForm }
  public static func containing(_ targets: [Entity]) -> Wrapped? { Wrapped.optionalContaining(targets) }
  public var relationshipTargets: [Entity] { self?.relationshipTargets ?? [] }
}

extension Array: OptionalRelationshipValue where Element: Entity {
  public static var optionalRelationshipForm: RelationshipForm {
    RelationshipForm(destination: Element.self, container: .array, isOptional: true)
  }

  /// Never nil: a store cannot distinguish a relationship without a value from one without targets.
  public static func optionalContaining(_ targets: [Entity]) -> [Element]? { containing(targets) }
}

extension Entity: OptionalRelationshipValue {
  public static var optionalRelationshipForm: RelationshipForm {
    RelationshipForm(destination: self, container: .object, isOptional: true)
  }

  public static func optionalContaining(_ targets: [Entity]) -> Self? { targets.first as? Self }
  public var relationshipTargets: [Entity] { [self] }
}
