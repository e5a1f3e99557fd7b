import HeavyliftSQLite

/// The relation between the keys of the objects that one entity mapping created and the keys of their sources, as
/// recorded by a migration.
package struct ProvenanceRule {
  package var sourceEntity: Int
  package var destinationEntity: Int
  package var offset: Int64
  package var sources = KeySet()
  /// True if destination keys cannot be derived from source keys: a source has several destinations, or the entities or
  /// the offset between the keys are not the same for all objects.
  package var hasExceptions = false

  package init(sourceEntity: Int, destinationEntity: Int, offset: Int64) {
    self.sourceEntity = sourceEntity
    self.destinationEntity = destinationEntity
    self.offset = offset
  }
}

extension MigrationProvenance {
  /// Returns the rule of each entity mapping that created objects, by its index.
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
