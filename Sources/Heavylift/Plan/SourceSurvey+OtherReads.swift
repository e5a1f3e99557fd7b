import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Values that statements read from rows that were not surveyed: those of related objects, and those that a filter
/// excludes. SQL could read them as other values.
extension SourceSurvey {
  /// Returns the reason why no statement can create an entity mapping's rows; nil if there is none.
  ///
  /// - Parameter surveyed: The source entities all of whose rows were surveyed.
  mutating func misreading(_ mappingIndex: Int, besides surveyed: Set<String>) throws -> MigrationPlan.Reason? {
    guard let statement = rows[mappingIndex]?.statement else { return nil }
    return try misfits(in: statement.otherReads, besides: surveyed).first.map { entity, key in
      .init("object \(key) of entity '\(entity)', which it reads, has a value that SQL may read as another one")
    }
  }

  /// Throws if an entity mapping's filter reads an invalid value: SQL would not take the object, or take it by mistake.
  mutating func checkFilterReads(_ mappingIndex: Int, besides surveyed: Set<String>) throws {
    let mapping = stores.mappings[mappingIndex]
    guard mapping.filter != nil, let entity = mapping.sourceEntityName,
      let statement = try? stores.rowsAlone(of: mappingIndex)
    else { return }
    var found = try misfits(in: statement.otherFilterReads, besides: surveyed)
    let own = Read(entity: entity, includesSubentities: false, columns: statement.filterColumns)
    if !surveyed.contains(entity), !hasSurveyed(filterColumns: own.columns, of: entity), let key = try misfit(own) {
      found.append((entity, key))
    }
    for (entity, key) in found {
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
      let read = Read(entity: name, includesSubentities: true, columns: columns)
      if entities(read).allSatisfy({ counts[$0] ?? 0 == 0 || surveyed.contains($0) }) { return nil }
      return try misfit(read).map { (name, $0) }
    }
  }

  private mutating func misfit(_ read: Read) throws -> Int64? {
    if let known = misfits[read] { return known }
    let entities = entities(read)
    let misfit = try stores.sourceStore.misfit(inColumns: read.columns, ofEntities: entities)
    misfits[read] = .some(misfit)
    return misfit
  }

  private func entities(_ read: Read) -> [String] {
    guard read.includesSubentities else { return [read.entity] }
    let model = stores.sourceModel
    return model.entities.filter { model.entity($0, isKindOf: read.entity) }.map(\.name)
  }
}
