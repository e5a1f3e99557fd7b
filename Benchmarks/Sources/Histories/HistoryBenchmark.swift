import Foundation
import Heavylift
import Measuring

/// The variants, each of which is measured in its own process.
enum Variant: String, CaseIterable {
  case plain = "plain SQL, version by version"
  case plan = "plan"
  case migrate = "migrate"
  case direct = "one inferred hop"
  case hopByHop = "hop by hop"
  case current = "current"
  case currentAllFiles = "current, all files read"
  case currentNeededFiles = "current, needed files read"
}

/// Measures a long history: what it costs to plan it, to migrate a store of its first version, and to find out that a store
/// is current.
struct HistoryBenchmark {
  var versions: Int
  var entities: Int
  /// The number of rows in each of the first `filled` entities.
  var rows: Int
  var seed: UInt64
  var filled: Int

  func run(rounds: Int, only: String?, arguments: [String]) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "heavylift-histories-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let history = History(seed: seed, versions: versions, entities: entities)
    let (source, store) = (folder.appending(path: "first.sqlite"), folder.appending(path: "store.sqlite"))
    try fill(source, history.versions[0])
    let files = history.versions.map { ModelBundle.Version(name: $0.name ?? "", model: $0) }
    try ModelBundle(versions: files, currentVersionName: files.last?.name).write(to: Self.bundle(folder))
    let hops = try IncrementalMigrationManager(models: history.versions, infersMissingMappings: true).plan(for: source)
      .hops.count
    print(
      "\(versions) versions (seed \(seed)), \(entities) entities, \(filled) of them with \(rows) rows each; "
        + "\(hops) hops left")
    try FileManager.default.copyItem(at: source, to: store)
    try IncrementalMigrationManager(models: history.versions, infersMissingMappings: true).migrate(store)
    let newest = folder.appending(path: "newest.sqlite")
    try FileManager.default.moveItem(at: store, to: newest)
    // Round by round, so that the load of the machine affects all variants alike.
    var costs: [Variant: [RunCost]] = [:]
    let variants = Variant.allCases.filter { only.map($0.rawValue.contains) ?? true }
    for _ in 0..<rounds {
      for variant in variants {
        try? FileManager.default.removeItem(at: store)
        try FileManager.default.copyItem(at: variant.rawValue.hasPrefix("current") ? newest : source, to: store)
        let call = arguments + ["--child", variant.rawValue, "--folder", folder.path]
        costs[variant, default: []].append(try RunCost(ofChild: call))
      }
    }
    for variant in variants {
      let cost = RunCost(medianOf: costs[variant, default: []])
      let least = costs[variant, default: []].map(\.wall).min() ?? cost.wall
      print(
        "  " + variant.rawValue.padding(toLength: 32, withPad: " ", startingAt: 0),
        String(
          format: "%9.1f ms (at least %9.1f) %9.1f ms CPU %6.0f MiB", cost.wall * 1e3, least * 1e3, cost.cpu * 1e3,
          cost.peak))
    }
  }

  /// Measures one variant in this process.
  func measure(_ variant: Variant, in folder: URL) throws {
    let store = folder.appending(path: "store.sqlite")
    let history = History(seed: seed, versions: versions, entities: entities)
    func manager(_ models: [ManagedObjectModel]? = nil) -> IncrementalMigrationManager {
      IncrementalMigrationManager(models: models ?? history.versions, infersMissingMappings: true)
    }
    try RunCost.printing {
      switch variant {
      case .plain:
        let connection = PlainConnection(store.path)
        for statements in history.statements {
          connection.execute((["BEGIN"] + statements + ["COMMIT"]).joined(separator: ";"))
        }
      case .plan: _ = try manager().plan(for: store)
      case .migrate, .current: try manager().migrate(store)
      case .direct: try manager([history.versions[0], history.versions[versions - 1]]).migrate(store)
      case .hopByHop: try manager().migrate(store, options: IncrementalMigrationOptions(composesHops: false))
      case .currentAllFiles:
        try manager(try ModelBundle(contentsOf: Self.bundle(folder)).versions.map(\.model)).migrate(store)
      case .currentNeededFiles:
        let versions = try ModelVersions(contentsOf: Self.bundle(folder))
        try IncrementalMigrationManager(versions: versions, infersMissingMappings: true).migrate(store)
      }
    }
  }

  private static func bundle(_ folder: URL) -> URL { folder.appending(path: "History.xcdatamodeld") }

  private func fill(_ url: URL, _ model: ManagedObjectModel) throws {
    try PersistentStore.create(at: url, model: model).close()
    let connection = PlainConnection(url.path)
    connection.execute("PRAGMA synchronous = OFF; BEGIN")
    for place in 0..<filled {
      // Rows of an entity lead to those of the next one, which may be empty.
      let owner = (place + 1) % entities < filled ? "(n * 48271) % \(rows) + 1" : "NULL"
      connection.execute(
        """
        WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < \(rows))
        INSERT INTO ZENTITY\(place) (Z_PK, Z_ENT, Z_OPT, ZCOUNT, ZISKEPT, ZOWNER, ZCHANGED, ZRATING, ZNAME, ZNOTE)
          SELECT n, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Entity\(place)'), 1, n % 1000, n % 2,
            \(owner), n * 1013.25, n % 50 / 10.0, 'Name ' || n, 'a note with number ' || n FROM r;
        UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows) WHERE Z_NAME = 'Entity\(place)'
        """)
    }
    connection.execute("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
