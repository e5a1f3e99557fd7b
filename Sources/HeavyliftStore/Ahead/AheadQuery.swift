import HeavyliftModel
import HeavyliftSQLite

/// Reads an entity's rows for a thread that knows no objects: the columns that hold values by themselves, and what new
/// objects get that are made out of the rows.
struct AheadQuery: Sendable {
  /// A column that holds an attribute's value by itself.
  struct Cell: Sendable {
    let slot: Int
    let position: Int
    let type: AttributeType
  }

  /// What an attribute of a new object gets.
  enum Part: Sendable {
    /// The same for each object, by its place in `template`.
    case same
    /// The value of a cell, by its place among them.
    case copied(cell: Int, conversion: AttributeType?)
    /// What the statement computes.
    case computed(position: Int, type: AttributeType)
  }

  let sql: String
  let bindings: [SQLiteValue]
  /// The cells by their places in the statement.
  let cells: [Cell]
  /// By the slots of the source's to-one relationships; -1 for one that is no column.
  let targetPositions: [Int]
  /// What the attributes of a new object are where nothing is said of them.
  let template: [Value]
  /// By the slots of a new object; empty where nothing is made.
  let parts: [Part]

  /// Reads the row on which a statement stands.
  ///
  /// - Parameter wanted: The cells that somebody will look at.
  func read(_ row: borrowing RowView, _ wanted: [Int], into page: inout AheadPage.Contents) {
    let place = page.keys.count
    page.keys.append(row.integer(at: 0))
    page.versions.append(row.integer(at: 1))
    var isOdd = false
    for number in wanted {
      let cell = cells[number]
      do {
        let value = try AttributeCodec.decode(row, at: cell.position, as: cell.type)
        page.bytes += value.heapBytes
        page.values.append(value)
      } catch {
        page.values.append(.null)
        isOdd = true
      }
    }
    for position in targetPositions {
      guard position >= 0 else {
        page.targets.append(0)
        continue
      }
      let view = row.view(at: position)
      page.targets.append(view.integer)
      if view.type != .null, view.type != .integer || view.integer <= 0 { isOdd = true }
    }
    if !parts.isEmpty {
      let made = isOdd ? nil : make(row, page, at: place)
      for value in made ?? [] { page.bytes += value.heapBytes }
      page.made.append(made ?? [])
      if made == nil { isOdd = true }
    }
    if isOdd { page.odd.insert(place) }
  }

  /// The attributes of a new object; nil where one of them takes a closer look.
  private func make(_ row: borrowing RowView, _ page: AheadPage.Contents, at place: Int) -> [Value]? {
    var values: [Value] = []
    values.reserveCapacity(parts.count)
    for (slot, part) in parts.enumerated() {
      switch part {
      case .same: values.append(template[slot])
      case .copied(let cell, let conversion):
        guard let value = page.value(ofCell: cell, at: place) ?? decode(row, cells[cell]) else { return nil }
        guard let conversion else {
          values.append(value)
          continue
        }
        guard let held = value.converted(to: conversion) else { return nil }
        values.append(held)
      case .computed(let position, let type):
        guard let value = try? AttributeCodec.decode(row, at: position, as: type) else { return nil }
        values.append(value)
      }
    }
    return values
  }

  private func decode(_ row: borrowing RowView, _ cell: Cell) -> Value? {
    try? AttributeCodec.decode(row, at: cell.position, as: cell.type)
  }
}
