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
  /// The keys of the source objects from which each entity mapping creates objects, by the mapping's index.
  let migratedKeys: [Int: KeySet]
  /// The account of the links of the hop's source, available after `accountForLinks`.
  private(set) var links: [MigrationReport.Links] = []
  private let planner: MigrationPlanner
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
    let planner = hop.planner
    self.planner = planner
    level = planner.level
    self.source = planner.viewed
    var (views, transfers) = (
      StoreViews(number: planner.level, layout: planner.destination.layout), [Int: RowTransfer]()
    )
    try source.registerStoredForm()
    // The keys of the source objects that are migrated, by the index of the entity mapping.
    var stepKeys: [Int: KeySet] = [:]
    for (place, step) in hop.plan.steps.enumerated() where step.rows.isSQL {
      try hop.checkCancellation()
      let (transfer, _) = try planner.transfer(
        for: planner.mappings[place], place, links: step.links)
      try source.register(transfer)
      transfers[place] = transfer
      stepKeys[place] = try planner.knownKeys(place) ?? Self.keys(of: transfer, in: source, hop)
    }
    migratedKeys = stepKeys
    let functions = Self.functions(hop, stepKeys)
    for function in functions { try function(source.database) }
    var repetition = 1
    var (made, highestGiven): ([String: KeySet], [String: Int64]) = ([:], [:])
    var (changed, mayFail): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
    var (calculated, given): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
    for (place, transfer) in transfers.sorted(by: { $0.key < $1.key }) {
      let (mapping, step) = (planner.mappings[place], hop.plan.steps[place])
      guard let entity = mapping.destinationEntityName, let offset = step.keyOffset,
        let table = planner.destination.layout.entity(named: entity)?.tableName,
        let columns = planner.destination.layout.tables.first(where: { $0.name == table })?.columns
      else {
        throw Refusal(
          reason: "entity mapping '\(step.name)' has no destination table, or its keys cannot be computed")
      }
      if planner.viewed != nil, !transfer.readsRowAlone {
        throw Refusal(reason: "entity mapping '\(step.name)' reads other objects")
      }
      repetition = max(repetition, transfer.repetition * (planner.viewed?.repetition ?? 1))
      let types = try source.declaredTypes(ofEntity: mapping.sourceEntityName ?? "")
      guard
        let rows = try transfer.selection(columns: columns, sourceTypes: types, offset: offset, on: source.database)
      else {
        throw Refusal(
          reason: "entity mapping '\(step.name)' has a constant that SQL cannot represent exactly, or creates files")
      }
      views.add(rows, to: table)
      changed[entity, default: []].formUnion(transfer.computed)
      mayFail[entity, default: []].formUnion(transfer.fallible)
      calculated[entity, default: []].formUnion(
        transfer.calculated(from: planner.viewed?.costly[mapping.sourceEntityName ?? ""] ?? []))
      given[entity] = given[entity]?.intersection(transfer.certain) ?? transfer.certain
      let shifted = (stepKeys[place] ?? KeySet()).shifted(by: offset)
      made[entity] = made[entity].map { $0.union(shifted) } ?? shifted
    }
    guard repetition <= Self.mostRepetitions else { throw Refusal(reason: "its values would be computed too often") }
    self.repetition = repetition
    try Self.addJoins(hop, source, to: &views)
    for entity in planner.destination.layout.entities where entity.superNumber == 0 {
      let names = planner.destination.layout.entities.filter { $0.rootNumber == entity.number }.map(\.name)
      let highest = names.compactMap { made[$0]?.highest }.max() ?? 0
      highestGiven[entity.name] = max(hop.plan.keys.reservedKeys[entity.name] ?? 0, highest)
    }
    (keys, highestKeys, computed, fallible) = (made, highestGiven, changed, mayFail)
    (costly, certain) = (calculated, given)
    self.views = views
    self.transfers = transfers
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
    var account = try LinkReconciliation(planner, keys: migratedKeys, isDeclarative: true)
      .account(known: earlier?.carried ?? [:], isExact: isExact)
    if earlier?.isDoubtful == true { account.isDoubtful = true }
    links = account.links
    return account
  }

  // MARK: Creating

  private static func keys(of transfer: RowTransfer, in store: PersistentStore, _ hop: PreparedHop) throws -> KeySet {
    var keys = KeySet()
    try store.forEachSourceKey(of: transfer) { key in
      guard keys.insert(key) else { throw Refusal(reason: "an object is read twice") }
      if keys.count % 1_024 == 0 { try hop.checkCancellation() }
    }
    return keys
  }

  /// Returns closures that register the functions that the views' columns call to find an object's counterpart.
  private static func functions(_ hop: PreparedHop, _ keys: [Int: KeySet]) -> [(Database) throws -> Void] {
    let (planner, level) = (hop.planner, hop.planner.level)
    func target(_ place: Int) -> LookedUpObjects {
      let entity = planner.mappings[place].destinationEntityName.flatMap(planner.destination.layout.entity(named:))
      return LookedUpObjects(
        keys: keys[place] ?? KeySet(), rule: KeyRule(offset: hop.plan.steps[place].keyOffset ?? 0),
        entity: entity?.number ?? 0)
    }
    var functions: [(Database) throws -> Void] = []
    for (place, step) in hop.plan.steps.enumerated() {
      for (index, link) in step.links.enumerated() {
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
  private static func joins(of step: MigrationPlan.Step) -> [(LinkPlan, Int)] {
    step.joins.flatMap { join in join.targets.map { (join, $0) } }
  }

  private static func addJoins(_ hop: PreparedHop, _ source: PersistentStore, to views: inout StoreViews) throws {
    let planner = hop.planner
    for (place, step) in hop.plan.steps.enumerated() {
      for (index, (join, target)) in joins(of: step).enumerated() {
        guard let old = step.sourceEntityName, let new = step.destinationEntityName, let name = join.sourceRelationship
        else { throw Refusal(reason: "relationship '\(join.relationship)' has no source relationship") }
        guard try source.hasDistinctLinks(ofEntity: old, relationship: name) else {
          throw Refusal(reason: "relationship '\(name)' may contain duplicate links")
        }
        guard
          let transfer = LinkTransfer(
            from: planner.source, entity: old, relationship: name, to: planner.destination, entity: new,
            relationship: join.relationship),
          let offset = step.keyOffset, let targetOffset = hop.plan.steps[target].keyOffset
        else { throw Refusal(reason: "relationship '\(join.relationship)' has no table of its own") }
        let test =
          planner.keepsLinks(through: target, from: place)
          ? nil : LinkFunctions.join(planner.level, step: place, join: index)
        // The table's columns must be in the layout's order.
        let order = planner.destination.layout.joinTables.first { $0.name == transfer.table }?.columns.map(\.name)
        let rows = transfer.rows(where: test, ownerOffset: offset, targetOffset: targetOffset)
        views.add(
          order?.first == transfer.ownerColumn ? rows : "SELECT target, owner FROM (\(rows))", to: transfer.table)
      }
    }
  }
}

extension KeySet {
  fileprivate var all: [Int64] { keys(after: .min, atMost: .max, pages: sortedPages) }

  /// The highest key.
  fileprivate var highest: Int64? {
    guard let page = sortedPages.last else { return nil }
    return keys(after: .min, atMost: .max, pages: [page]).last ?? all.last
  }

  /// Returns the keys of the objects' counterparts, which differ by a fixed offset.
  fileprivate func shifted(by offset: Int64) -> KeySet {
    guard offset != 0 else { return self }
    var shifted = KeySet()
    for key in all { shifted.insert(key + offset) }
    return shifted
  }

  fileprivate func union(_ other: KeySet) -> KeySet {
    var both = self
    for key in other.all { both.insert(key) }
    return both
  }
}
