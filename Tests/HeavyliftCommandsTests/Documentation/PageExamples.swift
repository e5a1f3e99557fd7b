import Foundation
import Heavylift
import HeavyliftConcurrency
import HeavyliftTestSupport
import Testing

/// The Swift code of DocC pages, word for word, except what the README also has.
struct PageExamples {
  private let folder: TemporaryFolder
  private let bank = Corpus.project.appending(path: "MappingModels/Bank")

  init() throws { folder = try TemporaryFolder() }

  /// A chain, and a store of its first version.
  private func bankChain() throws -> (IncrementalMigrationManager, URL) {
    let models = try ModelBundle(contentsOf: bank.appending(path: "Bank.xcdatamodeld")).versions.map(\.model)
    let storeURL = folder.appending("Bank.sqlite")
    let store = try PersistentStore.create(at: storeURL, model: models[0])
    let context = ManagedObjectContext(store: store)
    let account = try context.insert("Account")
    (account["holder"], account["number"]) = ("Ada", "1")
    try context.save()
    try store.close()
    let code = MigrationCode(functions: [
      "dateFromNumericRepresentation:": MigrationFunction { (seconds: Double) in Date(timeIntervalSince1970: seconds) }
    ])
    return (IncrementalMigrationManager(models: bank, code: code), storeURL)
  }

  @Test func `another object observes a migration`() async throws {
    let (migrations, storeURL) = try bankChain()

    let monitor = MigrationMonitor()
    let events = monitor.events()
    let display = Task { for await event in events { print(event.hop, event.title, event.fraction) } }
    try await migrations.migrate(storeURL, monitor: monitor)
    await display.value

    #expect(try await migrations.plan(for: storeURL).isCurrent)
  }

  /// Stand-ins for swift-log, with its names.
  private struct Logger: Sendable {
    static let lines = Locked<[String]>([])
    init(label: String) {}
    func debug(_ line: String) { Self.lines.withLock { $0.append(line) } }
    func info(_ line: String) { debug(line) }
    func warning(_ line: String) { debug(line) }
    func error(_ line: String) { debug(line) }
  }

  /// Stand-ins for Apple's unified log, with its names.
  private enum os {
    struct Logger: Sendable {
      static let lines = Locked<[String]>([])
      init(subsystem: String, category: String) {}
      func log(level: OSLogType, _ line: String) { Self.lines.withLock { $0.append("\(level) \(line)") } }
    }
  }
  private enum OSLogType { case debug, info, `default`, error }

  @Test func `a migration is logged`() throws {
    var (migrations, storeURL) = try bankChain()

    let logger = Logger(label: "migration")
    migrations.eventHandler = { event in
      switch event.level {
      case .debug: logger.debug("\(event)")
      case .info: logger.info("\(event)")
      case .warning: logger.warning("\(event)")
      case .error: logger.error("\(event)")
      }
    }
    try migrations.migrate(storeURL)
    #expect(Logger.lines.withLock(\.count) == 6)

    let log = os.Logger(subsystem: "com.example.library", category: "migration")
    migrations.eventHandler = { event in
      let types: [MigrationEvent.Level: OSLogType] = [.debug: .debug, .info: .info, .error: .error]
      log.log(level: types[event.level] ?? .default, "\(event.description)")
    }
    try migrations.migrate(storeURL)
    let lines = os.Logger.lines.withLock { $0 }
    #expect(lines.count == 1 && lines[0].hasPrefix("info store '") && lines[0].hasSuffix("' is current"))
  }

  @Test func `hops are squashed`() throws {
    var printed: [String] = []
    func print(_ things: Any...) { printed.append(things.map { "\($0)" }.joined(separator: " ")) }
    let mappingsURL = bank
    var versions = try ModelBundle(contentsOf: bank.appending(path: "Bank.xcdatamodeld")).versions.map(\.model)
    let third = versions[1]
    versions.append(third)
    versions[2].name = "Bank 3"
    versions[2].entities[0].attributes.append(AttributeDescription(name: "iban", type: .string))

    let squash = try MigrationSquash(
      from: versions[0], to: versions[versions.count - 1], of: versions,
      mappings: try MappingSearch(contentsOf: mappingsURL))
    for part in squash.parts { print("\(part.title), \(part.hops.count) hops", part.cut?.description ?? "") }
    let text = try squash.mapping.map { try MappingWriter.text(of: $0) }

    #expect(printed == ["'Bank 1' → 'Bank 3', 2 hops "])
    #expect(text?.contains("FUNCTION($manager, \"dateFromNumericRepresentation:\", $source.expiry)") == true)
  }

  @Test func `what can be read of a damaged store is migrated`() throws {
    let (migrations, storeURL) = try bankChain()
    var printed: [String] = []
    func print(_ things: Any...) { printed.append(things.map { "\($0)" }.joined(separator: " ")) }
    let database = try Database(path: storeURL.path, mode: .readOnly)
    let sql =
      "SELECT (rootpage - 1) * (SELECT page_size FROM pragma_page_size) FROM sqlite_master WHERE name = 'ZACCOUNT'"
    guard case .integer(let place)? = try database.firstValue(sql) else { throw CocoaError(.featureUnsupported) }
    try database.close()
    var bytes = try Data(contentsOf: storeURL)
    bytes.replaceSubrange(Int(place)..<Int(place) + 4_096, with: Data(count: 4_096))
    try bytes.write(to: storeURL)

    let options = IncrementalMigrationOptions(backup: storeURL.appendingPathExtension("damaged"), acceptsDamage: true)
    let report = try migrations.migrate(storeURL, options: options)
    for note in report.hops.flatMap({ $0.report?.notes ?? [] }) { print(note) }

    #expect(printed.contains { $0.contains("rows 1 and above of table 'ZACCOUNT' cannot be read") }, "\(printed)")
  }

  @Test func `a failed migration is reported`() throws {
    let (migrations, storeURL) = try bankChain()
    var printed: [String] = []
    func print(_ things: Any...) { printed.append(things.map { "\($0)" }.joined(separator: " ")) }
    let other = try Database(path: storeURL.path, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")

    do {
      try migrations.migrate(storeURL)
    } catch {
      switch error.kind {
      case .inUse: print("Please quit the other program.", error)
      // The error has the mapping, the method, the property and the object; its cause is the error of your code.
      case .hop: print(error, error.cause ?? error)
      default: print(error)
      }
    }

    #expect(printed.count == 1 && printed[0].hasPrefix("Please quit the other program."))
    try other.execute("ROLLBACK")
    try other.close()
  }

  @Test func `values of all kinds are written and read`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Book",
        attributes: [
          AttributeDescription(name: "title", type: .string),
          AttributeDescription(name: "cover", type: .binaryData, allowsExternalBinaryDataStorage: true),
          AttributeDescription(name: "boughtAt", type: .date),
        ])
    ])
    let store = try PersistentStore.create(at: folder.appending("Books.sqlite"), model: model)
    let context = ManagedObjectContext(store: store)

    let book = try context.insert("Book")
    book["title"] = "Emma"
    book["cover"] = .data(Data([0xFF, 0xD8, 0xFF, 0xE0]))  // bytes: Binary Data, Transformable
    book["boughtAt"] = .date(Date(timeIntervalSince1970: 0))
    let bytes: Data? = book["cover"].data
    book["boughtAt"] = .null  // no value

    try context.save()
    #expect(bytes == Data([0xFF, 0xD8, 0xFF, 0xE0]))
    let stored = try #require(
      try ManagedObjectContext(store: store).fetch(FetchRequest(entityName: "Book")).first)
    #expect(stored["cover"].data == bytes && stored["boughtAt"].isNull && stored["boughtAt"].date == nil)
  }

  @Test func `policies of several entity mappings share what they have created`() throws {
    let models = ["artistName", nil].map { name in
      let kinds = ["Album", "Track"].map { kind in
        EntityDescription(
          name: kind, attributes: name.map { [AttributeDescription(name: $0, type: .string)] } ?? [],
          relationships: name != nil
            ? []
            : [
              RelationshipDescription(
                name: "artist", destinationEntityName: "Artist", inverseName: "\(kind.lowercased())s",
                inverseEntityName: kind, maxCount: 1)
            ])
      }
      let artist = EntityDescription(
        name: "Artist", attributes: [AttributeDescription(name: "name", type: .string)],
        relationships: ["Album", "Track"].map {
          RelationshipDescription(
            name: "\($0.lowercased())s", destinationEntityName: $0, inverseName: "artist", inverseEntityName: $0)
        })
      return ManagedObjectModel(name: name == nil ? "2" : "1", entities: kinds + (name == nil ? [artist] : []))
    }
    let (old, new) = (folder.appending("old.sqlite"), folder.appending("new.sqlite"))
    let store = try PersistentStore.create(at: old, model: models[0])
    let context = ManagedObjectContext(store: store)
    for (kind, name) in [("Album", "Miles"), ("Track", "Miles"), ("Track", "Bill")] {
      try context.insert(kind)["artistName"] = .string(name)
    }
    try context.save()
    try store.close()
    let text = """
      <mapping-model source="1" destination="2">
        <entity-mapping source="Album" destination="Album" policy="ArtistFromName"/>
        <entity-mapping source="Track" destination="Track" policy="ArtistFromName"/>
        <entity-mapping type="add" destination="Artist"/>
      </mapping-model>
      """
    let manager = MigrationManager(
      sourceModel: models[0], destinationModel: models[1], policies: PolicyRegistry(ArtistFromName.self))
    try manager.migrateStore(from: old, to: new, with: MappingReader.read(text: text).validMappingModel())
    let result = ManagedObjectContext(store: try PersistentStore(url: new, models: [models[1]]))
    let artists = try result.fetch(FetchRequest(entityName: "Artist"))
    #expect(
      artists.map { "\($0["name"].string ?? "") \($0[toMany: "albums"].count) \($0[toMany: "tracks"].count)" }
        == ["Miles 1 1", "Bill 0 1"])
  }

  /// A model of books with their page count as text, of summaries, and of rooms in inches.
  private static let models = ["extent", "pages"].map { name in
    ManagedObjectModel(
      name: name == "extent" ? "1" : "2",
      entities: [
        EntityDescription(
          name: "Book",
          attributes: [AttributeDescription(name: name, type: name == "extent" ? .string : .integer32)]),
        EntityDescription(
          name: name == "extent" ? "Summary" : "PerformedSet",
          attributes: [AttributeDescription(name: name == "extent" ? "sets" : "index", type: .integer32)]),
        EntityDescription(name: "Room", attributes: [AttributeDescription(name: "width", type: .double)]),
        EntityDescription(name: "Song", attributes: [AttributeDescription(name: "songFilename", type: .string)]),
        EntityDescription(name: "Person", attributes: [AttributeDescription(name: "email", type: .string)]),
      ])
  }

  @Test func `policies do what the page says`() throws {
    let (old, new) = (folder.appending("old.sqlite"), folder.appending("new.sqlite"))
    let store = try PersistentStore.create(at: old, model: Self.models[0])
    let context = ManagedObjectContext(store: store)
    try context.insert("Book")["extent"] = "300"
    try context.insert("Summary")["sets"] = 3
    try context.insert("Room")["width"] = 100.0
    try context.insert("Song")["songFilename"] = "a.song"
    for email in ["a@b", "c@d", "a@b", .null, .null] as [Value] { try context.insert("Person")["email"] = email }
    try context.save()
    try store.close()
    let text = """
      <mapping-model source="1" destination="2">
        <entity-mapping source="Book" destination="Book" policy="PagesFromText"/>
        <entity-mapping source="Summary" destination="PerformedSet" policy="PerformedSetsFromSummary"/>
        <entity-mapping source="Room" destination="Room" policy="PointPolicy">
          <attribute name="width" value='FUNCTION($entityPolicy, "centimetersFromInches:", $source.width)'/>
        </entity-mapping>
        <entity-mapping source="Song" destination="Song" policy="LookingPolicy"/>
        <entity-mapping source="Person" destination="Person" policy="UniquePeople"/>
      </mapping-model>
      """
    let manager = MigrationManager(
      sourceModel: Self.models[0], destinationModel: Self.models[1],
      policies: PolicyRegistry(
        PagesFromText.self, PerformedSetsFromSummary.self, PointPolicy.self, LookingPolicy.self,
        UniquePeople.self))
    let found = LookingPolicy.Found()
    manager.userInfo["found"] = found

    try manager.migrateStore(from: old, to: new, with: MappingReader.read(text: text).validMappingModel())

    let result = ManagedObjectContext(store: try PersistentStore(url: new, models: [Self.models[1]]))
    #expect(try result.fetch(FetchRequest(entityName: "Book")).map { $0["pages"] } == [300])
    #expect(try result.fetch(FetchRequest(entityName: "PerformedSet")).map { $0["index"] } == [0, 1, 2])
    #expect(try result.fetch(FetchRequest(entityName: "Room")).map { $0["width"] } == [254.0])
    #expect(found.names == ["a.song"])
    #expect(try result.fetch(FetchRequest(entityName: "Person")).map { $0["email"] } == ["a@b", "c@d", .null, .null])
  }
}

final class PagesFromText: EntityMigrationPolicy {
  // The other attributes of the new book have the values that the mapping file declares.
  override func populate(_ book: ManagedObject, from old: ManagedObject, in manager: MigrationManager) throws {
    book["pages"] = .integer(Int64(old["extent"].string ?? "") ?? 0)
  }
}

final class PerformedSetsFromSummary: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    for index in 0..<(source["sets"].integer ?? 1) {
      let set = try manager.destinationContext.insert("PerformedSet")
      set["index"] = .integer(index)
      try manager.associate(sourceInstance: source, withDestinationInstance: set, for: mapping)
    }
  }
}

final class UniquePeople: EntityMigrationPolicy {
  private var known: [Value: ManagedObject] = [:]

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    // People without an address are different people.
    if !source["email"].isNull, let person = known[source["email"]] {
      try manager.associate(sourceInstance: source, withDestinationInstance: person, for: mapping)
      return
    }
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
  }

  override func populate(_ person: ManagedObject, from old: ManagedObject, in manager: MigrationManager) throws {
    known[old["email"]] = person
  }
}

final class PointPolicy: EntityMigrationPolicy {
  override var functions: [String: PolicyFunction] {
    ["centimetersFromInches:": PolicyFunction { (inches: Double) in inches * 2.54 }]
  }
}

enum LibraryFunctions {
  static let all = ["secondsFromMinutes:": MigrationFunction { (minutes: Double) in minutes * 60 }]
}

final class FindingArtists: EntityMigrationPolicy {
  private var artists: [String: ManagedObjectID] = [:]

  private func artist(_ name: String, in context: ManagedObjectContext) throws -> ManagedObject {
    if let id = artists[name], let artist = try context.existingObject(with: id) { return artist }
    let artist = try context.insert("Artist")
    artist["name"] = .string(name)
    artists[name] = artist.objectID
    return artist
  }
}

final class LookingPolicy: EntityMigrationPolicy {
  final class Found {
    var names: [String] = []
  }

  override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    let filename = "a.song"
    let request = try FetchRequest(entityName: "Song", where: "songFilename == %@", filename)
    let song = try manager.destinationContext.fetch(request).first
    (manager.userInfo["found"] as? Found)?.names.append(song?["songFilename"].string ?? "none")
  }
}

/// The artists that the policies of a hop have created, by name.
final class ArtistTable: MigrationState {
  private var ids: [String: ManagedObjectID] = [:]

  func artist(_ name: String, in context: ManagedObjectContext) throws -> ManagedObject {
    if let id = ids[name], let artist = try context.existingObject(with: id) { return artist }
    let artist = try context.insert("Artist")
    artist["name"] = .string(name)
    ids[name] = artist.objectID
    return artist
  }
}

/// The policy of two entity mappings, from albums and from tracks. Both have an artist's name.
final class ArtistFromName: EntityMigrationPolicy {
  override func populate(_ new: ManagedObject, from old: ManagedObject, in manager: MigrationManager) throws {
    guard let name = old["artistName"].string else { return }
    new[toOne: "artist"] = try manager.state(ArtistTable.self).artist(name, in: manager.destinationContext)
  }
}
