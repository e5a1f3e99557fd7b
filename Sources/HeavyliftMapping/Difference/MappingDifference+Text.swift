import HeavyliftModel

extension MappingDifference: CustomStringConvertible {
  /// All differences, one change per line, grouped by entity mapping.
  package var description: String {
    var groups: [String] = []
    if !changes.isEmpty {
      groups.append(Self.group("mapping model", changes.map { ["itself", $0.parameter, $0.values] }))
    }
    groups += entityMappings.map { mapping in
      let itself = mapping.changes.map { Self.row("itself", $0, mapping.difference) }
      return Self.group(mapping.summary, itself + mapping.properties.flatMap(Self.rows))
    }
    return groups.isEmpty ? "no differences" : groups.joined(separator: "\n\n")
  }

  private static func rows(_ property: PropertyMappingDifference) -> [[String]] {
    let thing = "\(property.kind.rawValue) \(property.name.quotedName)"
    switch property.difference {
    case .renamed, .changed: return property.changes.map { row(thing, $0, .changed) }
    case .added, .removed:
      let word = property.difference.rawValue
      if property.changes.isEmpty { return [[thing, word]] }
      return property.changes.map { [thing, word, "\($0.parameter) = \($0.new ?? $0.old ?? "none")"] }
    }
  }

  /// Returns the cells of a row. The row of an added part shows only the new value, without "none →".
  private static func row(_ thing: String, _ change: MappingChange, _ difference: DifferenceKind) -> [String] {
    [thing, change.parameter, difference == .added ? change.new ?? "none" : change.values]
  }

  /// A table below a title.
  private static func group(_ title: String, _ rows: [[String]]) -> String {
    let widths = [0, 1].map { column in rows.filter { $0.count > column + 1 }.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { cells in
      cells.enumerated().reduce(into: "    ") { line, cell in
        line += cell.element
        guard cell.offset < cells.count - 1 else { return }
        line += String(repeating: " ", count: max(0, widths[cell.offset] - cell.element.count) + 2)
      }
    }
    return ([title] + lines).joined(separator: "\n")
  }
}
