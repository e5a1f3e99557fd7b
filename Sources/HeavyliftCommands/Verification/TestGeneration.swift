import Foundation
import Heavylift
import HeavyliftVerification

/// Writes the files of a test, or updates them.
struct TestGeneration {
  let subject: TestSubject
  private(set) var files: TestFiles
  let io: CommandIO
  /// The graphs that this run has already reported, as results of earlier steps.
  var reported: Set<String> = []
  private let uses: GraphUses
  /// The maximum number of objects in a graph, which is more than a person would review.
  private static let mostObjects = 1_000
  /// The maximum number of replaced expectations to list.
  private static let mostUnmet = 10

  /// Messages that say what was done.
  private(set) var told: [String] = []
  /// False if the graph breaks rules or cannot be migrated: the user must change something first.
  private(set) var isComplete = true

  init(_ subject: TestSubject, files: TestFiles, io: CommandIO) {
    (self.subject, self.files, self.io) = (subject, files, io)
    uses = GraphUses(for: files.testClass)
    guard let own = uses.own else { return }
    // The class keeps its graphs, unless they are to be in another folder now.
    func isInFolder(_ url: URL, _ other: URL) -> Bool {
      url.deletingLastPathComponent().path == other.standardizedFileURL.deletingLastPathComponent().path
    }
    if isInFolder(own.source, files.sourceGraph) { self.files.sourceGraph = own.source }
    if isInFolder(own.destination, files.destinationGraph) { self.files.destinationGraph = own.destination }
  }

  mutating func perform() throws {
    let graph = try updateSourceGraph()
    if isValid(graph) { try recordDestinationGraph(graph) }
    try writeTestClass()
  }

  // MARK: Graphs

  private mutating func updateSourceGraph() throws -> ObjectGraph {
    let url = files.sourceGraph
    let own = url.withSuffix("input")
    guard FileManager.default.fileExists(atPath: url.path) else {
      // Another test will record it when it runs.
      if uses.isExpectedElsewhere(url) {
        files.sourceGraph = own
        if FileManager.default.fileExists(atPath: own.path) { return try updateSourceGraph() }
      }
      return try writeSourceGraph()
    }
    let update = try GraphUpdate(contentsOf: url, pair: subject.pair)
    let isReported = reported.contains(url.standardizedFileURL.path)
    let isShared = !uses.mayChange(source: url)
    var kept = update.changes.isEmpty ? update.graph : nil
    // A shared graph that lacks only values suffices for a test that starts from it already.
    if isShared, update.addedObjects == 0, isReported || uses.own?.source.path == url.standardizedFileURL.path {
      kept = kept ?? (try? ObjectGraph(contentsOf: url, model: subject.source.model))
    }
    if let kept {
      if !isReported { told.append("kept \(files.shown(url)): nothing has changed") }
      return kept
    }
    if isShared {
      files.sourceGraph = own
      if FileManager.default.fileExists(atPath: own.path) { return try updateSourceGraph() }
      told.append(
        "wrote \(files.shown(own)): \(files.shown(url)), which stays as it is for other tests, with these changes:")
    } else {
      told.append("updated \(files.shown(url)):")
    }
    told += update.changes.map { "  \($0)" }
    try write(update.graph.json(model: subject.source.model), to: files.sourceGraph)
    return update.graph
  }

  private mutating func writeSourceGraph() throws -> ObjectGraph {
    let url = files.sourceGraph
    let varied = VariedGraph(subject.pair)
    try write(varied.graph.json(model: subject.source.model), to: url)
    told.append("wrote \(files.shown(url)): \(varied.graph.objects.count.counted("object"))")
    told += varied.notes.map { "  \($0)" }
    return varied.graph
  }

  /// Returns true if the graph can be read and built as a store, as a test does.
  private mutating func isValid(_ graph: ObjectGraph) -> Bool {
    let model = subject.source.model
    let folder = FileManager.default.temporaryDirectory.appending(path: "heavylift-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let url = files.sourceGraph
      try ObjectGraph(contentsOf: url, model: model).build(at: folder.appending(path: "store.sqlite"), model: model)
      return true
    } catch {
      told.append(
        "did not write \(files.shown(files.destinationGraph)): \(files.shown(files.sourceGraph)) breaks rules of its "
          + "model")
      told += ErrorReport(error).diagnostics.flatMap { "\($0)".split(separator: "\n").map { "  \($0)" } }
      told.append("  fix it, and run this again")
      isComplete = false
      return false
    }
  }

  private mutating func recordDestinationGraph(_ graph: ObjectGraph) throws {
    var url = files.destinationGraph
    // Without a class, an existing graph belongs to another test, or to the user.
    let isForeign = !uses.mayReplace(destination: url) && FileManager.default.fileExists(atPath: url.path)
    let missing = subject.policyNames.filter { (try? subject.pair.policies.policy(named: $0)) == nil }
    guard missing.isEmpty else {
      if isForeign { url = url.withSuffix("expected") }
      files.destinationGraph = url
      told.append(
        "left \(files.shown(url)) for the test to write: this tool does not have policy "
          + missing.map { "'\($0)'" }.joined(separator: ", ")
      )
      told.append("  run the test once with HEAVYLIFT_RECORD=1, and read what it wrote")
      return
    }
    let migration: TestedMigration
    do {
      migration = try subject.pair.migrate(graph)
    } catch {
      told.append("did not write \(files.shown(url)): the graph cannot be migrated")
      told += "\(error)".split(separator: "\n").map { "  \($0)" }
      told.append("  fix \(files.shown(files.sourceGraph)) or the \(subject.part), and run this again")
      isComplete = false
      return
    }
    let failures = migration.failures()
    guard failures.isEmpty else {
      told.append("did not write \(files.shown(url)): the migration does not do what the mapping says")
      told += failures.flatMap { "\($0)".split(separator: "\n").map { "  \($0)" } }
      isComplete = false
      return
    }
    let count = migration.graph.objects.count
    guard count <= Self.mostObjects else {
      told.append(
        "did not write \(files.shown(url)): the migration creates \(count.counted("object")) of "
          + graph.objects.count.grouped)
      told.append("  reduce the number in \(files.shown(files.sourceGraph)) that creates so many, and run this again")
      isComplete = false
      return
    }
    if isForeign, !isExpected(in: url, migration) {
      told.append("kept \(files.shown(url)), which has other objects, as it is for other tests")
      url = url.withSuffix("expected")
      files.destinationGraph = url
    }
    let known: ObjectGraph?
    do {
      known = try migration.expectations(in: url)
    } catch let error where error is DiagnosticList || error is Diagnostic {
      return tellUnreadable(url, error)
    }
    let old = known.map { _ in try? String(contentsOf: url, encoding: .utf8) }
    try makeFolder(of: url)
    try migration.record(url)
    let new = try String(contentsOf: url, encoding: .utf8)
    told.append(
      old == new
        ? "kept \(files.shown(url)): nothing has changed"
        : "\(known == nil ? "wrote" : "updated") \(files.shown(url)): \(count.counted("object"))")
    let readers = uses.readers(of: url)
    if old != new, !readers.isEmpty {
      told.append(
        "  \(readers.map { "'\($0)'" }.joined(separator: ", ")) starts from it: generate that test again, too")
    }
    tellUnmet(known.map(migration.unmet) ?? [])
    let decided = migration.verification.decidedByPolicies
    if decided > 0 {
      told.append("  policies set \(decided.counted("value")) differently than declared: review them")
    }
  }

  /// Returns true if a graph is what the migration gives.
  private func isExpected(in url: URL, _ migration: TestedMigration) -> Bool {
    guard let graph = try? ObjectGraph(contentsOf: url, model: subject.destination.model) else { return false }
    return migration.failures(expecting: graph).isEmpty
  }

  /// The author of the expectations decides what happens to them.
  private mutating func tellUnreadable(_ url: URL, _ error: any Error) {
    told.append("did not write \(files.shown(url)): what it expects cannot be read")
    told += ErrorReport(error).diagnostics.flatMap { "\($0)".split(separator: "\n").map { "  \($0)" } }
    told.append("  fix it or delete it, and run this again")
    isComplete = false
  }

  /// Reports the expectations that the new graph replaces.
  private mutating func tellUnmet(_ failures: [MigrationFailure]) {
    guard !failures.isEmpty else { return }
    told.append("  it expected something else before:")
    let lines = failures.map { $0.problem }
    told += lines.prefix(Self.mostUnmet).map { "    \($0)" }
    if lines.count > Self.mostUnmet { told.append("    and \((lines.count - Self.mostUnmet).grouped) more") }
  }

  // MARK: The class

  private mutating func writeTestClass() throws {
    let url = files.testClass
    let name = url.deletingPathExtension().lastPathComponent
    let text = TestClassSource(
      name: TestFiles.className(name), models: path(subject.source), destinationModels: destinationModels,
      sourceVersion: subject.source.name, destinationVersion: subject.destination.name,
      mapping: subject.mapping.map { files.path($0.url) }, sourceGraph: files.path(files.sourceGraph),
      destinationGraph: files.path(files.destinationGraph), policies: subject.policyNames.map(Self.className),
      needsFunctions: subject.needsFunctions, levelsUp: files.levelsUp)
    guard FileManager.default.fileExists(atPath: url.path) else {
      try write(text.text, to: url)
      told.append("wrote \(files.shown(url))")
      if subject.needsFunctions {
        told.append("  register the functions that the mapping calls on $manager in 'functions'")
      }
      if subject.mapping == nil { told.append("  return the stages of your program in 'stages()'") }
      return
    }
    let old = try String(contentsOf: url, encoding: .utf8)
    guard let updated = text.updating(old) else {
      told.append("did not update \(files.shown(url)): the markers around the generated code are missing")
      return
    }
    if updated == old {
      told.append("kept \(files.shown(url)): nothing has changed")
    } else {
      try write(updated, to: url)
      told.append("updated \(files.shown(url))")
    }
  }

  private func path(_ side: MappedModels.Side) -> String { side.path.map { files.path(io.url($0)) } ?? "" }

  private var destinationModels: String? {
    subject.destination.path == subject.source.path ? nil : path(subject.destination)
  }

  /// The class name in Swift, without the module prefix that files may add.
  private static func className(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }

  private func write(_ text: String, to url: URL) throws {
    try makeFolder(of: url)
    try OutputFile.write(to: url, shownAs: files.shown(url)) { sink in
      try Array(text.utf8).withUnsafeBytes { try sink.write($0) }
    }
  }

  private func makeFolder(of url: URL) throws {
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
  }
}
