import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// The result of a fused hop, as views over its source that the next hop reads.
final class ViewedStore {
  /// The reason a hop's store is written after all.
  struct Refusal: Error { var reason: String }

  /// Above this number of evaluations of a value, evaluating it again for each use costs more than writing a row.
  private static let mostRepetitions = 24

  /// The index of the hop among the fused ones.
  let level: Int
  let store: PersistentStore
  /// The keys of each entity's objects, not including sub-entities.
  let keys: [String: KeySet]
  /// The highest key ever assigned in each entity hierarchy.
  let highestKeys: [String: Int64]
  /// For each entity, the attributes that SQL computes. All others are copied, and the hop that copies them checks
  /// their values.
  let computed: [String: Set<String>]
  /// For each entity, the attributes that are not columns of the first source.
  let costly: [String: Set<String>]
  /// For each entity, the attributes that have a value in every object.
  let certain: [String: Set<String>]
  /// For each entity, the attributes whose evaluation can fail.
  let fallible: [String: Set<String>]
  /// True if values of this or an earlier hop are computed from other objects.
  let readsOtherRows: Bool
  /// The keys of the source objects from which each entity mapping creates objects, by the mapping's index.
  let migratedKeys: [Int: KeySet]
  /// The account of the links of the hop's source, available after `accountForLinks`.
  private(set) var links: [MigrationReport.Links] = []
  private let stores: MappedStores
  private let sourceCounts: [String: Int]
  private let source: ViewedStore?
  private let views: StoreViews
  private let transfers: [Int: RowTransfer]
  private let functions: [(Database) throws -> Void]
  private let repetition: Int

  /// The number of objects of each entity.
  var counts: [String: Int] { keys.mapValues(\.count).filter { $0.value > 0 } }

  init(
    _ hop: PreparedHop, over source: PersistentStore, options: PersistentStore.CreationOptions
  ) throws {
    let stores = hop.stores
    (self.stores, sourceCounts) = (stores, hop.survey.counts)
    level = stores.level
    self.source = stores.viewed
    var (views, transfers) = (
      StoreViews(number: stores.level, layout: stores.destination.layout), [Int: RowTransfer]()
    )
    try source.registerStoredForm()
    // The keys of the source objects that are migrated, by the index of the entity mapping.
    var stepKeys: [Int: KeySet] = [:]
    for place in hop.plan.steps.indices where hop.plan.steps[place].rows.isSQL {
      try hop.manager.cancellation.check()
      guard let transfer = try hop.prepared.statement(of: place) else {
        throw Refusal(reason: "there is no statement for the rows of entity mapping '\(hop.plan.steps[place].name)'")
      }
      try source.register(transfer)
      transfers[place] = transfer
      stepKeys[place] = hop.survey.knownKeys(place)
    }
    migratedKeys = stepKeys
    let functions = Self.functions(hop, stepKeys)
    for function in functions { try function(source.database) }
    var repetition = 1
    var (made, highestGiven): ([String: KeySet], [String: Int64]) = ([:], [:])
    var (changed, mayFail): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
    var (calculated, given): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
    for (place, transfer) in transfers.sorted(by: { $0.key < $1.key }) {
      let (mapping, step) = (stores.mappings[place], hop.plan.steps[place])
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
      let oldTable = mapping.sourceEntityName.flatMap(stores.source.layout.entity(named:))?.tableName ?? ""
      views.add(rows, to: table, keepsKeys: offset == 0 && source.findsRowsByKey(in: oldTable))
      changed[entity, default: []].formUnion(transfer.computed)
      mayFail[entity, default: []].formUnion(transfer.fallible)
      calculated[entity, default: []].formUnion(
        transfer.calculated(from: stores.viewed?.costly[mapping.sourceEntityName ?? ""] ?? []))
      given[entity] = given[entity]?.intersection(transfer.certain) ?? transfer.certain
      made[entity, default: KeySet()].formUnion(stepKeys[place] ?? KeySet(), shiftedBy: offset)
    }
    guard repetition <= Self.mostRepetitions else { throw Refusal(reason: "its values would be computed too often") }
    self.repetition = repetition
    try Self.addJoins(hop, source, to: &views)
    for entity in stores.destination.layout.entities where entity.superNumber == 0 {
      let names = stores.destination.layout.entities.filter { $0.rootNumber == entity.number }.map(\.name)
      let highest = names.compactMap { made[$0]?.greatest }.max() ?? 0
      highestGiven[entity.name] = max(hop.stores.keys.reservedKeys[entity.name] ?? 0, highest)
    }
    (keys, highestKeys, computed, fallible) = (made, highestGiven, changed, mayFail)
    (costly, certain) = (calculated, given)
    self.views = views
    self.transfers = transfers
    readsOtherRows =
      transfers.values.contains { !$0.readsRowAlone } || stores.viewed?.readsOtherRows ?? false
    self.functions = functions
    store = try source.viewed(through: views, model: hop.manager.destinationModel, options: options)
  }

  /// Creates the views, and the views that they read, on a connection to which the first source is attached.
  func install(on destination: PersistentStore) throws {
    try source?.install(on: destination)
    try destination.registerStoredForm()
    for transfer in transfers.values { try destination.register(transfer) }
    for function in functions { try function(destination.database) }
    try views.create(on: destination.database)
  }

  func remove(from destination: PersistentStore) throws {
    try views.drop(on: destination.database)
    try source?.remove(from: destination)
  }

  /// Accounts for the links of the hop's source, and of the sources of the hops before it.
  ///
  /// - Parameter isExact: True to read the links even if counts would be enough.
  func accountForLinks(isExact: Bool) throws -> LinkReconciliation.Account {
    let earlier = try source?.accountForLinks(isExact: isExact)
    let reconciliation = LinkReconciliation(stores, counts: sourceCounts, keys: migratedKeys, followsMappings: true)
    var account = try reconciliation.account(known: earlier?.carried ?? [:], isExact: isExact)
    if earlier?.isDoubtful == true { account.isDoubtful = true }
    links = account.links
    return account
  }

  // MARK: Creating

  /// Returns closures that register the functions that the views' columns call to find an object's counterpart.
  private static func functions(_ hop: PreparedHop, _ keys: [Int: KeySet]) -> [(Database) throws -> Void] {
    let (stores, level) = (hop.stores, hop.stores.level)
    func target(_ place: Int) -> LookedUpObjects {
      let entity = stores.mappings[place].destinationEntityName.flatMap(stores.destination.layout.entity(named:))
      return LookedUpObjects(
        keys: keys[place] ?? KeySet(), rule: KeyRule(offset: hop.plan.steps[place].keyOffset ?? 0),
        entity: entity?.number ?? 0)
    }
    var functions: [(Database) throws -> Void] = []
    for (place, step) in hop.plan.steps.enumerated() {
      for (index, link) in step.rowRelationships.enumerated() {
        let targets = link.targets.map(target)
        functions.append {
          try $0.register(keyLookUp: LinkFunctions.key(level, step: place, link: index), in: targets)
          try $0.register(entityLookUp: LinkFunctions.entity(level, step: place, link: index), in: targets)
        }
      }
      for (index, (_, join)) in joins(of: step).enumerated() {
        let (owners, targets) = (target(place), target(join))
        functions.append {
          try $0.register(
            linkTest: LinkFunctions.join(level, step: place, join: index), from: owners, to: targets)
        }
      }
    }
    return functions
  }

  /// Returns each relationship that uses a join table, once for each entity mapping of its targets, with that mapping's
  /// index.
  private static func joins(of step: MigrationPlan.Step) -> [(RelationshipPlan, Int)] {
    step.joins.flatMap { join in join.targets.map { (join, $0) } }
  }

  private static func addJoins(_ hop: PreparedHop, _ source: PersistentStore, to views: inout StoreViews) throws {
    let stores = hop.stores
    for (place, step) in hop.plan.steps.enumerated() {
      for (index, (join, target)) in joins(of: step).enumerated() {
        guard let old = step.sourceEntityName, let new = step.destinationEntityName, let name = join.source
        else { throw Refusal(reason: "relationship '\(join.name)' has no source relationship") }
        guard try source.hasDistinctLinks(ofEntity: old, relationship: name) else {
          throw Refusal(reason: "relationship '\(name)' may contain duplicate links")
        }
        guard
          let transfer = LinkTransfer(
            from: stores.source, entity: old, relationship: name, to: stores.destination, entity: new,
            relationship: join.name),
          let offset = step.keyOffset, let targetOffset = hop.plan.steps[target].keyOffset
        else { throw Refusal(reason: "relationship '\(join.name)' has no table of its own") }
        let test =
          hop.prepared.keepsLinks(through: target, from: place)
          ? nil : LinkFunctions.join(stores.level, step: place, join: index)
        // The table's columns must be in the layout's order.
        let order = stores.destination.layout.joinTables.first { $0.name == transfer.table }?.columns.map(\.name)
        let rows = transfer.rows(where: test, ownerOffset: offset, targetOffset: targetOffset)
        views.add(
          order?.first == transfer.ownerColumn ? rows : "SELECT target, owner FROM (\(rows))", to: transfer.table)
      }
    }
  }
}
