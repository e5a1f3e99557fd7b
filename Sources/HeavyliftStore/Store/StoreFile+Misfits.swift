import HeavyliftModel

extension StoreFile {
  /// What stands against the model, an entity a line: by hashes where the store states them, otherwise by structure.
  func reasonsAgainst(_ model: ManagedObjectModel) throws -> [String] {
    let stored = metadata.versionHashes
    guard !stored.isEmpty else { return try structureDifferences(model) }
    let hashes = model.versionHashes
    let structure = Dictionary(grouping: try structureFindings(model), by: \.entity)
    return Set(stored.keys).union(hashes.keys).sorted().compactMap { name in
      switch (stored[name], hashes[name]) {
      case (nil, _?): return "entity '\(name)' is only in the model"
      case (_?, nil): return "entity '\(name)' is only in the store"
      case (let left?, let right?) where left != right:
        let columns = structure[name]?.map(\.problem) ?? []
        let detail =
          columns.isEmpty
          ? "their columns agree, so it is a flag, a type or a relationship's parameter"
          : columns.joined(separator: ", ")
        return "entity '\(name)' differs: \(detail)"
      default: return nil
      }
    }
  }

  /// Where the tables and columns are not those that the model would have.
  func structureDifferences(_ model: ManagedObjectModel) throws -> [String] {
    try structureFindings(model).map { "entity '\($0.entity)': \($0.problem)" }
  }

  private func structureFindings(_ model: ManagedObjectModel) throws -> [(entity: String, problem: String)] {
    let modelled = Set(model.entities.map(\.name))
    let stored = Set(primaryKeys.filter { !$0.isHistory }.map(\.name))
    var findings: [(entity: String, problem: String)] = []
    findings += stored.subtracting(modelled).sorted().map { ($0, "is only in the store") }
    findings += modelled.subtracting(stored).sorted().map { ($0, "is only in the model") }
    // Only entities that both have are laid out, and compared.
    let numbers = EntityNumbers(primaryKeys.filter { !$0.isHistory }.map { ($0.name, $0.number) })
    let layout = PhysicalLayout(model: model, numbers: numbers)
    for table in layout.tables {
      let entity = layout.entities.first { $0.tableName == table.name }?.name ?? table.name
      let wanted = Set(table.columns.map { $0.name.uppercased() })
      let present = Set(try columns(of: table.name).map { $0.uppercased() })
      findings += wanted.subtracting(present).sorted().map { (entity, "the store lacks column \($0)") }
      findings += present.subtracting(wanted).sorted().map { (entity, "the model lacks column \($0)") }
    }
    for table in layout.joinTables where try columns(of: table.name).isEmpty {
      findings.append((layout.owner(ofJoinTable: table.name) ?? "?", "the store lacks join table \(table.name)"))
    }
    return findings
  }

  func ambiguity(of fits: [StoreVersion.Fit]) -> Diagnostic {
    let names = fits.map { "'\($0.model.name ?? "unnamed")'" }.joined(separator: ", ")
    return Diagnostic(
      .error, code: "store.ambiguous-version",
      problem: "store '\(url.path)' fits \(fits.count) models by its \(fits[0].evidence.rawValue): \(names)",
      remedy: "name the one that is meant, e.g. --model 'Library 2.xcdatamodel'; they differ in nothing that a store "
        + "records")
  }

  func refusal(of misfits: [StoreVersion.Misfit]) -> Diagnostic {
    guard let nearest = misfits.first else { return StoreMistake.noModel.diagnostic(url) }
    let others = misfits.dropFirst().map { "'\($0.model.name ?? "unnamed")'" }
    let reasons = nearest.reasons.prefix(8).map { "\n  - \($0)" }.joined()
    let rest = nearest.reasons.count > 8 ? "\n  - and \(nearest.reasons.count - 8) more" : ""
    return Diagnostic(
      .error, code: "store.unknown-version",
      problem: "store '\(url.path)' fits none of \(misfits.count) models; nearest is "
        + "'\(nearest.model.name ?? "unnamed")':\(reasons)\(rest)",
      remedy: others.isEmpty
        ? "give the model that the store was written with"
        : "give the model that the store was written with; also looked at: \(others.joined(separator: ", "))")
  }
}

extension PhysicalLayout {
  func owner(ofJoinTable name: String) -> String? {
    entities.first { $0.toManys.contains { $0.tableName == name } }?.name
  }
}
