import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Decides whether the destination starts as a copy of the source's file, and which tables it then keeps.
///
/// A table is kept if writing its rows would give the same rows: its entities' objects are all migrated, keep their
/// keys and their values, and their links lead to objects that keep their keys.
struct KeptTablePlanner {
  private let survey: SourceSurvey
  private let keeping: TableKeeping
  private let usedShare: Double
  private var stores: MappedStores { survey.stores }
  private var source: PhysicalLayout { stores.source.layout }
  private var destination: PhysicalLayout { stores.destination.layout }

  /// - Parameter usedShare: The share of the source's file that is in use.
  init(_ survey: SourceSurvey, _ keeping: TableKeeping, _ usedShare: Double) {
    (self.survey, self.keeping, self.usedShare) = (survey, keeping, usedShare)
  }

  /// Returns the share of the source's file that is in use; nil if the destination must start as a new file, judging by
  /// the source's file and by who may look: a policy must not see rows before their entity mapping's turn.
  static func usedShareOfCopy(
    of stores: MappedStores, _ bytes: Int64, _ options: MigrationOptions
  ) throws -> Double? {
    guard options.keeping != .never, !options.forcesObjects, !stores.isObserved,
      options.keeping == .always || bytes >= TableKeeping.leastBytes
    else { return nil }
    return try stores.sourceStore.usedShareOfCopy
  }

  /// Adds the tables to keep to the plan.
  func plan(_ plan: inout MigrationPlan) throws {
    let candidates = try destination.tables.compactMap { try candidate($0, plan) }
    guard keeping == .always || isWorthwhile(candidates) else { return }
    var kept: [(candidate: Candidate, table: KeptTable)] = []
    for candidate in candidates {
      do {
        let table = try stores.sourceStore.keptTable(candidate.oldName, as: candidate.table, candidate.rows)
        kept.append((candidate, table))
      } catch is NotKept {
        continue
      }
    }
    guard !kept.isEmpty, keeping == .always || isWorthwhile(kept.map(\.candidate)) else { return }
    plan.keptTables = kept.map(\.table)
    for mappingIndex in kept.flatMap(\.candidate.mappingIndexes) { plan.steps[mappingIndex].rows = .kept }
  }

  // MARK: Tables

  /// A table that may be kept, judging by the mappings alone.
  private struct Candidate {
    var table: TableLayout
    var oldName: String
    /// The entity mappings that create its rows.
    var mappingIndexes: [Int]
    var rows: [KeptRows]
  }

  private func candidate(_ table: TableLayout, _ plan: MigrationPlan) throws -> Candidate? {
    let names = Set(destination.entities.filter { $0.tableName == table.name }.map(\.name))
    let mappingIndexes = stores.mappings.indices.filter {
      stores.mappings[$0].destinationEntityName.map(names.contains) ?? false && plan.steps[$0].rows != .nothing
    }
    let sources = mappingIndexes.map { stores.mappings[$0].sourceEntityName ?? "" }
    guard !mappingIndexes.isEmpty, Set(sources).count == sources.count,
      Set(mappingIndexes.map { stores.modelIndexes[$0] }).count == 1,
      let oldName = source.entity(named: sources[0])?.tableName
    else { return nil }
    let oldNames = source.entities.filter { $0.tableName == oldName }.map(\.name)
    let present = Set(oldNames.filter { survey.counts[$0] ?? 0 > 0 })
    guard present.isSubset(of: sources), Set(sources).isSubset(of: oldNames), isAlone(oldName, besides: names) else {
      return nil
    }
    let rows = try mappingIndexes.compactMap { try self.rows(of: $0, plan) }
    guard rows.count == mappingIndexes.count else { return nil }
    return Candidate(table: table, oldName: oldName, mappingIndexes: mappingIndexes, rows: rows)
  }

  /// True if no entity mapping creates other objects from the objects of the table: only one table can take it over.
  private func isAlone(_ oldName: String, besides names: Set<String>) -> Bool {
    stores.mappings.allSatisfy { mapping in
      guard let entity = mapping.sourceEntityName, source.entity(named: entity)?.tableName == oldName,
        let destination = mapping.destinationEntityName
      else { return true }
      return names.contains(destination)
    }
  }

  private func rows(of mappingIndex: Int, _ plan: MigrationPlan) throws -> KeptRows? {
    let (step, mapping) = (plan.steps[mappingIndex], stores.mappings[mappingIndex])
    guard step.rows == .sql, step.keyOffset == 0, survey.knownKeys(mappingIndex) != nil,
      let rows = survey.rows[mappingIndex], let columns = rows.columns,
      let entity = stores.destinationModel.entity(named: mapping.destinationEntityName),
      !stores.destinationModel.allAttributes(of: entity).contains(where: \.isDerived)
    else { return nil }
    var links: [KeptRows.Link] = []
    for link in step.rowRelationships {
      guard let link = try self.link(link, of: mapping.sourceEntityName ?? "", columns, plan) else { return nil }
      links.append(link)
    }
    return try? KeptRows(rows.statement, links, columns)
  }

  /// Returns a relationship whose targets all exist and keep their keys; nil for any other.
  private func link(
    _ link: RelationshipPlan, of entity: String, _ columns: ColumnFacts, _ plan: MigrationPlan
  ) throws -> KeptRows.Link? {
    guard let name = link.source,
      link.targets.allSatisfy({
        plan.steps[$0].keyOffset == 0 && plan.steps[$0].rows != .nothing && stores.isUnfiltered($0)
      })
    else { return nil }
    let reached = Set(link.targets.compactMap { stores.mappings[$0].sourceEntityName })
    var present = KeySet()
    for name in reached { present.formUnion(try survey.keys.all(ofEntity: name)) }
    guard let column = source.entity(named: entity)?.toOne(named: name)?.column,
      columns.keys(inColumn: column)?.isSubset(of: present) == true
    else { return nil }
    var numbers: [Int: Int] = [:]
    for mappingIndex in link.targets {
      guard let old = source.entity(named: stores.mappings[mappingIndex].sourceEntityName),
        let new = destination.entity(named: stores.mappings[mappingIndex].destinationEntityName),
        numbers.updateValue(new.number, forKey: old.number) == nil
      else { return nil }
    }
    return KeptRows.Link(relationship: link.name, sourceRelationship: name, numbers: numbers)
  }

  // MARK: Cost

  /// True if copying the whole file takes less time than writing the rows of these tables.
  private func isWorthwhile(_ candidates: [Candidate]) -> Bool {
    let tables = Set(candidates.map(\.oldName))
    var (kept, all) = (0, 0)
    for entity in source.entities {
      // The keys take about as much space as another column.
      let columns = 1 + entity.attributes.count + entity.toOnes.count
      let cells = (survey.counts[entity.name] ?? 0) * columns
      all += cells
      if tables.contains(entity.tableName) { kept += cells }
    }
    return Double(kept) * usedShare >= Double(all) * TableKeeping.leastShare
  }
}

/// Settings for starting the destination as a copy of the source's file.
package enum TableKeeping: Hashable, Sendable {
  /// The size of a file below which copying it saves nothing worth mentioning.
  static let leastBytes: Int64 = 1 << 20
  /// The share of the file that must be kept. Copying a page takes about a fifth of the time that it takes to write
  /// the same rows with statements.
  static let leastShare = 0.3

  /// If it is faster.
  case byCost
  case always
  case never
}
