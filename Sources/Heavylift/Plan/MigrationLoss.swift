public import HeavyliftMapping

/// Data of the source that a migration does not carry over, counted: objects that Xcode's mapping model does not mention, values
/// and links of properties that the destination does not have.
///
/// ```swift
/// for loss in try manager.plan(from: store, with: [mapping]).losses { print(loss) }
/// // 4 values of 'room' of entity 'Lesson' are not migrated: the destination does not have it
/// ```
public struct MigrationLoss: Hashable, Sendable {
  /// The kind of data that is counted.
  public enum Unit: String, Hashable, Sendable, CaseIterable {
    /// Rows of an entity.
    case objects
    /// Attribute values that are not nil.
    case values
    /// Objects that a relationship leads to.
    case links
  }

  /// The source entity, sub-entities not included.
  public var entity: String
  /// The attribute or relationship; nil for all objects of the entity.
  public var property: String?
  /// Why it is not migrated.
  public var reason: MappingLoss.Reason
  /// The entity mappings that take the objects and do not migrate the property, in their order; none for all objects.
  public var entityMappings: [String]
  /// The kind of data that `count` counts.
  public var unit: Unit
  /// How many there are in the source; nil if there is no store to count them in yet.
  public var count: Int?

  /// Creates a loss.
  public init(
    entity: String, property: String? = nil, reason: MappingLoss.Reason, entityMappings: [String] = [], unit: Unit,
    count: Int?
  ) {
    self.entity = entity
    self.property = property
    self.reason = reason
    self.entityMappings = entityMappings
    self.unit = unit
    self.count = count
  }
}

extension MigrationLoss: CustomStringConvertible {
  /// One line: `4 values of 'room' of entity 'Lesson' are not migrated: the destination does not have it`.
  public var description: String {
    let thing = property.map { "'\($0)' of entity '\(entity)'" } ?? "entity '\(entity)'"
    let amount =
      count.map { $0 == 1 ? "1 \(unit.rawValue.dropLast())" : "\($0) \(unit.rawValue)" } ?? "\(unit.rawValue)"
    let verb = count == 1 ? "is" : "are"
    return switch reason {
    case .unmentioned: "\(amount) of \(thing) \(verb) not migrated: no entity mapping mentions it"
    case .dropped: "\(amount) of \(thing) \(verb) not migrated: the mapping drops it"
    case .gone: "\(amount) of \(thing) \(verb) not migrated: the destination does not have it"
    case .leftToPolicy: "\(amount) of \(thing) \(verb) left to the policy: the destination does not have it"
    case .unread:
      "warning: \(amount) of \(thing) \(verb) not migrated: "
        + (entityMappings.count == 1
          ? "entity mapping \(entityMappings.quotedList) does not read it"
          : "entity mappings \(entityMappings.quotedList) do not read it")
    }
  }
}
