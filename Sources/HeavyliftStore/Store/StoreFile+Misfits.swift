import HeavyliftModel

extension StoreFile {
  /// A reason why a model does not fit, and the number of differences that it lists.
  struct Reason {
    var text: String
    var count = 1
  }

  /// Returns the reasons why the model does not fit. They result from a comparison with the model that the store
  /// embeds, or else with the store's version hashes, if it has any, and its tables.
  func reasonsAgainst(_ model: ManagedObjectModel) throws -> [Reason] {
    let stored = metadata.versionHashes
    guard !stored.isEmpty else { return try structureDifferences(model).map { Reason(text: $0) } }
    let computed = model.entityVersionHashes()
    let hashes = computed.mapValues(\.hash)
    let difference = (try? cachedModel()).map { ModelDifference(from: $0, to: model) }
    let structure = Dictionary(grouping: try structureFindings(model), by: \.entity)
    return Set(stored.keys).union(hashes.keys).sorted().compactMap { name in
      switch (stored[name], hashes[name]) {
      case (nil, _?): return Reason(text: "entity '\(name)' is only in the model")
      case (_?, nil): return Reason(text: "entity '\(name)' is only in the store")
      case (let left?, let right?) where left != right:
        let known = difference?.versionHashReasons(forEntity: name) ?? []
        let columns = structure[name]?.map(\.problem) ?? []
        // An assumed hash that differs for no known reason proves nothing.
        if computed[name]?.isAssumed == true, columns.isEmpty, known.allSatisfy({ $0 == .unexplained }) { return nil }
        let reasons = known.map(\.description)
        let parent = model.entity(named: name)?.superentityName.flatMap { stored[$0] == hashes[$0] ? nil : $0 }
        let unseen =
          parent.map { "its parent entity '\($0)' differs" }
          ?? "the columns match, so the difference is in a flag, a type or a relationship's parameter"
        let detail = !reasons.isEmpty ? reasons : !columns.isEmpty ? columns : [unseen]
        return Reason(text: "entity '\(name)' differs: \(detail.joined(separator: ", "))", count: detail.count)
      default: return nil
      }
    }
  }

  /// Returns the tables and columns that differ from those that a store of the model would have.
  func structureDifferences(_ model: ManagedObjectModel) throws -> [String] {
    try structureFindings(model).map { "entity '\($0.entity)': \($0.problem)" }
  }

  private func structureFindings(_ model: ManagedObjectModel) throws -> [(entity: String, problem: String)] {
    let modelled = Set(model.entities.map(\.name))
    let stored = Set(primaryKeys.filter { !$0.isHistory }.map(\.name))
    var findings: [(entity: String, problem: String)] = []
    findings += stored.subtracting(modelled).sorted().map { ($0, "is only in the store") }
    findings += modelled.subtracting(stored).sorted().map { ($0, "is only in the model") }
    // Only entities that both the model and the store have are compared.
    let numbers = EntityNumbers(primaryKeys.filter { !$0.isHistory }.map { ($0.name, $0.number) })
    var layout = PhysicalLayout(model: model, numbers: numbers)
    for table in layout.tables { findings += try columnFindings(table, in: layout) }
    for place in try layout.fitJoinTables(to: StoredColumns(of: database)).sorted() {
      let join = layout.joins[place]
      findings.append(
        (
          join.first.end.entity,
          "relationship '\(join.first.end.relationship)' is not in the store, which lacks join table \(join.layout.name)"
        ))
    }
    return findings
  }

  private func columnFindings(
    _ table: TableLayout, in layout: PhysicalLayout
  ) throws -> [(entity: String, problem: String)] {
    let root = layout.entities.first { $0.tableName == table.name }?.name ?? table.name
    let present = try database.columns(of: table.name)
    guard !present.isEmpty else { return [(root, "the store has no table \(table.name)")] }
    let types = Dictionary(
      present.map { ($0.name.uppercased(), $0.declaredType.uppercased()) }, uniquingKeysWith: { first, _ in first })
    var findings: [(entity: String, problem: String)] = []
    var wanted: Set<String> = []
    for column in table.columns {
      wanted.insert(column.name.uppercased())
      let owner = layout.property(ofColumn: column.name, in: table.name)
      let property = owner?.property ?? "column"
      guard let type = types[column.name.uppercased()] else {
        findings.append((owner?.entity ?? root, "\(property) is not in the store, which lacks column \(column.name)"))
        continue
      }
      // The types of `Z_PK`, `Z_ENT` and `Z_OPT` are not compared.
      guard owner != nil, type != column.declaredType.uppercased() else { continue }
      findings.append(
        (
          owner?.entity ?? root,
          "\(property) has a different type in the store: column \(column.name) is \(type), not \(column.declaredType)"
        ))
    }
    for column in present
    where !wanted.contains(column.name.uppercased()) && !metadata.isLeftover(column: column.name, of: table.name) {
      findings.append((root, "the model has no counterpart for column \(column.name) of the store"))
    }
    return findings
  }

  func ambiguity(of fits: [StoreVersion.Fit]) -> Diagnostic {
    let names = fits.map { "'\($0.model.title)'" }.joined(separator: ", ")
    return Diagnostic(
      .error, code: "store.ambiguous-version",
      problem: "store '\(url.path)' fits \(fits.count) models by its \(fits[0].evidence.rawValue): \(names)",
      remedy:
        "specify which one you mean, e.g. --model 'Library 2.xcdatamodel': their tables and columns are the same, "
        + "and the store does not state which version it is")
  }

  package func refusal(of misfits: [StoreVersion.Misfit]) -> Diagnostic {
    let carried = try? carriedModel()
    guard let nearest = misfits.first else {
      switch carried {
      case .unreadable(let reason)?: return StoreMistake.unreadableModel(reason.problem).diagnostic(url)
      case .stale?: return StoreMistake.staleModel.diagnostic(url)
      case .some(.none), .current?, nil: return StoreMistake.noModel.diagnostic(url)
      }
    }
    let others = misfits.dropFirst().map { "'\($0.model.title)'" }
    let reasons = nearest.reasons.prefix(8).map { "\n  - \($0)" }.joined()
    let rest = nearest.reasons.count > 8 ? "\n  - and \(nearest.reasons.count - 8) more" : ""
    let unreadable =
      if case .unreadable(let reason)? = carried { "\n  and its own model cannot be read: \(reason.problem)" } else {
        ""
      }
    return Diagnostic(
      .error, code: "store.unknown-version",
      problem: "store '\(url.path)' "
        + (misfits.count == 1 ? "does not fit model " : "fits none of the \(misfits.count) models; the closest is ")
        + "'\(nearest.model.title)':\(reasons)\(rest)\(unreadable)",
      remedy: [
        others.isEmpty
          ? "specify the model that the store was written with"
          : "specify the model that the store was written with; also tried: \(others.joined(separator: ", "))",
        MissingLog(url)?.remedy,
      ].compactMap(\.self).joined(separator: "; "))
  }
}

extension PhysicalLayout {
  /// Returns the entity nearest to the root that has a column, and a description of the column's property.
  fileprivate func property(ofColumn column: String, in table: String) -> (entity: String, property: String)? {
    for entity in entities where entity.tableName == table {
      if let attribute = entity.attributes.first(where: { $0.leafColumns.contains(column) }) {
        return (entity.name, "attribute '\(attribute.name)'")
      }
      let toOne = entity.toOnes.first { [$0.column, $0.entityColumn, $0.orderColumn].contains(column) }
      if let toOne { return (entity.name, "relationship '\(toOne.name)'") }
      for owner in entities {
        let toMany = owner.toManys.first { toMany in
          toMany.tableName == table && [toMany.ownerColumn, toMany.orderColumn].contains(column)
        }
        if let toMany { return (owner.name, "relationship '\(toMany.name)'") }
      }
    }
    return nil
  }
}
