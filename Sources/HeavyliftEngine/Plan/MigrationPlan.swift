import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// The plan of a migration, made before anything is changed.
///
/// ```swift
/// let plan = try manager.plan(from: store, with: [mapping])
/// print(plan)
/// for step in plan.steps where step.rows == .objects { print(step.name, step.rowReasons) }
/// ```
public struct MigrationPlan: Hashable, Sendable {
  /// The strategy for creating an entity mapping's objects, or for setting their relationships.
  public enum Strategy: String, Hashable, Sendable, CaseIterable {
    /// There is nothing to do.
    case nothing
    /// One SQL statement.
    case sql
    /// One SQL statement that calls the expression evaluator's functions.
    case sqlWithFunctions = "sql with functions"
    /// Object by object, with the policy if there is one.
    case objects
    /// Nothing is written: the table is taken over from a copy of the source's file, because its rows stay the same.
    case kept
  }

  /// The reason why part of an entity mapping runs object by object.
  public struct Reason: Hashable, Sendable, CustomStringConvertible {
    /// The destination property that causes it; `nil` if the whole entity mapping does.
    public var property: String?
    /// The reason in words.
    public var text: String

    /// Creates a reason.
    public init(_ text: String, property: String? = nil) {
      self.text = text
      self.property = property
    }

    /// The property and the reason.
    public var description: String { property.map { "'\($0)': \(text)" } ?? text }
  }

  /// The plan for one entity mapping.
  public struct Step: Hashable, Sendable {
    /// The entity mapping's name.
    public var name: String
    /// The index of its mapping model among those that run.
    public var modelIndex: Int
    /// The source entity; `nil` if the mapping reads no source objects.
    public var sourceEntityName: String?
    /// The destination entity; `nil` if the mapping creates no objects.
    public var destinationEntityName: String?
    /// The policy's class name, as written in the mapping.
    public var policyClassName: String?
    /// True if its policy may leave out objects, links and values of the source: the mapping or the policy says so.
    public internal(set) var intendsLosses = false
    /// The strategy for creating its objects in the first pass.
    public var rows = Strategy.nothing
    /// The reasons objects are created one by one; empty if they are not.
    public var rowReasons: [Reason] = []
    /// The difference between the keys of a destination object and its source object; `nil` without a source or a
    /// destination.
    public var keyOffset: Int64?
    /// True if keys are kept regardless of the store's objects. A later hop of a chain is planned before its store
    /// exists and its keys are known, so an offset of 0 alone does not guarantee this.
    public internal(set) var alwaysKeepsKeys = false
    /// True if associations are recorded, because they cannot be derived from keys.
    public var recordsAssociations = false
    /// The derived attributes that are the time of the migration in all new objects, because the mapping has no value for
    /// them.
    public internal(set) var timesOfMigration: [String] = []
    /// The number of source objects before any filter.
    public var sourceCount: Int?
    /// The number of source objects that the entity mapping migrates or removes; `nil` for all of them, or if it is not
    /// known in advance.
    public internal(set) var matchingCount: Int?
    /// How each relationship is set: first those that the entity mapping sets itself, in its order, then those whose
    /// links come from the other end.
    var relationshipPlans: [RelationshipPlan] = []
    /// The reason why all relationships are set object by object, even those that are written with the rows.
    var reasonToSetAllByObject: String?
  }

  /// The entity mappings in the order in which they run.
  public internal(set) var steps: [Step]
  /// Source data that is not migrated although no entity mapping removes it by name; sorted by entity and property.
  public package(set) var losses: [MigrationLoss] = []
  /// The size of the source file in bytes.
  public internal(set) var sourceBytes: Int64?
  /// The expressions that fail for some values, in the order in which they run. A value for which one fails stops the
  /// migration.
  public internal(set) var fallibleExpressions: [FallibleExpression] = []
  /// The values of the store that would stop the migration; `nil` if they were not checked.
  package var dataCheck: DataCheck?
  /// The validation rules that are checked at the end, in words.
  public var checks: [String] {
    ["mandatory values", "ranges, lengths and patterns", "dangling links", "minimum and maximum counts", "uniqueness"]
  }
  /// The tables that the destination takes over from a copy of the source's file; empty if it starts as a new file.
  var keptTables: [KeptTable] = []
  /// The relationships whose links do not depend on the order in which they are set.
  var rowRelationships: [RowRelationship] = []
  /// True if a policy, an expression or a trigger may see relationships before their entity mapping sets them.
  var isObserved = false

  /// A Boolean value that indicates whether the new store starts as a copy of the old store's file, because most tables
  /// stay the same.
  public var startsFromCopy: Bool { !keptTables.isEmpty }

  /// True if rows contain their links from the start: nothing can see a link before its turn, and statements write all
  /// rows, so it is known in advance which targets will exist. Otherwise, `DueLinks` writes the links.
  var writesLinksWithRows: Bool { !isObserved && steps.allSatisfy { $0.rows != .objects } }

  /// True if any statement reads the source while writing the destination, so the source must be attached.
  var needsAttachment: Bool { !rowRelationships.isEmpty || steps.contains { $0.rows.isSQL } }

  /// True if SQL statements write everything, and none of them reads the destination before it is complete.
  var isStatementsAlone: Bool {
    steps.allSatisfy { $0.rows != .objects && $0.relationships != .objects }
  }
}

extension MigrationPlan.Strategy {
  /// True for the strategies whose result is that of an SQL statement.
  var isSQL: Bool { self == .sql || self == .sqlWithFunctions || self == .kept }
}

/// Both ends of a relationship whose links do not depend on the order in which they are set: they are written with the
/// rows, or all together.
struct RowRelationship: Hashable, Sendable {
  /// The indexes of the entity mappings that create the objects at one end.
  struct Mappings: Hashable, Sendable {
    var all: Set<Int>
    /// The entity mappings that set the relationship from this end.
    var declaring: Set<Int>
  }

  /// One end; two if the relationship has an inverse.
  var ends: [RelationshipEnd]
  var first: Mappings
  var second: Mappings
  var isOwnInverse: Bool { ends.count == 2 && ends[0] == ends[1] }
}

extension MigrationPlan {
  /// One line for each entity mapping, with the reasons why it is not one statement, and one for each loss.
  ///
  /// - Parameter counts: True to say how many objects there are, which is known for the first hop of a chain.
  package func summary(counts: Bool) -> [String] {
    steps.flatMap { step -> [String] in
      let ways = Set([step.rows, step.relationships]).subtracting([.nothing])
      let way =
        ways.contains(.objects)
        ? "object by object" : ways == [.kept] ? "unchanged" : ways.isEmpty ? "nothing to do" : "by SQL"
      let count = counts ? step.matchingCount ?? step.sourceCount : nil
      let objects = count.map { ", \($0.grouped) \($0 == 1 ? "object" : "objects")" } ?? ""
      let reasons = (step.rowReasons + step.relationshipReasons).map { "  because of \($0)" }
      return ["\(step.name): \(way)\(objects)"] + reasons
    } + losses.map(\.description)
  }
}

extension MigrationPlan: CustomStringConvertible {
  /// The plan as text, with one line for each entity mapping and pass, and the reasons below.
  public var description: String {
    var lines: [String] = []
    for step in steps {
      let objects = step.sourceCount.map { ", \($0) \($0 == 1 ? "object" : "objects")" } ?? ""
      lines.append(
        "\(step.name): \(step.sourceEntityName ?? "nothing") -> \(step.destinationEntityName ?? "nothing")\(objects)")
      if let offset = step.keyOffset { lines.append("  keys: " + (offset == 0 ? "kept" : "source keys + \(offset)")) }
      lines.append("  rows: \(step.rows.rawValue)")
      lines += step.rowReasons.map { "    \($0)" }
      let others = step.relationships == .objects ? step.relationshipsBySQL : []
      lines.append(
        "  relationships: \(step.relationships.rawValue)"
          + (others.isEmpty ? "" : ", but sql for " + others.map { "'\($0)'" }.joined(separator: ", ")))
      lines += step.relationshipReasons.map { "    \($0)" }
      lines += step.timesOfMigration.map { "  '\($0)': the time of the migration" }
      if step.intendsLosses { lines.append("  drops what its policy neither migrates nor reads: losses are intended") }
      if step.recordsAssociations { lines.append("  records which new objects result from which old objects") }
    }
    if startsFromCopy { lines.append("the new store starts as a copy of the old one, without the tables that change") }
    lines += losses.map(\.description)
    lines += fallibleExpressions.map { "may fail: \($0)" }
    lines.append("checks: " + checks.joined(separator: ", "))
    if let sourceBytes { lines.append("source: \(sourceBytes) bytes") }
    return lines.joined(separator: "\n")
  }
}

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
  package var reason: MappingLoss.Reason
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
  package init(
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
