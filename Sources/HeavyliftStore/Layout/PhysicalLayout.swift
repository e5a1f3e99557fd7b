import HeavyliftModel

/// The layout of a model's objects in a store: Core Data's tables, columns, join tables and indexes.
///
/// ```swift
/// let layout = try PhysicalLayout(model: model)
/// for table in layout.tables { print(table.sql) }
/// ```
///
/// The rules were derived from public stores; those that no store confirms are marked in the code.
public struct PhysicalLayout: Hashable, Sendable {
  /// The entities, sorted by number.
  public var entities: [EntityLayout] = [] {
    didSet {
      places = Dictionary(zip(entities.map(\.name), entities.indices), uniquingKeysWith: { first, _ in first })
    }
  }
  /// Positions in `entities`, by entity name.
  private var places: [String: Int] = [:]
  /// One table per hierarchy, sorted by the root entities' numbers.
  public var tables: [TableLayout] = []
  /// The tables of many-to-many relationships.
  public var joinTables: [TableLayout] { joins.map(\.layout) }
  var joins: [JoinTable] = []
  /// The indexes of relationships, constraints and the model's fetch indexes.
  public var indexes: [IndexLayout] = []
  /// The triggers that maintain derived attributes.
  public var triggers: [TriggerLayout] = []
  /// Parts of the model that the layout omits, each with the reason.
  public var omissions: [Diagnostic] = []
  /// Names of join tables and columns that do not follow from the model, each with the reason.
  ///
  /// Core Data derives them from an unknown order of relationships. A new store's names may differ from those that
  /// Core Data would use; existing stores are read with the names that they have.
  public var assumptions: [Diagnostic] = []

  /// Returns the entity's layout.
  public func entity(named name: String) -> EntityLayout? { places[name].map { entities[$0] } }

  /// Returns the layout of the entity of that name; nil without a name.
  package func entity(named name: String?) -> EntityLayout? {
    guard let name else { return nil }
    return entity(named: name)
  }

  /// Returns SQL for the entity number of a row in a table of entities.
  func numberSQL(inTable table: String, _ alias: String? = nil) -> String {
    entities.first { $0.tableName == table }?.numberSQL(alias) ?? alias.map { "\($0).Z_ENT" } ?? "Z_ENT"
  }

  /// Creates the layout of a model.
  ///
  /// - Parameters:
  ///   - model: A model without errors; a relationship without a destination is skipped and listed in `omissions`.
  ///   - numbers: The numbers of an existing store; nil for those of a new store.
  public init(model: ManagedObjectModel, numbers: EntityNumbers? = nil) {
    self.init(model: model, numbers: numbers, choices: JoinTableChoices())
  }

  /// Creates the layout of a model. `choices` decides where the model leaves a choice.
  package init(model: ManagedObjectModel, numbers: EntityNumbers? = nil, choices: JoinTableChoices) {
    let choice = Choice(numbers: numbers ?? EntityNumbers(model: model), joinTables: choices)
    self = model.remembered(choice) {
      var builder = LayoutBuilder(model: model, numbers: choice.numbers, choices: choice.joinTables)
      return builder.build()
    }
  }

  /// The facts that the model alone does not decide.
  private struct Choice: Hashable {
    var numbers: EntityNumbers
    var joinTables: JoinTableChoices
  }

  init() {}
}
