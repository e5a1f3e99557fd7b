import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Values that statements read from rows that were not surveyed: those of related objects, and those that a filter
/// excludes. SQL could read them as other values.
extension SourceSurvey {
  /// Returns the reason why no statement can create an entity mapping's rows; nil if there is none.
  ///
  /// - Parameter surveyed: The source entities all of whose rows were surveyed.
  mutating func misreading(_ place: Int, besides surveyed: Set<String>) throws -> MigrationPlan.Reason? {
    guard let statement = rows[place]?.statement else { return nil }
    return try misfits(in: statement.otherReads, besides: surveyed).first.map { entity, key in
      .init("object \(key) of entity '\(entity)', which it reads, has a value that SQL may read as another one")
    }
  }

  /// Throws if an entity mapping's filter reads an invalid value: SQL would not take the object, or take it by mistake.
  mutating func checkFilterReads(_ place: Int, besides surveyed: Set<String>) throws {
    let mapping = stores.mappings[place]
    guard mapping.filter != nil, let statement = try? stores.rowsAlone(of: place) else { return }
    for (entity, key) in try misfits(in: statement.filterReads, besides: surveyed) {
      do {
        try stores.sourceStore.requireValidValues(ofEntity: entity, key: key)
      } catch {
        var wrapped = MigrationError.wrapping(error, .migration, .init(mapping: mapping.name))
        wrapped.problem = "its filter fails: \(wrapped.problem)"
        throw wrapped
      }
    }
  }

  private mutating func misfits(
    in reads: [String: Set<String>], besides surveyed: Set<String>
  ) throws -> [(entity: String, key: Int64)] {
    try reads.sorted { $0.key < $1.key }.compactMap { name, columns in
      let kinds = stores.sourceModel.entities.filter { stores.sourceModel.entity($0, isKindOf: name) }.map(\.name)
      if kinds.allSatisfy({ counts[$0] ?? 0 == 0 || surveyed.contains($0) }) { return nil }
      let read = OtherRead(entity: name, columns: columns)
      let misfit: Int64?
      if let known = otherReads[read] {
        misfit = known
      } else {
        let computed = stores.viewed.map { viewed in Set(kinds.flatMap { viewed.computed[$0] ?? [] }) }
        var known = KeySet()
        for (place, rows) in rows where rows.question != nil && computed == nil {
          if kinds.contains(stores.mappings[place].sourceEntityName ?? "") { known.formUnion(rows.keys) }
        }
        misfit = try stores.sourceStore.misfit(inColumns: columns, of: name, among: computed, besides: known)
        otherReads[read] = .some(misfit)
      }
      return misfit.map { (name, $0) }
    }
  }
}
