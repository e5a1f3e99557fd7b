import Foundation
import HeavyliftSQLite
import HeavyliftStore
import HeavyliftReports
import HeavyliftEngine

/// Writes the provenance after all objects exist.
struct ProvenanceWriter {
  private let run: MigrationRun

  init(_ run: MigrationRun) { self.run = run }

  /// - Parameter rights: The store's access rights, which the file also gets because it identifies the store's objects.
  func write(to url: URL, _ rights: FileRights?) throws {
    try rights?.makeFile(at: url)
    let database = try Database(path: url.path, mode: .create)
    try database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4096")
    try database.transaction {
      try database.execute(MigrationProvenance.schema)
      try database.run(
        "INSERT INTO store VALUES (?, ?)", .text(run.source.metadata.identifier),
        .text(run.destination.metadata.identifier))
      try database.run(
        "INSERT INTO hop VALUES (1, ?, ?)", .text(run.source.model.name ?? ""), .text(run.destination.model.name ?? ""))
      try write(run.source, "source", to: database)
      try write(run.destination, "destination", to: database)
      for step in run.steps { try write(step, to: database) }
      try database.execute(MigrationProvenance.indexes)
    }
    try database.close()
  }

  private func write(_ store: PersistentStore, _ side: String, to database: Database) throws {
    for entity in store.layout.entities {
      try database.run(
        "INSERT INTO \(side)_entity VALUES (?, ?, ?)", .integer(Int64(entity.number)), .text(entity.name),
        .text(ManagedObjectID.path(ofEntityNamed: entity.name)))
    }
  }

  private func write(_ step: EntityMappingStep, to database: Database) throws {
    try database.run(
      "INSERT INTO entity_mapping VALUES (?, ?)", .integer(Int64(step.mappingIndex)), .text(step.name))
    try database.run(
      "INSERT INTO hop_mapping VALUES (?, 1, ?, ?)", .integer(Int64(step.mappingIndex)),
      .integer(Int64(step.modelIndex)), .text(step.name))
    let statement = try database.cached("INSERT INTO origin VALUES (?, ?, ?, ?, ?)")
    try run.forEachOrigin(of: step) { source, destination in
      try statement.bind(
        [Int64(step.mappingIndex), Int64(source.entity), source.key, Int64(destination.entity), destination.key].map {
          .integer($0)
        })
      try statement.execute()
    }
  }
}

/// The file format of a provenance.
enum ProvenanceForm {
  /// An SQLite file, for `MigrationProvenance` and for SQL queries.
  case database
  /// One line of JSON for each record.
  case lines

  /// Chooses the format by the file extension.
  init(of url: URL) { self = url.pathExtension.lowercased() == "jsonl" ? .lines : .database }
}

/// Writes a provenance as lines of JSON: `{"source":"x-coredata://…","destination":"x-coredata://…","mappings":["…"]}`.
struct ProvenanceLines {
  let provenance: URL
  let files: FileOperations

  func write(to url: URL, cancellation: MigrationCancellation) throws {
    let provenance = try MigrationProvenance(contentsOf: provenance)
    // There are only a few different lists of mappings, and each occurs in many lines.
    var mappings: [[String]: String] = [:]
    try files.writeLines(to: url) { write in
      try provenance.forEach { record in
        if let reason = cancellation.reason { throw reason }
        let names = record.entityMappingNames
        let text =
          mappings[names] ?? names.map(JSONText.quoted).joined(separator: ",")
        mappings[names] = text
        let (source, destination) = (record.source.uriRepresentation, record.destination.uriRepresentation)
        try write(
          "{\"source\":\(JSONText.quoted(source)),\"destination\":\(JSONText.quoted(destination)),"
            + "\"mappings\":[\(text)]}")
      }
    }
  }
}

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
