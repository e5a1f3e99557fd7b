import Heavylift

/// A relationship of an entity class.
///
/// ```swift
/// @Relationship(deleteRule: .cascade, inverse: \Track.$album) var tracks: [Track]
/// @Relationship var album: Album?
/// @Relationship var tags: Set<Tag>
/// ```
///
/// `T?` is a to-one relationship, `Set<T>` and `[T]` are to-many ones, and `[T]` is ordered unless the schema has
/// SwiftData's profile. The inverse is stated at one end. If neither end states it, it is the only relationship that
/// leads back, if there is exactly one.
@propertyWrapper
public struct Relationship<Value: RelationshipValue>: WrappedProperty {
  private let record: EntityRecord
  let number: Int

  /// Creates a relationship without options.
  public init() { self.init(RelationshipParameters()) }

  /// Creates a relationship.
  ///
  /// - Parameters:
  ///   - name: The relationship's name, if it differs from that of the property.
  ///   - deleteRule: The effect of deleting the object on the targets.
  ///   - minimumModelCount: The minimum number of targets that a saved object must have.
  ///   - maximumModelCount: The maximum number of targets; 0 for no limit.
  ///   - originalName: The relationship's name in earlier versions.
  ///   - inverse: The relationship that leads back: `\Artist.$tracks`. State it at one end only, because Swift cannot
  ///     compile two key paths that refer to each other.
  ///   - inverseName: The name of the relationship that leads back, instead of a key path.
  ///   - hasInverse: False for a relationship without an inverse, although the schema has one that could be its inverse.
  ///   - isOptional: True or false to declare the relationship otherwise than its type; nil to follow the type.
  ///   - isOrdered: True or false to declare the order otherwise than the type; nil to follow the type.
  ///   - hashModifier: A text that changes the entity's version hash.
  ///   - userInfo: Further information, which is not interpreted.
  public init(
    _ name: String? = nil, deleteRule: DeleteRule = .nullify, minimumModelCount: Int = 0, maximumModelCount: Int = 0,
    originalName: String? = nil, inverse: @autoclosure @escaping @Sendable () -> AnyKeyPath? = nil,
    inverseName: String? = nil, hasInverse: Bool = true, isOptional: Bool? = nil, isOrdered: Bool? = nil,
    hashModifier: String? = nil, userInfo: [String: String] = [:]
  ) {
    self.init(
      RelationshipParameters(
        name: name, deleteRule: deleteRule, minimumCount: minimumModelCount, maximumCount: maximumModelCount,
        originalName: originalName, inverse: inverse, inverseName: inverseName, hasInverse: hasInverse,
        isOptional: isOptional, isOrdered: isOrdered, hashModifier: hashModifier, userInfo: userInfo))
  }

  /// Creates a relationship with an empty initial value, which is the value in a new object in any case.
  ///
  /// - Parameters:
  ///   - wrappedValue: Nil or an empty collection.
  ///   - name: The relationship's name, if it differs from that of the property.
  ///   - deleteRule: The effect of deleting the object on the targets.
  ///   - minimumModelCount: The minimum number of targets that a saved object must have.
  ///   - maximumModelCount: The maximum number of targets; 0 for no limit.
  ///   - originalName: The relationship's name in earlier versions.
  ///   - inverse: The relationship that leads back: `\Artist.$tracks`. State it at one end only, because Swift cannot
  ///     compile two key paths that refer to each other.
  ///   - inverseName: The name of the relationship that leads back, instead of a key path.
  ///   - hasInverse: False for a relationship without an inverse, although the schema has one that could be its inverse.
  ///   - isOptional: True or false to declare the relationship otherwise than its type; nil to follow the type.
  ///   - isOrdered: True or false to declare the order otherwise than the type; nil to follow the type.
  ///   - hashModifier: A text that changes the entity's version hash.
  ///   - userInfo: Further information, which is not interpreted.
  public init(
    wrappedValue: @autoclosure @escaping () -> Value,
    _ name: String? = nil, deleteRule: DeleteRule = .nullify, minimumModelCount: Int = 0, maximumModelCount: Int = 0,
    originalName: String? = nil, inverse: @autoclosure @escaping @Sendable () -> AnyKeyPath? = nil,
    inverseName: String? = nil, hasInverse: Bool = true, isOptional: Bool? = nil, isOrdered: Bool? = nil,
    hashModifier: String? = nil, userInfo: [String: String] = [:]
  ) {
    self.init(
      RelationshipParameters(
        name: name, deleteRule: deleteRule, minimumCount: minimumModelCount, maximumCount: maximumModelCount,
        originalName: originalName, inverse: inverse, inverseName: inverseName, hasInverse: hasInverse,
        isOptional: isOptional, isOrdered: isOrdered, hashModifier: hashModifier, userInfo: userInfo),
      initial: wrappedValue)
  }

  private init(_ parameters: RelationshipParameters, initial: (() -> Value)? = nil) {
    record = EntityConstruction.record()
    number = record.add(
      RelationshipDeclaration(
        parameters, form: Value.relationshipForm,
        hasInitialTargets: initial.map { !$0().relationshipTargets.isEmpty } ?? false))
  }

  /// The targets. If they cannot be read or set, the context's next save throws the reason.
  public var wrappedValue: Value {
    get {
      guard let object = record.object, let context = record.context, let slot = record.binding?.slots[number] else {
        record.noteRead(number)
        return Value.containing([])
      }
      return record.keeping({ Value.containing([]) }) {
        if Value.relationshipForm.isToMany {
          return Value.containing(try object.targets(at: slot).map { try context.entity(for: $0) })
        }
        return Value.containing(try object.target(at: slot).map { [try context.entity(for: $0)] } ?? [])
      }
    }
    nonmutating set {
      guard let object = record.object, let name = record.binding?.names[number] else { return }
      record.keeping({}) {
        let targets = newValue.relationshipTargets.map(\.managedObject)
        if Value.relationshipForm.isToMany { return try object.setObjects(targets, forKey: name) }
        try object.setObject(targets.first, forKey: name)
      }
    }
  }

  /// A reference to the relationship, for key paths such as `\Track.$artists`, and to change it target by target.
  public var projectedValue: RelationshipReference<Value> {
    RelationshipReference(place: PropertyReferencePlace(record: record, number: number))
  }
}
