import Foundation
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

@testable import Heavylift
@testable import HeavyliftSQLite
@testable import HeavyliftStore

/// Rows of join tables that lack a key, which only a damaged store has: they are dangling links in all modes.
@Suite struct MissingKeyTests {
  /// A many-to-many relationship.
  enum Shape: String, CaseIterable, Sendable {
    case plain, ordered, orderedAtBothEnds, reflexive

    func entities(_ note: String = "Note") -> [EntityDescription] {
      if self == .reflexive {
        return [EntityDescription(name: "Note", relationships: [Models.toMany("pages", "Note", "pages")])]
      }
      return [
        EntityDescription(
          name: note,
          relationships: [Models.toMany("pages", "Page", "notes", isOrdered: self != .plain)],
          renamingIdentifier: "Note"),
        EntityDescription(
          name: "Page",
          relationships: [Models.toMany("notes", note, "pages", isOrdered: self == .orderedAtBothEnds)]),
      ]
    }
  }

  enum Mode: CaseIterable, Sendable {
    case sql, objects, kept, composed, continued, inPlace
  }

  enum Keys: String, CaseIterable, Sendable {
    case noOwner, noTarget, neither, twice, missingTarget

    /// The additional rows of the join table.
    var rows: [String] {
      switch self {
      case .noOwner: ["NULL, 1"]
      case .noTarget: ["1, NULL"]
      case .neither: ["NULL, NULL"]
      case .twice: ["1, NULL", "1, NULL"]
      case .missingTarget: ["1, 99"]
      }
    }
  }

  enum Change: CaseIterable, Sendable {
    /// The same names, another name of the relationship, and another name of its entity, so that the other end comes first.
    case none, renamed, flipped
  }

  /// Migrates a store with a link and rows without a key. Returns the report of the first hop and the links of the result,
  /// or the error.
  private static func outcome(_ shape: Shape, _ mode: Mode, _ keys: Keys, _ change: Change) throws -> String {
    let folder = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    var models = (1...(mode == .composed || mode == .continued ? 3 : 2)).map { version in
      var model = ManagedObjectModel(
        name: "\(version)", entities: shape.entities(change == .flipped && version > 1 ? "Text" : "Note"))
      for place in model.entities.indices { model.entities[place].versionHashModifier = "\(version)" }
      return model
    }
    if change == .renamed {
      for place in models.indices.dropFirst() {
        models[place].entities[0].relationships[0].name = "sheets"
        models[place].entities[0].relationships[0].renamingIdentifier = "pages"
        let last = models[place].entities.count - 1
        models[place].entities[last].relationships[0].inverseName = "sheets"
      }
    }
    let store = try PersistentStore.create(at: url, model: models[0])
    let context = ManagedObjectContext(store: store)
    let note = try context.insert("Note")
    let page = try context.insert(shape == .reflexive ? "Note" : "Page")
    note[toMany: "pages"] = [page]
    try context.save()
    let join = store.layout.joins[0].layout
    let columns = join.columns.prefix(2).map { "\(SQLName($0.name))" }.joined(separator: ", ")
    for row in keys.rows {
      try store.database.execute("INSERT INTO \(SQLName(join.name)) (\(columns)) VALUES (\(row))")
    }
    try store.close()
    let original = folder.appending("Original.sqlite")
    try FileManager.default.copyItem(at: url, to: original)
    var options = MigrationOptions()
    options.forcesObjects = mode == .objects
    options.keeping = mode == .kept ? .always : .never
    let manager = IncrementalMigrationManager(
      models: models, infersMissingMappings: true, execution: MappingHopExecution(options: options))
    var lines: [String] = []
    do {
      let report = try manager.migrate(url, options: .init(mode: mode == .inPlace ? .inPlace : .copy))
      let first = report.hops[0].report
      lines.append(
        "\(LinkReconciliationTests.text(first?.links ?? [])) "
          + "\((first?.notes ?? []).map { "\($0.code): \($0.problem)" })")
    } catch {
      return "\(error)".replacingOccurrences(of: folder.url.path, with: "")
    }
    let new = try PersistentStore(url: url, models: [models[models.count - 1]], mode: .readOnly)
    if models.count == 2, mode != .inPlace {
      let old = try PersistentStore(url: original, models: [models[0]], mode: .readOnly)
      defer { try? old.close() }
      let mapping = try MappingModel.inferred(from: models[0], to: models[1])
      let verified = try StoreVerifier(
        source: old, destination: new, mappings: [mapping], policies: PolicyRegistry(), functions: [:]
      ).verify()
      #expect(verified.isClean, "\(verified.examples)")
    }
    defer { try? new.close() }
    let table = new.layout.joins[0].layout
    let pair = table.columns.prefix(2).map { "quote(\(SQLName($0.name)))" }.joined(separator: " || ',' || ")
    var rows: [String] = []
    var cursor = try new.database.prepare("SELECT \(pair) FROM \(SQLName(table.name))").query()
    while try cursor.next() { rows.append(try cursor.row.text(at: 0) ?? "") }
    lines.append(rows.sorted().joined(separator: " "))
    return lines.joined(separator: " | ")
  }

  @Test(arguments: Shape.allCases, Mode.allCases)
  func `a row without a key is a dangling link in all modes`(shape: Shape, mode: Mode) throws {
    for keys in Keys.allCases {
      for change in Change.allCases where !(change == .flipped && (shape == .reflexive || mode == .inPlace)) {
        let outcome = try Self.outcome(shape, mode, keys, change)
        #expect(outcome == Self.expected(shape, mode, keys), "\(keys) \(change)")
      }
    }
  }

  private static func expected(_ shape: Shape, _ mode: Mode, _ keys: Keys) -> String {
    let links = shape == .reflexive ? ["1,2", "2,1"] : ["1,1"]
    let counts = "Note.pages \(links.count + keys.rows.count): \(links.count) carried, \(keys.rows.count) dangling"
    // A migration in place leaves the table as it is.
    guard mode != .inPlace else {
      return "[] [] | " + (links + keys.rows.map { $0.replacing(", ", with: ",") }).sorted().joined(separator: " ")
    }
    let many = keys.rows.count > 1
    let warning =
      "[\"store.dangling-links: \(many ? "2 links lead to objects that are" : "1 link leads to an object that is") not in "
      + "the store: \(keys.rows.count) in \\'Note.pages\\'\"]"
    return "[\"\(counts)\"] \(warning) | \(links.joined(separator: " "))"
  }

  @Test func `a migration in place that would write the links anew is refused`() throws {
    for keys in Keys.allCases {
      let outcome = try Self.outcome(.plain, .inPlace, keys, .flipped)
      #expect(outcome.contains("error[migration.not-in-place]"), "\(keys): \(outcome)")
      #expect(outcome.contains("has a link"), "\(keys): \(outcome)")
    }
  }

  @Test func `a row without a key does not hide links that are stored in one direction only`() throws {
    let folder = try TemporaryFolder()
    let model = ManagedObjectModel(entities: Shape.reflexive.entities())
    let store = try PersistentStore.create(at: folder.appending("Notes.sqlite"), model: model)
    let context = ManagedObjectContext(store: store)
    for _ in 0..<3 { _ = try context.insert("Note") }
    try context.save()
    let join = store.layout.joins[0].layout
    try store.database.execute("INSERT INTO \(SQLName(join.name)) VALUES (1, 2), (3, 2), (2, NULL), (NULL, 2)")
    let note = try #require(try context.fetch(FetchRequest(entityName: "Note")).first { $0.primaryKey == 2 })
    #expect(note[toMany: "pages"].map(\.primaryKey).sorted() == [1, 3])
    #expect(try StoreDump(store).write(to: MemorySink()).danglingLinks == 1)
  }

  @Test(arguments: [false, true]) func `a row without a key is not counted by an expression`(forcesObjects: Bool) throws
  {
    var old = ManagedObjectModel(entities: Shape.plain.entities())
    var new = old
    for place in old.entities.indices { old.entities[place].versionHashModifier = "1" }
    new.entities[0].attributes = [Models.attribute("count", .integer64), Models.attribute("none", .integer64)]
    let test = try MigrationTest(from: old, to: new) { context in
      let note = try context.insert("Note")
      note[toMany: "pages"] = [try context.insert("Page")]
      try context.save()
      let join = context.store.layout.joins[0].layout
      try context.store.database.execute("INSERT INTO \(SQLName(join.name)) VALUES (1, NULL)")
    }
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    let properties = [
      ("count", "$source.pages.@count"), ("none", "SUBQUERY($source.pages, $page, $page == nil).@count"),
    ]
    let mapping = EntityMappingDescription(
      source: "Note", destination: "Note",
      properties: try properties.map { .attribute($0.0, try MappingExpression(parsing: $0.1)) })
    try test.migrate(MappingModel(entityMappings: [mapping]), options: options)
    #expect(try test.lines("Note", "count", "none", "pages") == ["Note/p1 count=1 none=0 pages=[Page/p1]"])
  }
}
