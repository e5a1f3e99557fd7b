import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// Commands that only read leave every real store, and everything next to it, unchanged byte for byte.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
struct ReadingCommandTests {
  /// The files next to a store before a command reads it.
  enum Condition: String, CaseIterable {
    /// As it was published; some have an unmerged log.
    case published
    /// As left by a program that was killed after a checkpoint.
    case emptyLog = "with an empty -wal and a stale -shm"
    case inUse = "open in another process"
  }

  static let stores = Corpus.isPresent ? Corpus.files(endingWith: ".sqlite").map(Corpus.name) : []

  /// Every store as it is, and one of each program in the other conditions.
  static let cases: [(String, Condition)] = {
    let first = Dictionary(stores.map { ($0.prefix { $0 != "/" }, $0) }) { first, _ in first }.values.sorted()
    return stores.map { ($0, .published) } + [.emptyLog, .inUse].flatMap { condition in first.map { ($0, condition) } }
  }()

  /// A second connection to a store, in another process.
  private final class OtherProcess {
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())

    init(_ store: URL) throws {
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["sqlite3", "-batch", store.path]
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      let sql =
        "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1; .print ready"
      input.fileHandleForWriting.write(Data(sql.replacing("; ", with: ";\n").utf8 + [10]))
      var seen = ""
      while !seen.contains("ready") {
        let data = output.fileHandleForReading.availableData
        guard !data.isEmpty else { break }
        seen += String(decoding: data, as: UTF8.self)
      }
    }

    deinit {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  /// A copy of a store under the name `store.sqlite`.
  private static func copy(_ name: String, in folder: TemporaryFolder, _ condition: Condition) throws -> URL {
    let (source, store) = (Corpus.root.appending(path: name), folder.appending("store.sqlite"))
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source.path + suffix) {
      try Data(contentsOf: URL(filePath: source.path + suffix)).write(to: URL(filePath: store.path + suffix))
    }
    guard condition == .emptyLog else { return store }
    try Database(path: store.path, mode: .readWrite).execute(
      "PRAGMA journal_mode = WAL; PRAGMA wal_checkpoint(TRUNCATE)")
    try Data().write(to: URL(filePath: store.path + "-wal"))
    try Data(repeating: 7, count: 32_768).write(to: URL(filePath: store.path + "-shm"))
    return store
  }

  /// The program's bundle that has the store's model; all its bundles if none has it.
  ///
  /// - Parameter copy: A copy of the store, which may be changed.
  private static func models(of name: String, _ copy: URL) throws -> [String] {
    let folder = name.prefix { $0 != "/" }
    let bundles = Corpus.files(endingWith: ".xcdatamodeld").filter { Corpus.name(of: $0).hasPrefix("\(folder)/") }
    let file = try? StoreFile(url: copy, mode: .readOnly)
    defer { try? file?.close() }
    let fitting = bundles.filter { bundle in
      guard let models = try? ModelBundle(contentsOf: bundle).versions.map(\.model) else { return false }
      return (try? file?.model(among: models)) != nil
    }
    return (fitting.isEmpty ? bundles : fitting).flatMap { ["--model", $0.path] }
  }

  @Test(arguments: cases)
  func `the folder of a store that is read does not change`(name: String, condition: Condition) throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let store = try Self.copy(name, in: folder, condition)
    let process = condition == .inUse ? try OtherProcess(store) : nil
    let before = try folder.contents()
    #expect(condition == .published || before.keys.contains("store.sqlite-shm"))
    let unused = try TemporaryFolder()
    let models = try Self.models(of: name, Self.copy(name, in: unused, .published))
    let entity = try Database(path: store.path, mode: .readOnly)
      .firstValue("SELECT Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT LIMIT 1")
    guard case .text(let entityName)? = entity else { throw POSIXError(.EINVAL) }
    let commands = [
      ["inspect", store.path] + models, ["dump", store.path] + models, ["verify", store.path, store.path] + models,
      ["plan", store.path, "--infer"] + models, ["migrate", store.path, "--infer", "--dry-run"] + models,
      ["diff", store.path, store.path] + models,
      ["graph", "export", store.path, "--output", other.appending("graph.json").path] + models,
      ["evaluate", "SELF", "--store", store.path, "--entity", entityName] + models,
      ["check", store.path] + models,
    ]
    for arguments in commands {
      let io = CommandIO(output: MemorySink(), errors: MemorySink(), workingDirectory: other.url)
      _ = CommandLineTool.heavylift.run(arguments, io)
      let after = try folder.contents()
      #expect(after.keys.sorted() == before.keys.sorted(), "\(arguments[0])")
      for (file, data) in before where after[file] != data { Issue.record("'\(arguments[0])' changed \(file)") }
    }
    withExtendedLifetime(process) {}
  }
}
