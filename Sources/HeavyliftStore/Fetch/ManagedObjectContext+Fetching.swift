import HeavyliftModel
import HeavyliftSQLite

extension ManagedObjectContext {
  /// Returns the objects that match a request, in the request's sort order.
  public func fetch(_ request: FetchRequest) throws -> [ManagedObject] {
    let entity = try runtime(of: request.entityName)
    store.handledProperties?.note(request, of: entity)
    if isBulkLoading { try prepareForFetching(request, entity) }
    let predicate = try FetchPredicate(resolvingObjects(of: request), in: store)
    let hasPending = request.includesPendingChanges && hasPendingChanges(in: entity)
    // SQLite does not see unsaved changes.
    let test = hasPending ? predicate?.wholeTest : predicate?.remainingTest
    let isLimitedByStore = !hasPending && request.filter == nil && test == nil
    let plan = try FetchPlan(
      request, in: store, entity: entity, condition: hasPending ? nil : predicate?.pushed,
      keysOnly: request.fetchBatchSize > 0, limited: isLimitedByStore)
    var objects: [ManagedObject] = []
    try forEachRow(of: plan, batchSize: request.fetchBatchSize) { object in objects.append(object) }
    if hasPending { objects = try applyingPendingChanges(to: objects, plan) }
    if let test { objects = try objects.filter(test) }
    if let filter = request.filter { objects = try objects.filter(filter) }
    if !isLimitedByStore {
      objects = Array(objects.dropFirst(max(0, request.fetchOffset)))
      if request.fetchLimit > 0 { objects = Array(objects.prefix(request.fetchLimit)) }
    }
    return objects
  }

  /// Returns the number of objects that match a request.
  public func count(for request: FetchRequest) throws -> Int {
    let entity = try runtime(of: request.entityName)
    store.handledProperties?.note(request, of: entity)
    if isBulkLoading { try prepareForFetching(request, entity) }
    let predicate = try FetchPredicate(resolvingObjects(of: request), in: store)
    guard request.filter == nil, predicate?.rest == nil,
      !request.includesPendingChanges || !hasPendingChanges(in: entity)
    else {
      var counted = request
      counted.fetchBatchSize = 256
      return try fetch(counted).count
    }
    let plan = try FetchPlan(
      request, in: store, entity: entity, condition: predicate?.pushed, keysOnly: true, limited: true)
    return try store.reporting {
      let statement = try store.database.cached("SELECT count(*) FROM (\(plan.sql))")
      try statement.bind(plan.bindings)
      var cursor = statement.query()
      return try cursor.next() ? Int(cursor.row.integer(at: 0)) : 0
    }
  }

  /// Calls `body` with one object at a time, without holding all of them in memory.
  ///
  /// Unsaved changes are ignored; limit and offset are respected. Objects that `body` neither keeps nor changes are
  /// released at once. Objects that `body` creates are not enumerated.
  public func enumerate(_ request: FetchRequest, _ body: (ManagedObject) throws -> Void) throws {
    let entity = try runtime(of: request.entityName)
    store.handledProperties?.note(request, of: entity)
    if isBulkLoading { try prepareForFetching(request, entity) }
    let predicate = try FetchPredicate(resolvingObjects(of: request), in: store)
    let tests = [predicate?.remainingTest, request.filter].compactMap(\.self)
    // If `body` changes what the rows are sorted by, SQLite counts rows that come a second time.
    let isLimitedByStore = tests.isEmpty && (store.isReadOnly || request.sortKeys.isEmpty)
    let plan = try FetchPlan(
      request, in: store, entity: entity, condition: predicate?.pushed, keysOnly: false, limited: isLimitedByStore)
    let bounds = try store.isReadOnly ? nil : EnumerationBounds(plan, in: store)
    var (passed, given) = (0, 0)
    struct Enough: Error {}
    do {
      try forEachRow(of: plan, batchSize: 0, isPassing: true, within: bounds) { object in
        if isLimitedByStore { return try body(object) }
        for test in tests where try !test(object) { return }
        passed += 1
        guard passed > request.fetchOffset else { return }
        if request.fetchLimit > 0, given >= request.fetchLimit { throw Enough() }
        given += 1
        try body(object)
      }
    } catch is Enough {}
  }

  /// Calls `body` with one object at a time, including unsaved changes; changes that `body` makes do not affect the
  /// enumeration. Limits, offsets and sort orders are not supported.
  package func enumerateCurrent(_ request: FetchRequest, _ body: (ManagedObject) throws -> Void) throws {
    guard hasChanges else { return try enumerate(request, body) }
    if request.predicate == nil {
      let layout = try runtime(of: request.entityName).layout
      let numbers = request.includesSubentities ? layout.numbersWithSubentities : [layout.number]
      let (gone, new) = (Set(deleted.keys), newObjects.filter { numbers.contains($0.runtime.layout.number) })
      try enumerate(request) { object in
        if !gone.contains(object.objectKey) { try body(object) }
      }
      for object in new { try body(object) }
      return
    }
    // A predicate must be evaluated on objects with their unsaved changes, and may read other objects.
    var request = request
    request.fetchBatchSize = 256
    var objects = try fetch(request)
    // Reversed, so that each object can be removed from the end and released as soon as it is processed.
    objects.reverse()
    while let object = objects.popLast() { try body(object) }
  }

  /// Prepares a store under construction for a fetch: writes its pending rows, and creates the indexes that were
  /// deferred.
  private func prepareForFetching(_ request: FetchRequest, _ entity: EntityRuntime) throws {
    if let willReadLinks {
      let followed = HandledProperties(of: store)
      followed.note(request, of: entity)
      if followed.contains(where: { _, _ in true }) { try willReadLinks() }
    }
    try flush()
    try store.makeDeferredIndexes()
    if let column = request.predicate?.equalityColumn(of: entity) {
      try store.noteSearch(table: entity.layout.tableName, column: column)
    }
  }

  private func hasPendingChanges(in entity: EntityRuntime) -> Bool {
    let root = entity.layout.rootNumber
    // Sorting can follow relationships to other entities, so any change may matter.
    return !inserted.isEmpty || updatedCount > 0 || deleted.keys.contains { $0.root == root }
  }

  /// - Parameter isPassing: True if `body` releases most objects at once, so that they need not be read completely.
  private func forEachRow(
    of plan: FetchPlan, batchSize: Int, isPassing: Bool = false, within bounds: EnumerationBounds? = nil,
    _ body: (ManagedObject) throws -> Void
  ) throws {
    var batches: [Int64: (batch: FaultBatch, count: Int)] = [:]
    try readingRows {
      let statement = try store.database.cached(plan.sql)
      try statement.bind(plan.bindings)
      let rows = Dictionary(
        plan.entities.map { entity in
          (
            Int64(entity.layout.number),
            (entity, CurrentRow(statement, RowReader(entity, names: plan.names, in: store)))
          )
        }, uniquingKeysWith: { first, _ in first })
      var cursor = statement.query()
      // Rows of the same entity are mostly adjacent.
      var last: (number: Int64, entity: EntityRuntime, row: CurrentRow)?
      while try cursor.next() {
        let number = cursor.row.integer(at: 1)
        if last?.number != number { last = rows[number].map { (number, $0.0, $0.1) } }
        guard let (_, entity, current) = last else {
          throw store.unknownEntityNumber(
            number, table: plan.entity.layout.tableName, key: cursor.row.integer(at: 0))
        }
        let key = ObjectKey(root: entity.rootNumber, key: cursor.row.integer(at: 0))
        guard key.key > 0 else { throw StoreMistake.badKey(table: plan.entity.layout.tableName).diagnostic(store.url) }
        if let bounds, !bounds.admits(key.key) { continue }
        let known = registeredObject(key)
        if known == nil, isPassing {
          try pass(unregisteredFault(entity, key: key.key), on: current, to: body)
          continue
        }
        let object = known ?? unregisteredFault(entity, key: key.key)
        if object.isFault, batchSize > 0 {
          var current = batches[number] ?? (FaultBatch(entity), 0)
          if current.count == batchSize { current = (FaultBatch(entity), 0) }
          current.batch.append(object)
          batches[number] = (current.batch, current.count + 1)
        } else if object.isFault {
          object.take(try current.read())
        }
        try body(object)
      }
    }
  }

  /// Calls `body` with an object whose values are read on access; the whole row is read only if `body` keeps the
  /// object.
  func pass(_ fault: consuming ManagedObject, on row: CurrentRow, to body: (ManagedObject) throws -> Void) throws {
    fault.row = row
    defer { fault.row = nil }
    try body(fault)
    if !isKnownUniquelyReferenced(&fault) { try fault.fulfill() }
  }

  func unregisteredFault(_ entity: EntityRuntime, key: Int64) -> ManagedObject {
    let object = ManagedObject(entity, key: key, isFault: true, context: self)
    register(passing: object)
    return object
  }

  private func applyingPendingChanges(to stored: [ManagedObject], _ plan: FetchPlan) throws -> [ManagedObject] {
    let numbers = Set(plan.entities.map(\.layout.number))
    let new = newObjects.filter { numbers.contains($0.runtime.layout.number) }
    let objects = stored.filter { !$0.isDeleted } + new
    guard !plan.sortPaths.isEmpty else { return objects }
    let keyed = try objects.enumerated().map { place, object in
      (place: place, object: object, values: try plan.sortPaths.map { try $0.value(for: object) })
    }
    return keyed.sorted { left, right in
      for (index, path) in plan.sortPaths.enumerated() {
        if left.values[index].isOrderedBefore(right.values[index]) { return path.isAscending }
        if right.values[index].isOrderedBefore(left.values[index]) { return !path.isAscending }
      }
      return ManagedObject.keysInOrder(left.object.key, right.object.key)
    }.map(\.object)
  }
}
