import HeavyliftModel
import HeavyliftSQLite

/// Views in place of the tables of a store that is never written.
package struct StoreViews {
  /// The prefix of each view's name.
  private static let prefix = "heavylift_view_"

  private let number: Int
  private let layout: PhysicalLayout
  /// The queries for the rows that each statement would have written, by table.
  private var queries: [String: [String]] = [:]
  /// The tables with a query that computes keys, so that SQLite would read all rows to find the one with a key.
  private var tablesWithNewKeys: Set<String> = []

  /// - Parameters:
  ///   - number: Distinguishes these views from others on the same connection.
  ///   - layout: The layout of the store that is not written.
  package init(number: Int, layout: PhysicalLayout) {
    self.number = number
    self.layout = layout
  }

  /// Adds a query's rows to the view for a table.
  ///
  /// - Parameter keepsKeys: True if each row has the key of the row that it is made from.
  package mutating func add(_ query: String, to table: String, keepsKeys: Bool = true) {
    queries[table, default: []].append(query)
    if !keepsKeys { tablesWithNewKeys.insert(name(of: table)) }
  }

  /// True if SQLite finds the row with a key without reading the others.
  func findsRowsByKey(inView view: String) -> Bool { !tablesWithNewKeys.contains(view) }

  /// Creates the views on the source's connection, or on one to which the source is attached.
  package func create(on database: Database) throws {
    for table in layout.tables + layout.joinTables {
      let names = table.columns.map { SQLName($0.name).description }
      let queries = queries[table.name] ?? []
      let rows =
        queries.isEmpty
        ? "SELECT \(names.map { _ in "NULL" }.joined(separator: ", ")) WHERE 0"
        : queries.joined(separator: " UNION ALL ")
      try database.execute(
        "CREATE TEMP VIEW \(SQLName(name(of: table.name))) (\(names.joined(separator: ", "))) AS \(rows)")
    }
  }

  package func drop(on database: Database) throws {
    for table in layout.tables + layout.joinTables {
      try database.execute("DROP VIEW IF EXISTS temp.\(SQLName(name(of: table.name)))")
    }
  }

  private func name(of table: String) -> String { "\(Self.prefix)\(number)_\(table)" }

  /// The layout with the names of the views instead of the tables.
  fileprivate var viewed: PhysicalLayout {
    var viewed = layout
    // Changing the entities in place would index them by name after each change.
    viewed.entities = layout.entities.map { entity in
      var entity = entity
      entity.tableName = name(of: entity.tableName)
      for place in entity.toOnes.indices {
        entity.toOnes[place].destinationTableName = name(of: entity.toOnes[place].destinationTableName)
      }
      for place in entity.ownerColumns.indices {
        entity.ownerColumns[place].destinationTableName = name(of: entity.ownerColumns[place].destinationTableName)
      }
      for place in entity.toManys.indices {
        entity.toManys[place].tableName = name(of: entity.toManys[place].tableName)
        entity.toManys[place].destinationTableName = name(of: entity.toManys[place].destinationTableName)
      }
      return entity
    }
    for index in viewed.tables.indices { viewed.tables[index].name = name(of: viewed.tables[index].name) }
    for index in viewed.joins.indices { viewed.joins[index].layout.name = name(of: viewed.joins[index].layout.name) }
    for index in viewed.indexes.indices { viewed.indexes[index].tableName = name(of: viewed.indexes[index].tableName) }
    return viewed
  }
}

extension PersistentStore {
  /// Returns the store that views on this store's connection represent.
  package func viewed(
    through views: StoreViews, model: ManagedObjectModel, options: CreationOptions
  ) throws -> PersistentStore {
    var metadata = StoreMetadata(
      model: model, entityNames: options.configuration.map(model.entityNames(of:)), identifier: options.identifier)
    metadata.values.merge(options.applicationValues) { own, _ in own }
    try reporting { try views.create(on: database) }
    return PersistentStore(
      viewing: self, through: views, model: model, configuration: options.configuration, layout: views.viewed,
      metadata: metadata)
  }

  /// Registers the function that views call in addition to those of expressions.
  package func registerStoredForm() throws {
    guard !registeredFunctions.contains(StoredForm.numberFunction) else { return }
    try StoredForm.register(on: database)
    _ = registeredFunctions.insert(StoredForm.numberFunction)
  }

  /// Returns the declared types of an entity's columns as they are in the store, which can differ from the layout's.
  package func declaredTypes(ofEntity name: String) throws -> [String: String] {
    guard let entity = layout.entity(named: name) else { return [:] }
    if isViewed {
      let columns = layout.tables.first { $0.name == entity.tableName }?.columns ?? []
      return Dictionary(columns.map { ($0.name, $0.declaredType) }, uniquingKeysWith: { first, _ in first })
    }
    let columns = try database.columns(of: entity.tableName)
    return Dictionary(columns.map { ($0.name.uppercased(), $0.declaredType) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns true if the keys of all links are integers and no link occurs twice.
  package func hasDistinctLinks(ofEntity name: String, relationship: String) throws -> Bool {
    guard !isViewed, let links = LinkTable(relationship, of: name, in: layout), links.present == nil
    else { return true }
    guard try links.isPrimaryKey(in: database) else { return false }
    let (owner, target) = (SQLName(links.owner), SQLName(links.target))
    return try database.firstValue(
      "SELECT 1 FROM \(SQLName(links.table)) WHERE typeof(\(owner)) <> 'integer' "
        + "OR typeof(\(target)) <> 'integer' LIMIT 1") == nil
  }
}
