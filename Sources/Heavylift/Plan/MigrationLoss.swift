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

  /// The way in which a count is not exact.
  public enum Estimate: String, Hashable, Codable, Sendable, CaseIterable {
    /// The count is the most that can be lost: a later hop takes only some of the objects, or computes the values.
    case upTo = "up to"
    /// A policy or a handler of an earlier hop may change the number.
    case about
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
  /// The number of objects, values or links in the source; `nil` if a source expression decides which objects are
  /// migrated, or if the code of an earlier hop creates them.
  public var count: Int?
  /// The reason why the count is not exact; `nil` if it is. Only losses of later hops are estimated, from the values that
  /// the store has now.
  public var estimate: Estimate?

  /// Creates a loss.
  public init(
    entity: String, property: String? = nil, reason: MappingLoss.Reason, entityMappings: [String] = [], unit: Unit,
    count: Int?, estimate: Estimate? = nil
  ) {
    self.entity = entity
    self.property = property
    self.reason = reason
    self.entityMappings = entityMappings
    self.unit = unit
    self.count = count
    self.estimate = estimate
  }
}

extension MigrationLoss: CustomStringConvertible {
  /// One line: `4 values of 'room' of entity 'Lesson' are not migrated: the destination does not have it`.
  public var description: String {
    let thing = property.map { "'\($0)' of entity '\(entity)'" } ?? "entity '\(entity)'"
    let amount =
      (estimate.map { "\($0.rawValue) " } ?? "")
      + (count.map { $0 == 1 ? "1 \(unit.rawValue.dropLast())" : "\($0.grouped) \(unit.rawValue)" }
        ?? "\(unit.rawValue)")
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
