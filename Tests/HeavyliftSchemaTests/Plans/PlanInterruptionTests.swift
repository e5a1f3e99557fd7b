import Foundation
import HeavyliftConcurrency
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

/// Interrupts the code of a plan at one place, and counts how often each place is reached.
private final class Interruption: Sendable {
  enum Kind { case error, cancellation }

  struct Refusal: Error, CustomStringConvertible { var description: String { "no" } }

  private struct State {
    var counts: [String: Int] = [:]
    var cancellation: MigrationCancellation?
    var isOver = false
  }

  @TaskLocal static var current: Interruption?

  private let place: String
  private let kind: Kind
  private let state = Locked(State())

  init(_ kind: Kind, at place: String) { (self.kind, self.place) = (kind, place) }

  var counts: [String: Int] { state.withLock(\.counts) }

  /// Remembers the cancellation of the run that follows.
  func prepare(_ cancellation: MigrationCancellation) { state.withLock { $0.cancellation = cancellation } }

  /// Interrupts the plan if this is the place, but only the first time.
  func reach(_ reached: String) throws {
    let interrupted = state.withLock { state -> MigrationCancellation? in
      state.counts[reached, default: 0] += 1
      guard reached == place, !state.isOver else { return nil }
      state.isOver = true
      return state.cancellation
    }
    guard let interrupted else { return }
    switch kind {
    case .error: throw Refusal()
    case .cancellation: interrupted.cancel()
    }
  }
}

/// Three stages, each with other kinds of code, that change objects before they can be interrupted.
private enum ReachedPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { Notes.versions }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: Notes.V1.self, toVersion: Notes.V2.self,
        willMigrate: { context in
          for note in try context.fetch(Notes.V1.Note.self, where: "text == ''") { try context.delete(note) }
          try context.save()
          try Interruption.current?.reach("willMigrate 1")
        },
        migrate: { (old: Notes.V1.Note, new: Notes.V2.Note) in
          new.legacy = old.json
          if old.text == "three" { try Interruption.current?.reach("migrate 1") }
        },
        didMigrate: { context in
          try context.insert(Notes.V2.Sketch.self).text = "new"
          try context.save()
          try Interruption.current?.reach("didMigrate 1")
        }),
      .custom(fromVersion: Notes.V2.self, toVersion: Notes.V3.self) { context in
        for note in try context.fetch(Notes.V3.Note.self) { note.addedAt = Date(timeIntervalSince1970: 1) }
        for sketch in try context.fetch(Notes.V3.Sketch.self) { sketch.text += "er" }
        try context.save()
        try Interruption.current?.reach("didMigrate 2")
      },
      .custom(
        fromVersion: Notes.V3.self, toVersion: Notes.V4.self,
        migrate: { (_: Notes.V3.Note, new: Notes.V4.Note) in
          new.id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(new.persistentModelID.key)))
          if new.text == "three" { try Interruption.current?.reach("migrate 3") }
        }),
    ]
  }
}

/// A plan that is interrupted leaves the complete old store, and a second run finishes.
@Suite struct PlanInterruptionTests {
  private let folder: TemporaryFolder
  private let url: URL

  private static let places = ["willMigrate 1", "migrate 1", "didMigrate 1", "didMigrate 2", "migrate 3"]

  init() throws {
    folder = try TemporaryFolder()
    url = folder.appending("Notes.sqlite")
    let context = try ModelContext(ModelContainer(for: Notes.V1.self, at: url))
    for (text, json) in [("one", "{}"), ("", nil), ("three", nil)] {
      let note = try context.insert(Notes.V1.Note.self)
      (note.text, note.json) = (text, json)
    }
    try context.save()
    try context.managedObjectContext.store.close()
  }

  private static let old = """
    {"entity":"Note","key":1,"attributes":{"json":"{}","text":"one"},"relationships":{}}
    {"entity":"Note","key":2,"attributes":{"json":null,"text":""},"relationships":{}}
    {"entity":"Note","key":3,"attributes":{"json":null,"text":"three"},"relationships":{}}

    """

  private static let new = """
    {"entity":"Note","key":1,"attributes":{"addedAt":"1970-01-01T00:00:01Z",\
    "id":"00000000-0000-0000-0000-000000000001","legacy":"{}","text":"one"},"relationships":{}}
    {"entity":"Note","key":3,"attributes":{"addedAt":"1970-01-01T00:00:01Z",\
    "id":"00000000-0000-0000-0000-000000000003","legacy":null,"text":"three"},"relationships":{}}
    {"entity":"Sketch","key":1,"attributes":{"text":"newer"},"relationships":{}}

    """

  private func open() throws -> ModelContainer {
    let cancellation = MigrationCancellation()
    Interruption.current?.prepare(cancellation)
    return try ModelContainer(
      for: Notes.V4.self, migrationPlan: ReachedPlan.self, at: url, monitor: MigrationMonitor(cancellation))
  }

  /// Interrupts a run at a place, and finishes it with a second one. Returns the first run's error.
  private func interrupt(_ kind: Interruption.Kind, at place: String) throws -> MigrationError {
    let bytes = try Data(contentsOf: url)
    let interruption = Interruption(kind, at: place)
    return try Interruption.$current.withValue(interruption) {
      let error = try #require(throws: MigrationError.self) { try open() }
      #expect(try Data(contentsOf: url) == bytes)
      // Opening the store could change it, and the second run would start over.
      let copy = folder.appending("Copy.sqlite")
      try FileManager.default.copyItem(at: url, to: copy)
      #expect(try StoreText.dump(ModelContainer(for: Notes.V1.self, at: copy, isReadOnly: true)) == Self.old)
      try FileManager.default.removeItem(at: copy)
      #expect(try StoreText.dump(open()) == Self.new)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Notes.sqlite"])
      #expect(try open().migrationReport == nil)
      #expect(interruption.counts == Self.counts(interruptedAt: place))
      return error
    }
  }

  /// The code of finished stages does not run again.
  private static func counts(interruptedAt place: String) -> [String: Int] {
    let last = places.firstIndex(of: place) ?? 0
    return Dictionary(
      uniqueKeysWithValues: places.enumerated().map { number, other in
        (other, other.last == place.last && number <= last ? 2 : 1)
      })
  }

  @Test(arguments: places) func `code throws an error`(place: String) throws {
    #expect(try interrupt(.error, at: place).problem.hasSuffix(": no"))
  }

  @Test(arguments: places) func `the migration is cancelled while code runs`(place: String) throws {
    #expect(try interrupt(.cancellation, at: place).kind == .cancelled)
  }
}
