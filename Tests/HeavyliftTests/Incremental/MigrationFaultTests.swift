import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// A migration that fails at each step in turn.
struct FaultScenario: CustomStringConvertible, Codable, Sendable {
  var kind: NoteStores.Kind
  var hasBackup = false
  var isInto = false
  var rewritesPictures = false
  /// True if migration managers run the hops; the test can make their file operations fail, too.
  var usesEngine = false
  /// The provenance file; only the engine writes one.
  var provenance: String?
  /// True if the second hop runs in the store that the first one has written.
  var continues = false

  static let all =
    NoteStores.Kind.allCases.map { FaultScenario(kind: $0) } + [
      FaultScenario(kind: .withLog, hasBackup: true), FaultScenario(kind: .withUnmergedLog, hasBackup: true),
      FaultScenario(kind: .withLog, rewritesPictures: true),
      FaultScenario(kind: .withoutLog, hasBackup: true, rewritesPictures: true),
      FaultScenario(kind: .withUnmergedLog, isInto: true), FaultScenario(kind: .withLog, isInto: true),
      FaultScenario(kind: .withUnmergedLog, hasBackup: true, usesEngine: true),
    ] + withProvenance

  static let withProvenance = [
    FaultScenario(kind: .withLog, hasBackup: true, usesEngine: true, provenance: "Origins.sqlite"),
    FaultScenario(kind: .withoutLog, isInto: true, usesEngine: true, provenance: "Origins.jsonl"),
  ]

  /// Scenarios without anything between the hops that a test could run.
  static let continued = [
    FaultScenario(kind: .withUnmergedLog, hasBackup: true, continues: true),
    FaultScenario(kind: .withoutLog, isInto: true, continues: true),
  ]

  var description: String {
    kind.rawValue + (hasBackup ? ", backup" : "") + (isInto ? ", into" : "") + (rewritesPictures ? ", rewriting" : "")
      + (usesEngine ? ", engine" : "") + (provenance.map { ", \($0)" } ?? "")
      + (continues ? ", continuing" : "")
  }

  /// A folder with a store, and checks of its contents before and after.
  final class Place: Sendable {
    let scenario: FaultScenario
    let folder: TemporaryFolder
    var store: URL { folder.appending("Notes.sqlite") }
    let before: [String: Data]
    /// The old store's inode.
    private let inode: UInt64?

    init(_ scenario: FaultScenario) throws {
      self.scenario = scenario
      folder = try TemporaryFolder()
      try NoteStores.make(at: folder.appending("Notes.sqlite"), scenario.kind)
      before = try NoteStores.listing(folder.url)
      inode = try FileIdentity(scenario.target(in: folder.url))?.inode
    }

    /// Returns the problems with the provenance.
    private func checkProvenance() throws -> [String] {
      guard let name = scenario.provenance else { return [] }
      let way = "NoteToNote → NoteToNote"
      var found: [String] = []
      if name.hasSuffix("jsonl") {
        let text = try String(contentsOf: folder.appending(name), encoding: .utf8)
        found = text.split(separator: "\n").map { line in
          String(line).replacing(/x-coredata:\/\/[^\/]*\//, with: "")
        }
        let lines = (1...3).map {
          #"{"source":"Note/p\#($0)","destination":"Note/p\#($0)","mappings":["NoteToNote","NoteToNote"]}"#
        }
        return found == lines ? [] : ["the provenance is \(found)"]
      }
      try MigrationProvenance(contentsOf: folder.appending(name)).forEach {
        found.append("\($0.entityMappingName): \($0.source.key) → \($0.destination.key)")
      }
      return found == (1...3).map { "\(way): \($0) → \($0)" } ? [] : ["the provenance is \(found)"]
    }

    func migrate(_ files: FileOperations = FileOperations()) throws {
      try scenario.migrate(in: folder.url, files: files)
    }

    /// Returns the problems with the folder after a run that did not finish.
    ///
    /// - Parameter mayLeaveProvenance: True if the run could not clean up. Any provenance that it leaves must be
    ///   complete.
    func check(mayLeaveProvenance: Bool = false) throws -> [String] {
      let target = scenario.target(in: folder.url)
      var problems: [String] = []
      var now = try NoteStores.listing(folder.url)
      if let name = scenario.provenance, now.removeValue(forKey: name) != nil {
        problems += try checkProvenance()
        let isNew = try FileOperations().exists(target) && FileIdentity(target)?.inode != inode
        if !isNew, !mayLeaveProvenance { problems.append("a provenance remains without its store") }
      }
      if scenario.isInto {
        if try FileOperations().exists(target), try NoteStores.contents(target) != NoteStores.newest {
          problems.append("the new store is incomplete")
        }
        // Reading the copy next to the source must not touch the source.
        now = now.filter { $0.key.hasPrefix("Notes") || $0.key.hasPrefix(".Notes_SUPPORT") }
        if now != before { problems.append("the source has changed") }
        return problems
      }
      // Reads a copy, because opening the store would clean up.
      let copy = try TemporaryFolder()
      let url = copy.appending("Notes.sqlite")
      for name in ["Notes.sqlite", "Notes.sqlite-wal", ".Notes_SUPPORT"] {
        let file = folder.appending(name)
        guard FileManager.default.fileExists(atPath: file.path) else { continue }
        try FileManager.default.copyItem(at: file, to: copy.appending(name))
      }
      let found = try NoteStores.contents(url)
      switch found {
      case NoteStores.newest: break
      case NoteStores.oldest:
        // SQLite may have checkpointed the log; nothing else may have changed.
        for (name, data) in before {
          let isOfLog = scenario.kind == .withUnmergedLog && name.hasPrefix("Notes.sqlite")
          if now[name] != data, !isOfLog { problems.append("'\(name)' has changed") }
        }
      default: problems.append("the store is neither the old one nor the new one: \(found)")
      }
      return problems
    }

    /// Returns the problems with the folder after a run that finished.
    func checkEnd() throws -> [String] {
      var problems: [String] = []
      let target = scenario.target(in: folder.url)
      if try NoteStores.contents(target) != NoteStores.newest { problems.append("the store is not the new one") }
      var names: Set = ["Notes.sqlite", ".Notes_SUPPORT"]
      if let name = scenario.provenance {
        names.insert(name)
        problems +=
          try FileOperations().exists(folder.appending(name)) ? try checkProvenance() : ["the provenance is missing"]
      }
      if scenario.isInto {
        names.formUnion(["New.sqlite", ".New_SUPPORT"])
        if try NoteStores.listing(folder.url).filter({ $0.key.contains("Notes") }) != before {
          problems.append("the source has changed")
        }
      }
      if scenario.hasBackup {
        names.formUnion(["Old.sqlite", ".Old_SUPPORT"])
        if try NoteStores.contents(folder.appending("Old.sqlite")) != NoteStores.oldest {
          problems.append("the backup is not the old store")
        }
      }
      let found = Set(
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { name in
          // A reader of the source leaves empty files.
          !(scenario.isInto && (name.hasSuffix("-shm") || name.hasSuffix("-wal")))
        })
      if found != names { problems.append("there are \(found.sorted())") }
      if try ExternalDataFolder(store: target).fileNames().count != 1 { problems.append("old large values remain") }
      return problems
    }
  }

  func target(in folder: URL) -> URL { folder.appending(path: isInto ? "New.sqlite" : "Notes.sqlite") }

  func migrate(
    in folder: URL, files: FileOperations, inTheMiddle: (@Sendable (String) throws -> Void)? = nil
  ) throws {
    let store = folder.appending(path: "Notes.sqlite")
    let execution: any HopExecution =
      usesEngine
      ? EngineHop(inTheMiddle: inTheMiddle)
      : RowCopy(rewritesPictures: rewritesPictures, inTheMiddle: inTheMiddle)
    let manager =
      continues ? NoteStores.continuingManager(files: files) : NoteStores.manager(execution, files: files)
    // Otherwise, both hops would be one.
    var options = IncrementalMigrationOptions(composesHops: continues)
    options.backup = hasBackup ? folder.appending(path: "Old.sqlite") : nil
    options.provenance = provenance.map { folder.appending(path: $0) }
    if isInto {
      try manager.migrate(store, into: target(in: folder), options: options)
    } else {
      try manager.migrate(store, options: options)
    }
  }

  /// Every fifth step, starting at a different one in each scenario; all of them with `Scripts/test --thorough`.
  func sample(of steps: [Int]) -> [Int] {
    let offset = Self.all.firstIndex { $0.description == description } ?? 0
    return steps.enumerated().filter { ($0.offset + offset) % Seeds.interval == 0 }.map(\.element)
  }

  /// The steps of a run without a failure.
  func steps() throws -> [FileOperations.Step] {
    let place = try Place(self)
    let recorder = Recorder<FileOperations.Step>()
    try place.migrate(FileOperations { recorder.append($0) })
    return recorder.values
  }
}

/// Runs hops one by one as the engine does, and then calls a function.
private struct EngineHop: EngineHopExecution {
  var inTheMiddle: (@Sendable (String) throws -> Void)?
  var provenance: URL? { nil }

  func migrate(from source: URL, to destination: URL, hop: MigrationHop) throws -> MigrationReport {
    try migrate(from: source, to: destination, hop: hop, monitor: HopMonitor())
  }

  func migrate(
    from source: URL, to destination: URL, hop: MigrationHop, monitor: HopMonitor
  ) throws -> MigrationReport {
    let report = try MappingHopExecution().migrate(from: source, to: destination, hop: hop, monitor: monitor)
    try inTheMiddle?(hop.destinationModel.name ?? "")
    return report
  }
}

@Suite(.serialized)
struct MigrationFaultTests {
  enum Fault: String, CaseIterable, Sendable {
    case inputOutput, fullDisk, shortWrite

    /// A full disk affects only writes; the other faults affect every step.
    func concerns(_ step: FileOperations.Step) -> Bool {
      switch (self, step) {
      case (.inputOutput, _), (_, .write), (.fullDisk, .copy), (.fullDisk, .makeFolder), (.fullDisk, .link): true
      default: false
      }
    }

    func error(at step: FileOperations.Step) -> any Error {
      switch self {
      case .inputOutput: POSIXError(.EIO)
      case .fullDisk: POSIXError(.ENOSPC)
      case .shortWrite: if case .write = step { FileOperations.ShortWrite(bytes: 40) } else { POSIXError(.ENOSPC) }
      }
    }
  }

  @Test(arguments: FaultScenario.all + FaultScenario.continued, Fault.allCases)
  func `a step that fails leaves the old store or the new one, and the next run ends with the new one`(
    scenario: FaultScenario, fault: Fault
  ) throws {
    let steps = try scenario.steps()
    #expect(steps.count > 20)
    for failing in scenario.sample(of: steps.indices.filter { fault.concerns(steps[$0]) }) {
      let place = try FaultScenario.Place(scenario)
      let counter = Recorder<Int>()
      let files = FileOperations { step in
        counter.append(0)
        if counter.values.count == failing + 1 { throw fault.error(at: step) }
      }
      let problem = failure { try place.migrate(files) }
      let comment = "step \(failing) of \(steps.count), \(steps[failing])\n\(problem ?? "nothing was thrown")"
      #expect(try place.check() == [], Comment(rawValue: comment))
      let second = failure { try place.migrate() }
      if scenario.isInto, problem == nil {
        #expect(second?.contains("already exists") ?? true, Comment(rawValue: comment))
      } else {
        #expect(second == nil, Comment(rawValue: comment))
      }
      #expect(try place.checkEnd() == [], Comment(rawValue: comment))
    }
  }

  @Test(
    arguments: [FaultScenario.all[2], FaultScenario.all[4], FaultScenario.all[8]] + FaultScenario.withProvenance
      + FaultScenario.continued)
  func `a disk that fails permanently leaves the old store or the new one`(scenario: FaultScenario) throws {
    let count = try scenario.steps().count
    for failing in scenario.sample(of: Array(1...count)) {
      let place = try FaultScenario.Place(scenario)
      let counter = Recorder<Int>()
      let files = FileOperations { _ in
        counter.append(0)
        if counter.values.count >= failing { throw POSIXError(.EIO) }
      }
      let problem = failure { try place.migrate(files) }
      let comment = Comment(rawValue: "from step \(failing) of \(count)\n\(problem ?? "nothing was thrown")")
      #expect(try place.check(mayLeaveProvenance: true) == [], comment)
      let second = failure { try place.migrate() }
      #expect(second == nil || scenario.isInto && second?.contains("already exists") == true, comment)
      #expect(try place.checkEnd() == [], comment)
    }
  }

  @Test(arguments: FaultScenario.all)
  func `a hop that fails leaves the old store, and the next run continues from it`(scenario: FaultScenario) throws {
    struct Broken: Error {}
    let place = try FaultScenario.Place(scenario)
    let hops = Recorder<String>()
    let first = failure {
      try scenario.migrate(in: place.folder.url, files: FileOperations()) { version in
        hops.append(version)
        if version == "Notes 3" { throw Broken() }
      }
    }
    #expect(
      first == """
        error[migration.hop]: hop 'Notes 2' → 'Notes 3' of store '\(place.store.resolvingLinks.path)' failed: Broken()
          nothing was changed; 1 of 2 hops can be skipped in the next run
        """)
    #expect(try place.check() == [])
    #expect(try NoteStores.listing(place.folder.url) == place.before)
    try scenario.migrate(in: place.folder.url, files: FileOperations()) { hops.append($0) }
    #expect(hops.values == ["Notes 2", "Notes 3", "Notes 3"])
    #expect(try place.checkEnd() == [])
  }

  @Test func `a first hop that fails leaves no files`() throws {
    struct Broken: Error {}
    let place = try FaultScenario.Place(FaultScenario(kind: .withLog))
    #expect(
      failure { try place.scenario.migrate(in: place.folder.url, files: FileOperations()) { _ in throw Broken() } }
        == """
        error[migration.hop]: hop 'Notes 1' → 'Notes 2' of store '\(place.store.resolvingLinks.path)' failed: Broken()
          nothing was changed
        """)
    #expect(try NoteStores.listing(place.folder.url, withWorkFolder: true) == place.before)
  }

  @Test func `too little disk space is detected in advance`() throws {
    let place = try FaultScenario.Place(FaultScenario(kind: .withLog))
    var files = FileOperations()
    files.availableBytesForTests = 1_000
    let needed = try NoteStores.manager().plan(for: place.store).neededBytes
    #expect(
      failure { try place.migrate(files) } == """
        error[migration.no-space]: store '\(place.store.resolvingLinks.path)' needs about \(needed.byteText) on its disk to \
        be migrated, but only 1.0 kB is free
          free some space, or migrate to another disk; nothing was changed
        """)
    #expect(try NoteStores.listing(place.folder.url, withWorkFolder: true) == place.before)
  }

  @Test func `finished hops are not reused when models, policies or the store have changed`() throws {
    struct Broken: Error {}
    for change in ["revision", "store"] {
      let place = try FaultScenario.Place(FaultScenario(kind: .withLog))
      let hops = Recorder<String>()
      var options = IncrementalMigrationOptions(revision: "1")
      _ = failure {
        try NoteStores.manager(
          RowCopy { if $0 == "Notes 3" { throw Broken() } }
        ).migrate(place.store, options: options)
      }
      if change == "revision" { options.revision = "2" }
      if change == "store" {
        let database = try Database(path: place.store.path, mode: .readWrite)
        try database.execute("UPDATE ZNOTE SET ZTEXT = 'changed' WHERE Z_PK = 1")
        try database.close()
      }
      try NoteStores.manager(RowCopy { hops.append($0) }).migrate(place.store, options: options)
      #expect(hops.values == ["Notes 2", "Notes 3"])
      let texts = try NoteStores.contents(place.store)
      #expect(texts.contains("changed") == (change == "store"))
    }
  }
}
