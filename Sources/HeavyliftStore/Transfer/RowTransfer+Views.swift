import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite

extension RowTransfer {
  /// True if no new row depends on any row except its source row.
  package var readsRowAlone: Bool {
    joins.isEmpty && filter?.sources.readsOtherRows != true && !values.values.contains(where: \.sources.readsOtherRows)
  }

  /// The largest number of columns of the source's row that a single column of the new row reads, counting repetitions.
  package var repetition: Int { values.values.map(\.sources.rowColumnCount).max() ?? 1 }

  /// Returns the destination's attributes that are calculated, rather than read from a column of a table.
  ///
  /// - Parameter calculated: The attributes of the source that are calculated.
  package func calculated(from calculated: Set<String>) -> Set<String> {
    Set(
      destination.attributes.map(\.description.name).filter { name in
        copies[name].map(calculated.contains) ?? true
      })
  }

  /// Returns a query for the rows that the destination's table would contain; nil if it would need parameters or would
  /// have to create files.
  ///
  /// - Parameters:
  ///   - sourceTypes: The declared types of the source's columns.
  ///   - offset: The number to add to each key.
  package func selection(
    columns: [TableLayout.Column], sourceTypes: [String: String], offset: Int64, on database: Database
  ) throws -> String? {
    let layout = destination.layout
    let links = Set((layout.toOnes + layout.ownerColumns).flatMap { [$0.column, $0.entityColumn].compactMap(\.self) })
    let plainCopies = plainCopies
    var expressions: [String] = []
    for column in columns {
      switch column.name {
      case "Z_PK": expressions.append(offset == 0 ? "t0.Z_PK" : "t0.Z_PK + \(offset)")
      case "Z_ENT": expressions.append("\(destination.layout.number)")
      case "Z_OPT": expressions.append("1")
      default:
        guard let value = values[column.name] else {
          expressions.append("NULL")
          continue
        }
        if let external = externals[column.name] {
          // The view only contains the reference: the hop that writes the rows takes over the file.
          guard external.keepsColumn, let copied = value.externalColumn else { return nil }
          expressions.append(Self.column(copied))
          continue
        }
        if let plain = plainCopies[column.name], sourceTypes[plain] == column.declaredType {
          expressions.append(Self.column(plain))
          continue
        }
        guard let sql = try StoredForm.inlined(value.sql, value.bindings, database) else { return nil }
        let isSame = value.sources.rowColumn.map { sourceTypes[$0] == column.declaredType } ?? false
        expressions.append(
          isSame || links.contains(column.name) || value.constant == .null
            ? sql : StoredForm.expression(sql, as: column.declaredType))
      }
    }
    var condition = condition
    if let filter {
      guard let inlined = try StoredForm.inlined(condition, filter.bindings, database) else { return nil }
      condition = inlined
    }
    return "SELECT \(expressions.joined(separator: ", ")) \(origin) WHERE \(condition)"
  }

  /// The columns that are unchanged columns of the source, although their expressions convert the value: in a view, a
  /// date is a number already, and a Boolean is 0 or 1.
  private var plainCopies: [String: String] {
    guard blueprint.isViewed else { return [:] }
    var plain: [String: String] = [:]
    for attribute in destination.attributes where [.date, .boolean].contains(attribute.type) {
      guard let column = attribute.column, let name = copies[attribute.description.name],
        case .attribute(let slot)? = source.slots[name], let copied = source.attributes[slot].column,
        copied.type == column.type
      else { continue }
      plain[column.column] = copied.column
    }
    return plain
  }
}
