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
    let row = try AheadRow(rows, in: self)
    rows.current = row
    defer { rows.current = nil }
    var state = AheadState(next: .min, nextSize: min(pageSize, 64))
    // What somebody has looked at is read from then on.
    while let reader = begin(row, rows, state, pageSize) {
      store.aheadReader = reader
      defer {
        reader.end()
        store.aheadReader = nil
      }
      switch try enumerate(reader, row, rows, &state, body) {
      case .atEnd: return true
      case .failed: return false
      case .wantsMore: continue
      }
    }
    return false
  }

  /// Nil where the rows cannot be read, or there can be no more.
  private func begin(_ row: AheadRow, _ rows: AheadRows, _ state: AheadState, _ pageSize: Int) -> AheadReader? {
    guard let next = state.next else { return nil }
    do {
      try store.register(rows.transfer)
      let query = rows.query(row.wanted)
      let statement = try store.database.prepare(query.sql)
      try statement.bind(query.bindings + [.integer(next)])
      return AheadReader(query, statement, firstSize: state.nextSize, pageSize: pageSize)
    } catch {
      return nil
    }
  }

  private func enumerate(
    _ reader: AheadReader, _ row: AheadRow, _ rows: AheadRows, _ state: inout AheadState,
    _ body: (ManagedObject) throws -> Void
  ) throws -> AheadState.Outcome {
    let wanted = row.wanted.count
    var passing: ManagedObject?
    while true {
      let page: AheadPage?
      do { page = try reader.next() } catch { return .failed }
      guard let page else { return .atEnd }
      row.turn(to: page)
      for (index, key) in page.contents.keys.enumerated() {
        guard key > 0 else { return .failed }
        row.turn(to: index)
        state.next = key == .max ? nil : key + 1
        if let known = registeredObject(ObjectKey(root: rows.source.rootNumber, key: key)) {
          if known.isFault { known.take(try row.read(in: self)) }
          try body(known)
        } else {
          if let idle = passing { rename(idle, to: key) } else { passing = made(rows.source, key: key) }
          try pass(&passing, on: row, to: body)
        }
        row.leave()
      }
      row.didFinishPage()
      if row.isPointless { return .failed }
      state.nextSize = max(state.nextSize, row.pageCount)
      if row.wanted.count > wanted { return .wantsMore }
    }
  }
}

/// How far rows were read ahead.
private struct AheadState {
  enum Outcome {
    case atEnd
    /// The rows must be read in some other way.
    case failed
    /// Somebody looks at columns that are not among those that are read.
    case wantsMore
  }

  /// The least key that the next row can have.
  var next: Int64?
  /// How many rows the next page has.
  var nextSize: Int
}
