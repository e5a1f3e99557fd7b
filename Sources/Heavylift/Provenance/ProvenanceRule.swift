import HeavyliftSQLite

/// How the keys of what one entity mapping made follow from those of its sources, as a migration wrote them down.
package struct ProvenanceRule {
  package var sourceEntity: Int
  package var destinationEntity: Int
  package var offset: Int64
  package var sources = KeySet()
  /// Whether keys do not follow from keys: several objects came of one, or their keys are no fixed distance apart.
  package var hasExceptions = false

  package init(sourceEntity: Int, destinationEntity: Int, offset: Int64) {
    self.sourceEntity = sourceEntity
    self.destinationEntity = destinationEntity
    self.offset = offset
  }
}

extension MigrationProvenance {
  /// The rule of each entity mapping that made something, by its place.
  package func rules() throws -> [Int: ProvenanceRule] {
    var rules: [Int: ProvenanceRule] = [:]
    let statement = try database.cached(
      "SELECT mapping, source_entity, source_key, destination_entity, destination_key FROM origin")
    var cursor = statement.query()
    while try cursor.next() {
      let (mapping, key) = (Int(cursor.row.integer(at: 0)), cursor.row.integer(at: 2))
      let (source, destination) = (Int(cursor.row.integer(at: 1)), Int(cursor.row.integer(at: 3)))
      let (offset, isTooFar) = cursor.row.integer(at: 4).subtractingReportingOverflow(key)
      var rule =
        rules.removeValue(forKey: mapping)
        ?? ProvenanceRule(sourceEntity: source, destinationEntity: destination, offset: offset)
      if isTooFar || rule.offset != offset || rule.sourceEntity != source || rule.destinationEntity != destination
        || !rule.sources.insert(key)
      {
        rule.hasExceptions = true
      }
      rules[mapping] = rule
    }
    return rules
  }
}
