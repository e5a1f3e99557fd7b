import HeavyliftReports

/// The text form of the differences between two stores: first the answer, then counts, then examples.
struct StoreDifferenceText {
  private let difference: StoreDifference
  private let first: String
  private let second: String
  /// The new names of entities and properties, if the second store is the first one after a migration.
  private let renames: MigrationRenames?
  private let style: TextStyle

  init(
    _ difference: StoreDifference, _ first: String, _ second: String, _ renames: MigrationRenames?, _ style: TextStyle
  ) {
    self.renames = renames
    self.difference = difference
    self.first = first.shown
    self.second = second.shown
    self.style = style
  }

  var lines: [String] {
    var lines = [style.bold(answer)]
    let differing = difference.entities.filter { !$0.isSame }
    if !differing.isEmpty { lines += [""] + table(differing) }
    if !difference.moves.isEmpty { lines += [""] + difference.moves.map(\.text) }
    for entity in differing { lines += [""] + details(entity) }
    let others = remarks
    if !others.isEmpty { lines += [""] + others }
    return lines
  }

  private var answer: String {
    let objects = difference.entities.reduce(0) { $0 + $1.same }
    if difference.isEmpty { return "no difference in \(objects.counted("object"))" }
    let differing = difference.entities.reduce(0) { $0 + $1.added + $1.removed + $1.changed + $1.movedHere }
    guard differing > 0 else {
      return "the \(objects.counted("object")) in both stores are the same in all properties that both stores have"
    }
    let entities = difference.entities.count { $0.added + $0.removed + $0.changed + $0.movedHere > 0 }
    return "\(differing.counted("object")) of \(entities.counted("entity", "entities")) "
      + "\(differing == 1 ? "differs" : "differ"), \(objects.grouped) \(objects == 1 ? "is" : "are") the same"
  }

  private func table(_ entities: [StoreDifference.Entity]) -> [String] {
    let hasMoves = entities.contains { $0.movedHere > 0 || $0.movedAway > 0 }
    var table = TextTable(
      [("entity", .left), ("same", .right), ("added", .right), ("removed", .right), ("changed", .right)]
        + (hasMoves ? [("moved here", .right), ("moved away", .right)] : []))
    for entity in entities {
      table.add(
        [
          entity.name.shown, entity.same.grouped, entity.added.grouped, entity.removed.grouped, entity.changed.grouped,
        ] + (hasMoves ? [entity.movedHere.grouped, entity.movedAway.grouped] : []))
    }
    return table.lines(style: style)
  }

  private func details(_ entity: StoreDifference.Entity) -> [String] {
    let former = entity.formerName.map { ", formerly '\($0.shown)'" } ?? ""
    var lines = [style.bold("entity '\(entity.name.shown)'" + former)]
    let changes = PropertyChanges(entity, renames)
    for (name, successors) in changes.moved {
      lines.append("  '\(name.shown)' → \(successors.map { "'\($0.shown)'" }.joined(separator: ", "))")
    }
    let groups = [
      ("left to a policy or function", changes.leftToCode), ("only in \(first)", changes.lost),
      ("only in \(second)", changes.new),
    ]
    for (title, properties) in groups where !properties.isEmpty {
      lines.append("  \(title): \(properties.map { "'\($0.shown)'" }.joined(separator: ", "))")
    }
    if entity.added > 0 { lines.append("  added: \(keys(entity.addedExamples, of: entity.added))") }
    if entity.removed > 0 { lines.append("  removed: \(keys(entity.removedExamples, of: entity.removed))") }
    guard entity.changed > 0 else { return lines }
    let properties = entity.changedProperties.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "'\($0.key.shown)' in \($0.value.grouped)" }
    lines.append("  changed: \(properties.joined(separator: ", "))")
    for object in entity.changedExamples {
      lines.append("    p\(object.key): \(object.properties.map { $0.name.shown }.joined(separator: ", "))")
      for property in object.properties {
        guard let old = property.old, let new = property.new else { continue }
        lines.append("      \(property.name.shown): \(old.shown) → \(new.shown)")
      }
    }
    let rest = entity.changed - entity.changedExamples.count
    if rest > 0 { lines.append("    and \(rest.grouped) more") }
    return lines
  }

  private func keys(_ examples: [Int64], of count: Int) -> String {
    let shown = examples.map { "p\($0)" }.joined(separator: ", ")
    let rest = count - examples.count
    if examples.isEmpty { return count.counted("object") }
    return rest > 0 ? "\(shown) and \(rest.grouped) more" : shown
  }

  /// The new entities of the objects of an entity that only the first store has.
  private func fate(of entity: StoreDifference.LoneEntity) -> String {
    if entity.moved > 0 {
      let rest = entity.count - entity.moved
      return " (\(entity.moved.grouped) moved away\(rest > 0 ? ", \(rest.grouped) dropped" : ""))"
    }
    let names = renames?.destinations[entity.name] ?? []
    if names.isEmpty || !difference.moves.isEmpty { return "" }
    return ", which the mapping turns into \(names.map { "'\($0.shown)'" }.joined(separator: ", ")) "
      + "(--provenance shows how many)"
  }

  /// Differences other than those in entities that both stores have.
  private var remarks: [String] {
    var lines: [String] = []
    for (path, entities) in [(first, difference.onlyInFirst), (second, difference.onlyInSecond)] {
      for entity in entities {
        lines.append(
          "only in \(path): entity '\(entity.name.shown)' with \(entity.count.counted("object"))"
            + (path == first ? fate(of: entity) : entity.moved > 0 ? " (\(entity.moved.grouped) moved here)" : ""))
      }
    }
    if !difference.metadataKeys.isEmpty {
      lines.append(
        "application metadata differs: \(difference.metadataKeys.map { "'\($0.shown)'" }.joined(separator: ", "))"
      )
    }
    let links = difference.danglingLinks
    if !links.isSame {
      lines.append(
        "join table rows that belong to no object differ: \(links.first.grouped) in \(first), "
          + "\(links.second.grouped) in \(second)")
    }
    return lines
  }
}
