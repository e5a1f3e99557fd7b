import HeavyliftModel

/// How a store lays out the objects of a model: Core Data's tables, columns, join tables and indexes.
///
/// ```swift
/// let layout = try PhysicalLayout(model: model)
/// for table in layout.tables { print(table.sql) }
/// ```
///
/// Every rule was read off public stores; the ones that no store confirmed are marked where they stand.
public struct PhysicalLayout: Hashable, Sendable {
  /// In order of their numbers.
  public var entities: [EntityLayout] = [] {
    didSet {
      places = Dictionary(zip(entities.map(\.name), entities.indices), uniquingKeysWith: { first, _ in first })
    }
  }
  /// Places of entities by name.
  private var places: [String: Int] = [:]
  /// A table a hierarchy, in order of the root entities' numbers.
  public var tables: [TableLayout] = []
  /// The tables of many-to-many relationships.
  public var joinTables: [TableLayout] { joins.map(\.layout) }
  var joins: [JoinTable] = []
  public var indexes: [IndexLayout] = []
  public var triggers: [TriggerLayout] = []
  /// Parts of the model that the layout leaves out, each with its reason.
  public var omissions: [Diagnostic] = []
  /// Names of join tables and columns that do not follow from the model, each with its reason.
  ///
  /// Core Data decides them by an order of relationships that is not known. The names that a new store gets here may
  /// differ from those that Core Data would give it; existing stores are read with the names that they have.
  public var assumptions: [Diagnostic] = []

  /// The entity's layout.
  public func entity(named name: String) -> EntityLayout? { places[name].map { entities[$0] } }

  /// Lays out a model.
  ///
  /// - Parameters:
  ///   - model: A model without errors; a relationship that leads nowhere is left out and told in `omissions`.
  ///   - numbers: The numbers that an existing store uses; those of a new store if nil.
  public init(model: ManagedObjectModel, numbers: EntityNumbers? = nil) {
    self.init(model: model, numbers: numbers, choices: JoinTableChoices())
  }

  /// Lays out a model, and settles what the model leaves open as another store has.
  package init(model: ManagedObjectModel, numbers: EntityNumbers? = nil, choices: JoinTableChoices) {
    let numbers = numbers ?? EntityNumbers(model: model)
    var builder = LayoutBuilder(model: model, numbers: numbers, choices: choices)
    self = builder.build()
  }

  init() {}
}
