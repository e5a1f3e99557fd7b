import HeavyliftModel
import HeavyliftStore
import HeavyliftXML

/// The contents of a model file, and the version hashes that identify a store of each of its versions.
struct ModelReport {
  let source: ModelSource

  func lines(_ style: TextStyle) -> [String] {
    var sections = source.versions.map { lines(of: $0, style) }
    if !source.diagnostics.isEmpty {
      sections.append(
        source.diagnostics.sortedByPlace().flatMap { $0.description.split(separator: "\n").map(String.init) })
    }
    return Array(sections.joined(separator: [""]))
  }

  private func lines(of version: ModelSource.Version, _ style: TextStyle) -> [String] {
    let model = version.model
    let hashes = model.entityVersionHashes()
    let layout = PhysicalLayout(model: model)
    let current = version.name == source.currentVersionName ? ", the current version" : ""
    let facts = [
      ("identifiers", model.versionIdentifiers.filter { !$0.isEmpty }.sorted().joined(separator: ", ").shown),
      ("configurations", model.configurations.map(\.name).joined(separator: ", ").shown),
      ("checksum", model.versionChecksum), ("digest", model.versionHashesDigest),
    ]
    var table = TextTable([
      ("number", .right), ("entity", .left), ("table", .left), ("attributes", .right), ("relationships", .right),
      ("version hash", .left),
    ])
    for entity in layout.entities {
      guard let description = model.entity(named: entity.name) else { continue }
      let hash = hashes[entity.name]
      table.add([
        String(entity.number),
        String(repeating: "  ", count: model.lineage(of: description).count - 1) + entity.name.shown,
        entity.tableName.shown, description.attributes.count.grouped, description.relationships.count.grouped,
        (hash?.hash.hexadecimal ?? "?") + (hash?.isAssumed == true ? " assumed" : ""),
      ])
    }
    var lines = [style.bold("'\(version.name.shown)' of \(source.path.shown)\(current)")]
    lines += facts.filter { !$0.1.isEmpty }.map { "  " + $0.0.padded(to: 16) + $0.1 }
    lines += ["", model.entities.count.counted("entity", "entities")]
    lines += table.lines(style: style)
    return lines + assumptions(hashes) + layout.assumptions.map { "  assumed: \($0.problem.shown)" }
  }

  private func assumptions(_ hashes: [String: EntityVersionHash]) -> [String] {
    let assumed = hashes.filter(\.value.isAssumed).sorted { $0.key < $1.key }
    return assumed.map { name, hash in
      let reasons = hash.assumptions.map { $0.description.shown }.joined(separator: ", and ")
      return "  the hash of '\(name.shown)' is assumed, because \(reasons)"
    }
  }

  var json: JSONValue {
    .object([
      ("path", .string(source.path)), ("currentVersion", .optional(source.currentVersionName)),
      ("versions", .array(source.versions.map(json))),
    ])
  }

  private func json(of version: ModelSource.Version) -> JSONValue {
    let model = version.model
    let hashes = model.entityVersionHashes()
    let layout = PhysicalLayout(model: model)
    let entities = layout.entities.map { json(of: $0, hashes[$0.name]) }
    return .object([
      ("name", .string(version.name)), ("identifiers", .strings(model.versionIdentifiers.sorted())),
      ("configurations", .strings(model.configurations.map(\.name))), ("checksum", .string(model.versionChecksum)),
      ("digest", .string(model.versionHashesDigest)), ("entities", .array(entities)),
      ("assumedLayout", .strings(layout.assumptions.map(\.problem))),
    ])
  }

  private func json(of entity: EntityLayout, _ hash: EntityVersionHash?) -> JSONValue {
    .object([
      ("name", .string(entity.name)), ("number", .count(entity.number)), ("table", .string(entity.tableName)),
      ("versionHash", .optional(hash?.hash.hexadecimal)),
      ("assumed", .strings((hash?.assumptions ?? []).map(\.description))),
    ])
  }
}
