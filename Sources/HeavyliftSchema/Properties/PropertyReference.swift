import Heavylift

/// The value of a property's `$` form: `track.$title`, and `\Track.$title` in key paths.
public protocol PropertyReference {
  /// The property's place among the wrappers of its object.
  var place: PropertyReferencePlace { get }
}

/// The object and the number of a property.
public struct PropertyReferencePlace {
  let record: EntityRecord
  let number: Int
}

/// A reference to an attribute: `\Track.$title`.
public struct AttributeReference<Value>: PropertyReference {
  public let place: PropertyReferencePlace
}

/// A reference to a relationship: `\Track.$artists`.
///
/// It also changes a to-many relationship target by target, without reading the others:
///
/// ```swift
/// album.$tracks.insert(track)
/// print(album.$tracks.count)
/// ```
public struct RelationshipReference<Value: RelationshipValue>: PropertyReference {
  public let place: PropertyReferencePlace

  /// The number of targets, counted without creating objects for them.
  public var count: Int {
    access(0) { object, name in
      if Value.relationshipForm.isToMany { return try object.count(forKey: name) }
      return try object.object(forKey: name) == nil ? 0 : 1
    }
  }

  /// Adds a target. In an ordered relationship, it comes last.
  ///
  /// - Parameter target: The new target.
  public func insert<Target>(_ target: Target) where Value == Set<Target> { add(target, at: nil) }

  /// Adds a target. In an ordered relationship, it comes last, or at the given position.
  ///
  /// - Parameters:
  ///   - target: The new target.
  ///   - position: The position in an ordered relationship.
  public func insert<Target>(_ target: Target, at position: Int? = nil) where Value == [Target] {
    add(target, at: position)
  }

  /// Adds a target. In an ordered relationship, it comes last, or at the given position.
  ///
  /// - Parameters:
  ///   - target: The new target.
  ///   - position: The position in an ordered relationship.
  public func insert<Target>(_ target: Target, at position: Int? = nil) where Value == [Target]? {
    add(target, at: position)
  }

  /// Removes a target.
  ///
  /// - Parameter target: The target to remove.
  public func remove<Target>(_ target: Target) where Value == Set<Target> { discard(target) }

  /// Removes a target.
  ///
  /// - Parameter target: The target to remove.
  public func remove<Target>(_ target: Target) where Value == [Target] { discard(target) }

  /// Removes a target.
  ///
  /// - Parameter target: The target to remove.
  public func remove<Target>(_ target: Target) where Value == [Target]? { discard(target) }

  private func add(_ target: Entity, at position: Int?) {
    access(()) { object, name in try object.add(target.managedObject, to: name, at: position) }
  }

  private func discard(_ target: Entity) {
    access(()) { object, name in try object.remove(target.managedObject, from: name) }
  }

  private func access<Result>(
    _ fallback: @autoclosure () -> Result, _ body: (ManagedObject, _ name: String) throws -> Result
  ) -> Result {
    guard let object = place.record.object, let binding = place.record.binding else { return fallback() }
    return place.record.keeping(fallback) { try body(object, binding.names[place.number]) }
  }
}
