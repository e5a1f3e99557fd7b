import HeavyliftStore

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

  /// The plan as JSON.
  public var json: String {
    let steps = steps.map { step -> String in
      var members = [
        "\"name\":\(JSONText.quoted(step.name))", "\"modelIndex\":\(step.modelIndex)",
        "\"source\":\(Self.json(step.sourceEntityName))", "\"destination\":\(Self.json(step.destinationEntityName))",
        "\"policy\":\(Self.json(step.policyClassName))", "\"rows\":\(JSONText.quoted(step.rows.rawValue))",
        "\"rowReasons\":\(Self.json(step.rowReasons))",
        "\"relationships\":\(JSONText.quoted(step.relationships.rawValue))",
        "\"relationshipReasons\":\(Self.json(step.relationshipReasons))",
        "\"relationshipsBySQL\":[\(step.relationshipsBySQL.map(JSONText.quoted).joined(separator: ","))]",
        "\"recordsAssociations\":\(step.recordsAssociations)", "\"intendsLosses\":\(step.intendsLosses)",
      ]
      if let offset = step.keyOffset { members.append("\"keyOffset\":\(offset)") }
      if !step.timesOfMigration.isEmpty {
        members.append("\"timesOfMigration\":[\(step.timesOfMigration.map(JSONText.quoted).joined(separator: ","))]")
      }
      if let count = step.sourceCount { members.append("\"sourceObjects\":\(count)") }
      return "{\(members.joined(separator: ","))}"
    }
    let checks = checks.map(JSONText.quoted).joined(separator: ",")
    let losses = losses.map { loss in
      "{\"entity\":\(JSONText.quoted(loss.entity)),\"property\":\(Self.json(loss.property)),"
        + "\"reason\":\(JSONText.quoted(loss.reason.rawValue)),\"unit\":\(JSONText.quoted(loss.unit.rawValue)),"
        + "\"count\":\(loss.count.map(String.init) ?? "null")}"
    }
    let size = sourceBytes.map { ",\"sourceBytes\":\($0)" } ?? ""
    let copy = startsFromCopy ? ",\"startsFromCopy\":true" : ""
    return
      "{\"steps\":[\(steps.joined(separator: ","))],\"losses\":[\(losses.joined(separator: ","))],\"checks\":[\(checks)]\(size)\(copy)}"
  }

  private static func json(_ text: String?) -> String { text.map(JSONText.quoted) ?? "null" }

  private static func json(_ reasons: [Reason]) -> String {
    let items = reasons.map { "{\"property\":\(json($0.property)),\"reason\":\(JSONText.quoted($0.text))}" }
    return "[\(items.joined(separator: ","))]"
  }
}
