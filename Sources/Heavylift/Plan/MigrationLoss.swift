public import HeavyliftMapping

/// A count of source data that a migration does not carry over: objects that Xcode's mapping model does not mention, or
/// values and links of properties that the destination does not have.
///
/// ```swift
/// for loss in try manager.plan(from: store, with: [mapping]).losses { print(loss) }
/// // 4 values of 'room' of entity 'Lesson' are not migrated: the destination does not have it
/// ```
public struct MigrationLoss: Hashable, Codable, Sendable {
  /// The unit of the count.
  public enum Unit: String, Hashable, Codable, Sendable, CaseIterable {
    /// Rows of an entity.
    case objects
    /// Attribute values that are not nil.
    case values
    /// Objects that a relationship points to.
    case links
  }

  /// The source entity, not including sub-entities.
  public var entity: String
  /// The attribute or relationship; `nil` for all objects of the entity.
  public var property: String?
  /// The reason the data is not migrated.
  public var reason: MappingLoss.Reason
  /// The entity mappings that take the objects but do not migrate the property, in order; empty if whole objects are
  /// lost.
  public var entityMappings: [String]
  /// The unit of `count`.
  public var unit: Unit
  /// The number of objects, values or links in the source; `nil` if the store does not exist yet, or if a source
  /// expression decides which objects are migrated.
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
      count.map { $0 == 1 ? "1 \(unit.rawValue.dropLast())" : "\($0.grouped) \(unit.rawValue)" } ?? "\(unit.rawValue)"
    let verb = count == 1 ? "is" : "are"
    return switch reason {
    case .unmentioned: "\(amount) of \(thing) \(verb) not migrated: no entity mapping mentions it"
    case .dropped: "\(amount) of \(thing) \(verb) not migrated: the mapping drops it"
    case .gone: "\(amount) of \(thing) \(verb) not migrated: the destination does not have it"
    case .unstored: "\(amount) of \(thing) \(verb) not migrated: the destination does not store it"
    case .leftToPolicy: "\(amount) of \(thing) \(verb) left to the policy: the destination has no such property"
    case .leftToFunction:
      "\(amount) of \(thing) \(verb) left to the function that gets the object: the destination has no such property"
    case .unread:
      "warning: \(amount) of \(thing) \(verb) not migrated: "
        + (entityMappings.count == 1
          ? "entity mapping \(entityMappings.quotedList) does not read it"
          : "entity mappings \(entityMappings.quotedList) do not read it")
    }
  }
}
