import HeavyliftSQLite

extension ManagedObjectContext {
  /// Calls `body` with one object after the other, as `enumerate(_:_:)` does with a request for all objects of the very
  /// entity, while another thread reads what follows.
  package func enumerate(
    _ request: FetchRequest, readingAhead rows: AheadRows, pageSize: Int, _ body: (ManagedObject) throws -> Void
  ) throws {
    var given = 0
    let isDone = try enumerate(rows, pageSize) { object in
      given += 1
      try body(object)
    }
    guard !isDone else { return }
    // What cannot be read ahead is read, and its mistakes told, as it is at other times.
    var passed = 0
    try enumerate(request) { object in
      passed += 1
      if passed > given { try body(object) }
    }
  }

  /// - Returns: Whether all rows could be read.
  private func enumerate(
    _ rows: AheadRows, _ pageSize: Int, _ body: (ManagedObject) throws -> Void
  ) throws -> Bool {
    let statement: Statement
    do {
      try store.register(rows.transfer)
      statement = try store.database.prepare(rows.query.sql)
      try statement.bind(rows.query.bindings)
    } catch {
      return false
    }
    let reader = AheadReader(rows.query, statement, pageSize: pageSize, wanted: rows.wanted)
    store.aheadReader = reader
    defer {
      reader.end()
      store.aheadReader = nil
      rows.current = nil
    }
    var row: AheadRow?
    var passing: ManagedObject?
    while true {
      let page: AheadPage?
      do { page = try reader.next(wanting: row?.wanted ?? rows.wanted) } catch { return false }
      guard let page else { return true }
      let current = try row ?? AheadRow(rows, page, in: self)
      row = current
      rows.current = current
      current.turn(to: page)
      if current.isPointless { return false }
      for (index, key) in page.contents.keys.enumerated() {
        guard key > 0 else { return false }
        current.turn(to: index)
        if let known = registeredObject(ObjectKey(root: rows.source.rootNumber, key: key)) {
          if known.isFault { known.take(try current.read(in: self)) }
          try body(known)
          continue
        }
        if let idle = passing { rename(idle, to: key) } else { passing = made(rows.source, key: key) }
        try pass(&passing, on: current, to: body)
      }
    }
  }
}
