import Foundation
import HeavyliftSQLite
import HeavyliftStore

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
    func insert(_ source: Associations.Object, _ destination: Associations.Object) throws {
      try statement.bind(
        [Int64(step.mappingIndex), Int64(source.entity), source.key, Int64(destination.entity), destination.key].map {
          .integer($0)
        })
      try statement.execute()
    }
    if let rule = step.keyRule, let old = step.sourceNumber, let new = step.destinationNumber {
      let keys = run.associations.declaredKeys(mapping: step.mappingIndex)
      let pages = keys.sortedPages
      var last: Int64 = 0
      // In batches: the set is small because it is a bitmap, but a list of all its keys would not be.
      while case let some = keys.keys(after: last, atMost: 4_096, pages: pages), let end = some.last {
        for key in some {
          try insert(.init(entity: old, key: key), .init(entity: new, key: rule.destinationKey(ofSource: key)))
        }
        last = end
      }
    }
    try run.associations.forEachAssociation(mapping: step.mappingIndex) { _, source, destination in
      try insert(source, destination)
    }
  }
}
