import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite

extension RowTransfer {
  /// True if the statement reads no row except the one that it is for.
  package var readsRowAlone: Bool {
    joins.isEmpty && filter?.sources.readsOtherRows != true && !values.values.contains(where: \.sources.readsOtherRows)
  }

  /// The most columns of the source's row that a column of the new row reads, counting repetitions.
  package var repetition: Int { values.values.map(\.sources.rowColumnCount).max() ?? 1 }

  /// The destination's attributes that are no columns of tables.
  ///
  /// - Parameter calculated: Those of the source.
  package func calculated(from calculated: Set<String>) -> Set<String> {
    Set(
      destination.attributes.map(\.description.name).filter { name in
        copies[name].map(calculated.contains) ?? true
      })
  }

  /// What the destination's table would hold, column by column; nil where that cannot be said without parameters.
  ///
  /// - Parameters:
  ///   - sourceTypes: The declared types of the source's columns.
  ///   - offset: What is added to a key.
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
          // Whoever writes the rows at last takes the files.
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

  /// The columns that are the source's as they are, although expressions convert what they read: what views give for a
  /// date was a number already, and for a truth 0 or 1.
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
