extension MigrationPlan: CustomStringConvertible {
  /// The plan as text, with one line for each entity mapping and pass, and the reasons below.
  public var description: String {
    var lines: [String] = []
    for step in steps {
      let objects = step.sourceCount.map { ", \($0) \($0 == 1 ? "object" : "objects")" } ?? ""
      lines.append(
        "\(step.name): \(step.sourceEntityName ?? "nothing") -> \(step.destinationEntityName ?? "nothing")\(objects)")
      if let offset = step.keyOffset { lines.append("  keys: " + (offset == 0 ? "kept" : "source keys + \(offset)")) }
      lines.append("  rows: \(step.rows.rawValue)")
      lines += step.rowReasons.map { "    \($0)" }
      let others = step.relationships == .objects ? step.relationshipsBySQL : []
      lines.append(
        "  relationships: \(step.relationships.rawValue)"
          + (others.isEmpty ? "" : ", but sql for " + others.map { "'\($0)'" }.joined(separator: ", ")))
      lines += step.relationshipReasons.map { "    \($0)" }
      lines += step.timesOfMigration.map { "  '\($0)': the time of the migration" }
      if step.intendsLosses { lines.append("  drops what its policy neither migrates nor reads: losses are intended") }
      if step.recordsAssociations { lines.append("  records which new objects result from which old objects") }
    }
    if startsFromCopy { lines.append("the new store starts as a copy of the old one, without the tables that change") }
    lines += losses.map(\.description)
    lines += fallibleExpressions.map { "may fail: \($0)" }
    lines.append("checks: " + checks.joined(separator: ", "))
    if let sourceBytes { lines.append("source: \(sourceBytes) bytes") }
    return lines.joined(separator: "\n")
  }
}
