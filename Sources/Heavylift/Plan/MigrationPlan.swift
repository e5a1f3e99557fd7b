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
    public var stage: Int
    /// The source entity; `nil` if the mapping reads no source objects.
    public var sourceEntityName: String?
    /// The destination entity; `nil` if the mapping creates no objects.
    public var destinationEntityName: String?
    /// The policy's class name, as written in the mapping.
    public var policyClassName: String?
    /// The strategy for creating its objects in the first pass.
    public var rows = Strategy.nothing
    /// The reasons objects are created one by one, if they are.
    public var rowReasons: [Reason] = []
    /// The strategy for setting its relationships in the second pass.
    public var connections = Strategy.nothing
    /// The reasons relationships are set object by object, if they are.
    public var connectionReasons: [Reason] = []
    /// The relationships that SQL statements set, even if others are set object by object.
    public internal(set) var connectedBySQL: [String] = []
    /// The difference between the keys of a destination object and its source object; `nil` without a source or a
    /// destination.
    public var keyOffset: Int64?
    /// True if keys are kept regardless of the store's objects. A later hop of a chain is planned before its store
    /// exists and its keys are known, so an offset of 0 means nothing there.
    public internal(set) var alwaysKeepsKeys = false
    /// True if associations are recorded, because they cannot be derived from keys.
    public var recordsAssociations = false
    /// The number of source objects before any filter.
    public var sourceCount: Int?
    /// To-one relationships whose columns are written along with the row.
    var links: [LinkPlan] = []
    /// To-many relationships whose join table one statement fills.
    var joins: [LinkPlan] = []
    /// Relationships that statements set in the second pass.
    var connectionPlans: [ConnectionPlan] = []
  }

  /// The entity mappings in the order in which they run.
  public internal(set) var steps: [Step]
  /// Source data that is not migrated although no entity mapping removes it by name; sorted by entity and property.
  public internal(set) var losses: [MigrationLoss] = []
  /// Links of the source's one-to-one relationships whose ends contradict each other.
  var contradictoryLinks: [ContradictoryLinks] = []
  /// Links of the source's one-to-one relationships that lead nowhere, at the end at which links are not counted.
  var danglingBackLinks: [DanglingLinks] = []
  /// The size of the source file in bytes.
  public internal(set) var sourceBytes: Int64?
  /// The validation rules that are checked at the end, in words.
  public internal(set) var checks: [String]
  /// How keys are given.
  let keys: KeyPlan
  /// The steps whose keys are looked for before anything is written, by their places.
  var predictedSteps: Set<Int> = []
  /// The relationships that are written with the rows.
  var rowRelationships: [RowRelationship] = []
  /// True if code of the program may see relationships before their entity mapping sets them.
  var isWatched = false

  /// Whether any statement reads the source and writes the destination.
  var needsAttachment: Bool {
    steps.contains { $0.rows.isSQL || !$0.connectionPlans.isEmpty || !$0.joins.isEmpty }
  }

  /// Whether statements write everything, and look for nothing in the destination before all of it is there.
  var isStatementsAlone: Bool {
    steps.allSatisfy { $0.rows != .objects && $0.connections != .objects && $0.connectionPlans.isEmpty }
  }
}

/// A relationship that is written with the rows, as a whole.
struct RowRelationship: Hashable, Sendable {
  /// The entity mappings that create the objects at one end, by their places.
  struct Places: Hashable, Sendable {
    var all: Set<Int>
    /// Those that set the relationship at this end.
    var declaring: Set<Int>
  }

  /// One end, or two if the relationship has an inverse.
  var ends: [RelationshipEnd]
  var first: Places
  var second: Places
}

/// A relationship as a part of SQL statements.
struct LinkPlan: Hashable, Sendable {
  /// In the destination.
  var relationship: String
  /// In the source; nil for what came of the source object itself.
  var sourceRelationship: String?
  /// The places of the entity mappings through which it leads.
  var targets: [Int]
}

/// A relationship that statements set in the second pass, for all objects of an entity mapping.
struct ConnectionPlan: Hashable, Sendable {
  /// In the destination.
  var relationship: String
  /// In the source; nil for what came of the source object itself.
  var sourceRelationship: String?
  /// The places of the entity mappings through which it leads, in the order in which objects are looked for.
  var targets: [Int]
  /// Those among them whose objects' keys can follow from what the source relationship leads to.
  var keyedTargets: Set<Int>
  /// Whether its inverse is set for the same objects.
  var isMirrored: Bool
  /// Whether one object has one target at most, unless policies associated more.
  var leadsToOneAtMost: Bool
}
