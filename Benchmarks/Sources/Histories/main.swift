import Foundation
import Heavylift
import Measuring

/// Measures a long history with few rows: what it costs to plan it, to migrate a store of its first version, hop by hop or
/// composed, and to find out that a store is current.
struct HistoryBenchmark {
  var seed: UInt64
  var versions: Int
  var entities: Int
  var rows: Int
  var rounds: Int

  func run() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "heavylift-histories-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let history = History(seed: seed, versions: versions, entities: entities)
    let source = folder.appending(path: "first.sqlite")
    try fill(source, history.versions[0])
    let store = folder.appending(path: "store.sqlite")
    let single = IncrementalMigrationOptions(fusesHops: false)
    func manager() -> IncrementalMigrationManager {
      IncrementalMigrationManager(models: history.versions, infersMissingMappings: true)
    }
    func renew() throws {
      try? FileManager.default.removeItem(at: store)
      try FileManager.default.copyItem(at: source, to: store)
    }
    let hops = try manager().plan(for: source).hops
    print("\(versions) versions (seed \(seed)) of \(entities) entities with \(rows) rows each; \(hops.count) hops left")
    try report("plain SQL, version by version", renew) {
      let connection = PlainConnection(store.path)
      for statements in history.statements {
        connection.execute((["BEGIN"] + statements + ["COMMIT"]).joined(separator: ";"))
      }
    }
    try report("plan", renew) { _ = try manager().plan(for: store) }
    try report("migrate", renew) { _ = try manager().migrate(store) }
    try report("migrate hop by hop", renew) { _ = try manager().migrate(store, options: single) }
    try renew()
    try manager().migrate(store)
    try report("current", {}) { _ = try manager().migrate(store) }
    let bundle = folder.appending(path: "History.xcdatamodeld")
    let files = history.versions.map { ModelBundle.Version(name: $0.name ?? "", model: $0) }
    try ModelBundle(versions: files, currentVersionName: files.last?.name).write(to: bundle)
    try report("current, all files read", {}) {
      let models = try ModelBundle(contentsOf: bundle).versions.map(\.model)
      _ = try IncrementalMigrationManager(models: models, infersMissingMappings: true).migrate(store)
    }
    try report("current, needed files read", {}) {
      let versions = try ModelVersions(contentsOf: bundle)
      _ = try IncrementalMigrationManager(versions: versions, infersMissingMappings: true).migrate(store)
    }
  }

  private func fill(_ url: URL, _ model: ManagedObjectModel) throws {
    try PersistentStore.create(at: url, model: model).close()
    let connection = PlainConnection(url.path)
    connection.execute("PRAGMA synchronous = OFF; BEGIN")
    for place in 0..<entities {
      connection.execute(
        """
        WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < \(rows))
        INSERT INTO ZENTITY\(place) (Z_PK, Z_ENT, Z_OPT, ZCOUNT, ZISKEPT, ZOWNER, ZCHANGED, ZRATING, ZNAME, ZNOTE)
          SELECT n, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Entity\(place)'), 1, n % 1000, n % 2,
            (n * 48271) % \(rows) + 1, n * 1013.25, n % 50 / 10.0, 'Name ' || n, 'a note with number ' || n FROM r;
        UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows) WHERE Z_NAME = 'Entity\(place)'
        """)
    }
    connection.execute("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func report(_ title: String, _ prepare: () throws -> Void, _ body: () throws -> Void) throws {
    var times: [Duration] = []
    for _ in 0..<rounds {
      try prepare()
      times.append(try ContinuousClock().measure(body))
    }
    let median = times.sorted()[times.count / 2]
    let milliseconds = Double(median.components.attoseconds) / 1e15 + Double(median.components.seconds) * 1e3
    print("  " + title.padding(toLength: 32, withPad: " ", startingAt: 0), String(format: "%9.1f ms", milliseconds))
  }
}

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
try HistoryBenchmark(
  seed: UInt64(arguments.dropFirst(3).first ?? 1), versions: arguments.first ?? 60,
  entities: arguments.dropFirst().first ?? 20, rows: arguments.dropFirst(2).first ?? 10, rounds: 3
).run()
