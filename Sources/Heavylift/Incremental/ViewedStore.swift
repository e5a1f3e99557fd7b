import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// The result of a fused hop, as views over its source that the next hop reads.
final class ViewedStore {
  /// The reason a hop's store is written after all.
  struct Refusal: Error { var reason: String }

  /// The facts about the objects of one entity, not including sub-entities.
  struct EntityFacts {
    var keys = KeySet()
    /// The attributes that SQL computes. All others are copied, and the hop that copies them checks their values.
    var computed: Set<String> = []
    /// The attributes that are not columns of the first source.
    var costly: Set<String> = []
    /// The attributes that have a value in every object.
    var certain: Set<String>
    /// The attributes whose evaluation can fail.
    var fallible: Set<String> = []
  }

  /// Above this number of evaluations of a value, evaluating it again for each use costs more than writing a row.
  private static let mostRepetitions = 24

  let store: PersistentStore
  /// The facts about each entity for which an entity mapping creates objects.
  let facts: [String: EntityFacts]
  /// The highest key ever assigned in each entity hierarchy.
  let highestKeys: [String: Int64]
  /// True if values of this or an earlier hop are computed from other objects.
  let readsOtherRows: Bool
  /// The keys of the source objects from which each entity mapping creates objects, by the mapping's index.
  let migratedKeys: [Int: KeySet]
  /// The account of the links of the hop's source, available after `accountForLinks`.
  private(set) var links: [MigrationReport.Links] = []
  private let stores: MappedStores
  private let sourceCounts: [String: Int]
  private let views: StoreViews
  private let transfers: [Int: RowTransfer]
  private let functions: [(Database) throws -> Void]
  private let repetition: Int

  /// The index of the hop among the fused ones.
  var level: Int { stores.level }
  /// The number of objects of each entity.
  var counts: [String: Int] { facts.mapValues(\.keys.count).filter { $0.value > 0 } }

  init(
    _ hop: PreparedHop, over source: PersistentStore, options: PersistentStore.CreationOptions
  ) throws {
    let stores = hop.stores
    (self.stores, sourceCounts) = (stores, hop.survey.counts)
    var views = StoreViews(number: stores.level, layout: stores.destination.layout)
    var (transfers, migratedKeys): ([Int: RowTransfer], [Int: KeySet]) = ([:], [:])
    try source.registerStoredForm()
    for mappingIndex in hop.plan.steps.indices where hop.plan.steps[mappingIndex].rows.isSQL {
      try hop.manager.cancellation.check()
      guard let transfer = try hop.prepared.statement(of: mappingIndex) else {
        throw Refusal(
          reason: "there is no statement for the rows of entity mapping '\(hop.plan.steps[mappingIndex].name)'")
      }
      try source.register(transfer)
      transfers[mappingIndex] = transfer
      migratedKeys[mappingIndex] = hop.survey.knownKeys(mappingIndex)
    }
    let functions = Self.functions(hop, migratedKeys)
    for function in functions { try function(source.database) }
    var (repetition, facts): (Int, [String: EntityFacts]) = (1, [:])
    for (mappingIndex, transfer) in transfers.sorted(by: { $0.key < $1.key }) {
      let (mapping, step) = (stores.mappings[mappingIndex], hop.plan.steps[mappingIndex])
      guard let entity = mapping.destinationEntityName, let offset = step.keyOffset,
        let table = stores.destination.layout.entity(named: entity)?.tableName,
        let columns = stores.destination.layout.tables.first(where: { $0.name == table })?.columns
      else {
        throw Refusal(
          reason: "entity mapping '\(step.name)' has no destination table, or its keys cannot be computed")
      }
      if stores.viewed != nil, !transfer.readsRowAlone {
        throw Refusal(reason: "entity mapping '\(step.name)' reads other objects")
      }
      repetition = max(repetition, transfer.repetition * (stores.viewed?.repetition ?? 1))
      let types = try source.declaredTypes(ofEntity: mapping.sourceEntityName ?? "")
      guard
        let rows = try transfer.selection(columns: columns, sourceTypes: types, offset: offset, on: source.database)
      else {
        throw Refusal(
          reason: "entity mapping '\(step.name)' has a constant that SQL cannot represent exactly, or creates files")
      }
      let oldTable = stores.source.layout.entity(named: mapping.sourceEntityName)?.tableName ?? ""
      views.add(rows, to: table, keepsKeys: offset == 0 && source.findsRowsByKey(in: oldTable))
      facts[entity, default: EntityFacts(certain: transfer.certain)].add(
        transfer, migratedKeys[mappingIndex] ?? KeySet(), offset: offset,
        costly: stores.viewed?.facts[mapping.sourceEntityName ?? ""]?.costly ?? [])
    }
    guard repetition <= Self.mostRepetitions else { throw Refusal(reason: "its values would be computed too often") }
    try Self.addJoins(hop, source, to: &views)
    var highestKeys: [String: Int64] = [:]
    for entity in stores.destination.layout.entities where entity.superNumber == 0 {
      let names = stores.destination.layout.entities.filter { $0.rootNumber == entity.number }.map(\.name)
      let highest = names.compactMap { facts[$0]?.keys.greatest }.max() ?? 0
      highestKeys[entity.name] = max(stores.keys.reservedKeys[entity.name] ?? 0, highest)
    }
    (self.views, self.transfers, self.functions, self.repetition) = (views, transfers, functions, repetition)
    (self.facts, self.highestKeys, self.migratedKeys) = (facts, highestKeys, migratedKeys)
    readsOtherRows =
      transfers.values.contains { !$0.readsRowAlone } || stores.viewed?.readsOtherRows ?? false
    store = try source.viewed(through: views, model: hop.manager.destinationModel, options: options)
  }

  /// Creates the views, and the views that they read, on a connection to which the first source is attached.
  func install(on destination: PersistentStore) throws {
    try stores.viewed?.install(on: destination)
    try destination.registerStoredForm()
    for transfer in transfers.values { try destination.register(transfer) }
    for function in functions { try function(destination.database) }
    try views.create(on: destination.database)
  }

  func remove(from destination: PersistentStore) throws {
    try views.drop(on: destination.database)
    try stores.viewed?.remove(from: destination)
  }

  /// Accounts for the links of the hop's source, and of the sources of the hops before it.
  ///
  /// - Parameter isExact: True to read the links even if counts would be enough.
  func accountForLinks(isExact: Bool) throws -> LinkReconciliation.Account {
    let earlier = try stores.viewed?.accountForLinks(isExact: isExact)
    let reconciliation = LinkReconciliation(stores, counts: sourceCounts, keys: migratedKeys)
    var account = try reconciliation.account(known: earlier?.carried ?? [:], isExact: isExact)
    if earlier?.isDoubtful == true { account.isDoubtful = true }
    links = account.links
    return account
  }

  // MARK: Creating

  /// Returns closures that register the functions that the views' columns call to find an object's counterpart.
  private static func functions(_ hop: PreparedHop, _ keys: [Int: KeySet]) -> [(Database) throws -> Void] {
    func objects(_ mappingIndex: Int) -> LookedUpObjects {
      hop.stores.lookedUp(mappingIndex, among: keys[mappingIndex] ?? KeySet())
    }
    var functions: [(Database) throws -> Void] = []
    for (mappingIndex, step) in hop.plan.steps.enumerated() {
      for (index, link) in step.rowRelationships.enumerated() {
        let target = LinkFunctions.target(hop.stores.level, step: mappingIndex, link: index)
        let targets = link.targets.map(objects)
        functions.append { try $0.register(target, in: targets) }
      }
      for join in hop.prepared.joins(of: mappingIndex) {
        guard let test = join.test else { continue }
        let (owners, targets) = (objects(mappingIndex), objects(join.target))
        functions.append { try $0.register(linkTest: test, from: owners, to: targets) }
      }
    }
    return functions
  }

  private static func addJoins(_ hop: PreparedHop, _ source: PersistentStore, to views: inout StoreViews) throws {
    let layout = hop.stores.destination.layout
    for (mappingIndex, step) in hop.plan.steps.enumerated() {
      for join in hop.prepared.joins(of: mappingIndex) {
        guard let entity = step.sourceEntityName, let name = join.plan.source
        else { throw Refusal(reason: "relationship '\(join.plan.name)' has no source relationship") }
        guard try source.hasDistinctLinks(ofEntity: entity, relationship: name) else {
          throw Refusal(reason: "relationship '\(name)' may contain duplicate links")
        }
        guard let transfer = join.transfer else {
          throw Refusal(reason: "relationship '\(join.plan.name)' has no table of its own")
        }
        // The table's columns must be in the layout's order.
        let order = layout.joinTables.first { $0.name == transfer.table }?.columns.map(\.name)
        let rows = transfer.rows(
          where: join.test, ownerOffset: join.ownerOffset, targetOffset: join.targetOffset)
        views.add(
          order?.first == transfer.ownerColumn ? rows : "SELECT target, owner FROM (\(rows))", to: transfer.table)
      }
    }
  }
}

extension ViewedStore.EntityFacts {
  /// Adds the objects that one entity mapping creates.
  ///
  /// - Parameters:
  ///   - keys: The keys of their source objects.
  ///   - costly: The attributes of the source entity that are not columns of the first source.
  fileprivate mutating func add(_ transfer: RowTransfer, _ keys: KeySet, offset: Int64, costly: Set<String>) {
    self.keys.formUnion(keys, shiftedBy: offset)
    computed.formUnion(transfer.computed)
    self.costly.formUnion(transfer.calculated(from: costly))
    certain.formIntersection(transfer.certain)
    fallible.formUnion(transfer.fallible)
  }
}
