extension ModelDifference: CustomStringConvertible {
  /// All differences, one change per line, grouped by entity; a star marks changes to the version hash.
  public var description: String {
    var groups: [String] = []
    if !changes.isEmpty {
      groups.append(TextGroup(title: "model", rows: changes.map { .init($0, of: "itself") }).description)
    }
    groups += entities.map { TextGroup($0).description }
    groups += parts.map { TextGroup($0).description }
    if groups.isEmpty { return "no differences" }
    if changesVersionHashes { groups.append("* changes the version hash") }
    return groups.joined(separator: "\n\n")
  }
}

/// The differences of one part of a model, as a table below a title.
private struct TextGroup: CustomStringConvertible {
  struct Row {
    var isMarked: Bool
    var cells: [String]

    init(_ change: ParameterChange, of thing: String) {
      isMarked = change.changesVersionHash
      cells = [thing, change.parameter, change.values]
    }

    init(isMarked: Bool, _ cells: String...) {
      self.isMarked = isMarked
      self.cells = cells
    }
  }

  var title: String
  var rows: [Row]

  init(title: String, rows: [Row]) {
    self.title = title
    self.rows = rows
  }

  init(_ entity: EntityDifference) {
    title = entity.summary
    rows = entity.changes.map { Row($0, of: "itself") } + entity.properties.flatMap(Self.rows)
    for reason in entity.versionHashReasons {
      switch reason {
      case .inherited(let parent): rows.append(Row(isMarked: true, "parent \(parent.quotedName)", "its version hash"))
      case .elements(let attribute):
        rows.append(Row(isMarked: true, "attribute \(attribute.quotedName)", "the elements of its composite type"))
      case .unexplained: rows.append(Row(isMarked: true, reason.description))
      case .added, .removed, .parameter, .property: break
      }
    }
  }

  init(_ part: PartDifference) {
    title = part.summary
    rows = part.changes.map { Row($0, of: "itself") } + part.elements.flatMap(Self.rows)
  }

  private static func rows(_ property: PropertyDifference) -> [Row] {
    let thing = "\(property.kind.rawValue) \(property.name.quotedName)"
    switch property.difference {
    case .added, .removed:
      return [
        Row(isMarked: property.changesVersionHash, thing, property.difference.rawValue, property.facts ?? "")
      ]
    case .renamed, .changed: return property.changes.map { Row($0, of: thing) }
    }
  }

  var description: String {
    let widths = [0, 1].map { column in
      rows.filter { $0.cells.count > column + 1 }.map { $0.cells[column].count }.max() ?? 0
    }
    let lines = rows.map { row in
      var line = row.isMarked ? "  * " : "    "
      for (column, cell) in row.cells.enumerated() {
        line += cell
        if column < row.cells.count - 1 {
          line += String(repeating: " ", count: max(0, widths[column] - cell.count) + 2)
        }
      }
      return line
    }
    return ([title] + lines).joined(separator: "\n")
  }
}
