import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite

/// A store's file before its model is known: its metadata, its entities' numbers, and its schema.
///
/// ```swift
/// let file = try StoreFile(url: url, mode: .readOnly)
/// switch try file.version(among: models) {
/// case .one(let fit): print("version \(fit.model.name ?? "?"), by its \(fit.evidence)")
/// case .several(let fits): print("fits \(fits.count) models")
/// case .none(let misfits): print("fits none; of the nearest:", misfits.first?.reasons ?? [])
/// }
/// ```
package final class StoreFile {
  /// The store's file.
  package let url: URL
  /// The mode in which the file is open.
  package let mode: Database.Mode
  package let database: Database
  /// The contents of `Z_METADATA`.
  package internal(set) var metadata: StoreMetadata
  /// The rows of `Z_PRIMARYKEY`, sorted by number.
  package let primaryKeys: [PrimaryKeyRow]
  /// Every table, index, trigger and view.
  package let schema: [SchemaObject]

  /// Opens an existing store; throws if the file is not a store.
  ///
  /// A store in a folder that is not writable is opened read-only if its write-ahead log holds no changes.
  package convenience init(url: URL, mode: Database.Mode = .readOnly, busyTimeout: Int = 5_000) throws {
    // A new file would not be a store; `PersistentStore.create` creates stores.
    let mode = mode == .create ? .readWrite : mode
    do {
      let database = try StoreOpening.open(url, mode: mode, busyTimeout: busyTimeout)
      try database.registerDerivedAttributeFunctions()
      try self.init(url: url, mode: mode, database: database)
    } catch let error as SQLiteError {
      throw StoreOpening.diagnostic(for: error, url: url)
    }
  }

  /// Reads a store through a connection that is already open, in the state that the connection's transaction sees.
  package convenience init(reopening file: StoreFile) throws {
    try self.init(url: file.url, mode: file.mode, database: file.database)
  }

  /// Calls a function with the store in its present state, whatever another program writes meanwhile.
  package func readingConsistently<Result>(_ body: (StoreFile) throws -> Result) throws -> Result {
    // Lets SQLite sort large results on disk. The setting cannot be changed within a transaction.
    try database.execute("PRAGMA temp_store = FILE")
    return try database.transaction(.deferred) { try body(StoreFile(reopening: self)) }
  }

  private init(url: URL, mode: Database.Mode, database: Database) throws {
    self.url = url
    self.mode = mode
    self.database = database
    do {
      schema = try database.schemaObjects()
      let tables = Set(schema.filter { $0.type == .table }.map { $0.name.uppercased() })
      for table in ["Z_METADATA", "Z_PRIMARYKEY"] where !tables.contains(table) {
        throw StoreMistake.notAStore(missing: table).diagnostic(url)
      }
      metadata = try database.readMetadata(of: url)
      primaryKeys = try database.readPrimaryKeys(of: url)
    } catch let error as SQLiteError {
      throw StoreOpening.diagnostic(for: error, url: url)
    }
  }

  /// A Boolean value that indicates whether the store embeds its own model.
  package var hasModelCache: Bool { schema.contains { $0.type == .table && $0.name == "Z_MODELCACHE" } }

  /// Returns the column names of a table.
  func columns(of table: String) throws -> [String] { try database.columns(of: table).map(\.name) }

  /// Returns the layout of a model's objects in this store.
  ///
  /// - Throws: `Diagnostic` if a table or a column is missing.
  package func layout(of model: ManagedObjectModel, configuration: String?) throws -> PhysicalLayout {
    if let configuration { try model.requireConfiguration(configuration) }
    let held = model.restricted(to: configuration)
    do {
      let numbers = try EntityNumbers(matching: held, rows: primaryKeys, store: url)
      var layout = PhysicalLayout(model: held, numbers: numbers)
      try layout.fit(to: database, store: url)
      return layout
    } catch let error as SQLiteError {
      throw StoreOpening.diagnostic(for: error, url: url)
    }
  }

  /// Closes the file; results that still refer to it can no longer be used.
  package func close() throws { try database.close() }
}

extension StoreFile {
  /// Finds the model that the store was written with: by its version hashes, or else by the model that it embeds, or
  /// else by its tables and columns. Never guesses.
  ///
  /// Models that differ only in parameters that a store does not record, such as default values and class names, are
  /// one version: the result is the preferred model, or else the last of them, with the others as its twins.
  ///
  /// Some hashes can only be assumed. Where no other hash differs, the store's own model decides, or else its columns.
  ///
  /// - Parameters:
  ///   - models: The versions, the oldest first.
  ///   - preferred: The model to choose if the store cannot distinguish it from others.
  package func version(
    among models: [ManagedObjectModel], preferring preferred: ManagedObjectModel? = nil
  ) throws -> StoreVersion {
    let byHashes = models.compactMap(fitByHashes)
    // The hashes, and perhaps an identifier, are all that a store records about its model.
    if !byHashes.isEmpty {
      let identified = try withFittingColumns(identified(byHashes))
      guard identified.isEmpty else { return .one(Self.choice(among: identified, preferred)) }
      let stored = metadata.versionID ?? ""
      return .none(
        byHashes.map { fit in
          StoreVersion.Misfit(
            model: fit.model,
            reasons: [
              "the store has the version ID \(stored.quotedName), and not \((fit.model.versionID ?? "").quotedName)"
            ])
        })
    }
    let own: ManagedObjectModel? = if case .current(let model) = try carriedModel() { model } else { nil }
    let ownHashes = own?.entityVersionHashes(ignoringStated: true).mapValues(\.hash)
    let byStructure = try models.flatMap { model in
      // Tables prove less than hashes: a model is excluded if its hashes show that the store has another version.
      let hashes = model.entityVersionHashes()
      return try configurations(of: model).filter {
        let members = $0.map(model.entityNames(of:))
        guard !isContradicted(by: hashes, in: members) else { return false }
        guard let ownHashes else { return try structureDifferences(model.restricted(to: $0)).isEmpty }
        let computed = model.entityVersionHashes(ignoringStated: true).filter { members?.contains($0.key) ?? true }
        return computed.mapValues(\.hash) == ownHashes
      }
      .prefix(1).map { StoreVersion.Fit(model: model, evidence: .structure, configuration: $0) }
    }
    if let first = byStructure.first {
      let areTwins = byStructure.allSatisfy { $0.model.hasSameVersionHashes(as: first.model) }
      return areTwins ? .one(Self.choice(among: byStructure, preferred)) : .several(byStructure)
    }
    if let own { return .one(StoreVersion.Fit(model: own, evidence: .modelCache, configuration: nil)) }
    let misfits = try models.map { (model: $0, reasons: try reasonsAgainst($0)) }.sorted { one, other in
      let (count, otherCount) = (one.reasons.reduce(0) { $0 + $1.count }, other.reasons.reduce(0) { $0 + $1.count })
      return (one.reasons.count, count) < (other.reasons.count, otherCount)
    }
    return .none(misfits.map { StoreVersion.Misfit(model: $0.model, reasons: $0.reasons.map(\.text)) })
  }

  /// Returns the fit of a model that has the store's version hashes, all of them or those of a configuration; `nil` if it
  /// has others.
  package func fitByHashes(_ model: ManagedObjectModel) -> StoreVersion.Fit? {
    let stored = metadata.versionHashes
    guard !stored.isEmpty, stored.keys.allSatisfy({ model.entity(named: $0) != nil }) else { return nil }
    return configurations(of: model).first { configuration in
      let members = configuration.map(model.entityNames(of:))
      // Most versions have other entities, which takes no hash to find out.
      let names = Set(model.entities.lazy.map(\.name).filter { members?.contains($0) ?? true })
      return names.count == stored.count && stored.allSatisfy { names.contains($0) && model.versionHashes[$0] == $1 }
    }
    .map { StoreVersion.Fit(model: model, evidence: .versionHashes, configuration: $0) }
  }

  /// Returns the model that the store was written with; throws if none or more than one matches.
  package func model(
    among models: [ManagedObjectModel], preferring preferred: ManagedObjectModel? = nil
  ) throws -> StoreVersion.Fit {
    switch try version(among: models, preferring: preferred) {
    case .one(let fit): return fit
    case .several(let fits): throw ambiguity(of: fits)
    case .none(let misfits): throw refusal(of: misfits)
    }
  }

  /// Returns the model that the store embeds; nil if it has none, or a stale one of another version.
  ///
  /// Throws if the embedded model cannot be read.
  package func cachedModel() throws -> ManagedObjectModel? {
    switch try carriedModel() {
    case .none, .stale: return nil
    case .current(let model): return model
    case .unreadable(let reason): throw reason
    }
  }

  /// Returns the models that have the store's version ID.
  ///
  /// A store without one was written before the author had to distinguish versions, or by another program: it has the
  /// oldest version. A model without one accepts every store, unless another model has the store's ID.
  private func identified(_ fits: [StoreVersion.Fit]) -> [StoreVersion.Fit] {
    guard let stored = metadata.versionID else {
      return fits.filter { $0.model.versionID == fits.first?.model.versionID }
    }
    let exact = fits.filter { $0.model.versionID == stored }
    return exact.isEmpty ? fits.filter { $0.model.versionID == nil } : exact
  }

  /// Returns those models whose columns the store has, or all of them if there are none.
  ///
  /// The names of derived and composite attributes are not hashed, nor does a hash show if a relationship without an
  /// inverse has become its own inverse. So models with the same hashes can have different columns.
  private func withFittingColumns(_ fits: [StoreVersion.Fit]) throws -> [StoreVersion.Fit] {
    guard fits.count > 1 else { return fits }
    let fitting = try fits.filter { try structureDifferences($0.model.restricted(to: $0.configuration)).isEmpty }
    return fitting.isEmpty ? fits : fitting
  }

  /// Returns one of several models that the store cannot distinguish.
  private static func choice(
    among fits: [StoreVersion.Fit], _ preferred: ManagedObjectModel?
  ) -> StoreVersion.Fit {
    let place = fits.lastIndex { $0.model.name == preferred?.name && $0.model == preferred } ?? fits.count - 1
    var fit = fits[place]
    fit.twins = fits.indices.filter { $0 != place }.map { fits[$0].model }
    return fit
  }

  private func configurations(of model: ManagedObjectModel) -> [String?] {
    [nil] + model.configurations.map(\.name)
  }

  /// Returns true if the store records a hash that the model certainly does not have.
  private func isContradicted(by hashes: [String: EntityVersionHash], in members: Set<String>?) -> Bool {
    metadata.versionHashes.contains { name, stored in
      guard members?.contains(name) ?? true, let own = hashes[name] else { return true }
      return own.hash != stored && !own.isAssumed
    }
  }
}

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
