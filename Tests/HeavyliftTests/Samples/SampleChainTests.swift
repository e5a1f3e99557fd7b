import Foundation
import Heavylift
import Testing

@Suite struct SampleChainTests {
  @Test func `music: names in JSON become artists, each once, over three versions`() throws {
    let chain = try SampleChain("Music", version: "Music 1") { context in
      let album = try context.insert("Album")
      album["title"] = "Kind"
      album["year"] = 1959
      let texts = [
        #"{"artists": ["Miles", "Bill"], "added": 86400}"#, #"{"artists": ["Bill"]}"#, nil, "not JSON",
      ]
      let tracks = try texts.enumerated().map { index, text in
        let track = try context.insert("Track")
        track["title"] = .string("T\(index)")
        track["seconds"] = .integer(Int64(index * 60))
        track["json"] = text.map(Value.string) ?? .null
        return track
      }
      try album.setObjects([tracks[2], tracks[0], tracks[1]], forKey: "tracks")
    }
    try chain.migrate(to: "Music 2", mapping: "1-2", policies: PolicyRegistry(ArtistsFromJSON.self))
    try chain.migrate(to: "Music 3", mapping: "2-3")
    let context = try chain.opened()
    let artists = try context.fetch(FetchRequest(entityName: "Artist"))
    #expect(artists.map { $0["name"] } == ["Miles", "Bill"])
    #expect(artists.map { $0["sortName"] } == ["miles", "bill"])
    #expect(artists.map { $0[toMany: "tracks"].map { $0["title"] } } == [["T0"], ["T0", "T1"]])
    let tracks = try context.fetch(FetchRequest(entityName: "Track"))
    #expect(tracks.map { $0["duration"] } == [0, 60, 120, 180].map { .double($0) })
    #expect(tracks[0]["addedAt"] == .date(Date(timeIntervalSince1970: 86_400)))
    #expect(tracks[1]["addedAt"] == .null)
    let album = try context.fetch(FetchRequest(entityName: "Album"))[0]
    #expect(album[toMany: "tracks"].map { $0["title"] } == ["T2", "T0", "T1"])
    #expect(context.store.model.entity(named: "Track")?.attribute(named: "json") == nil)
  }

  @Test func `bank: numbers become dates, one card becomes many, sessions go`() throws {
    let chain = try SampleChain("Bank", version: "Bank 1") { context in
      for (index, holder) in ["Ann", "Bob"].enumerated() {
        let account = try context.insert("Account")
        account["holder"] = .string(holder)
        account["number"] = .string("\(index)")
        account["balance"] = .decimal(Decimal(string: "1234567890.123456789") ?? 0)
        guard index == 0 else { continue }
        let card = try context.insert("Card")
        card["number"] = "4111"
        card["expiry"] = .double(1_000_000)
        card["isBlocked"] = true
        account[toOne: "card"] = card
      }
      try context.insert("Session").setValue("secret", forKey: "token")
    }
    let report = try chain.migrate(
      to: "Bank 2", mapping: "1-2",
      functions: [
        "dateFromNumericRepresentation:": MigrationFunction { (seconds: Double?) in
          seconds.map { Date(timeIntervalSince1970: $0) }
        }
      ])
    #expect(report.objects == ["Account": 2, "Card": 1])
    let context = try chain.opened()
    let card = try context.fetch(FetchRequest(entityName: "Card"))[0]
    #expect(card["expiresAt"] == .date(Date(timeIntervalSince1970: 1_000_000)))
    #expect(card["isBlocked"] == true)
    let accounts = try context.fetch(FetchRequest(entityName: "Account"))
    #expect(accounts.map { $0[toMany: "cards"] } == [[card], []])
    #expect(accounts.map { $0["balance"].decimal } == [1, 1].map { _ in Decimal(string: "1234567890.123456789") })
  }

  @Test func `fitness: a summary becomes performed sets, over a bridge version`() throws {
    let chain = try SampleChain("Fitness", version: "Fitness 1") { context in
      let (squat, workout) = (try context.insert("Exercise"), try context.insert("Workout"))
      squat["name"] = "Squat"
      workout["startedAt"] = .date(Date(timeIntervalSinceReferenceDate: 500))
      for (weight, units, sets) in [(100.0, "kg", 3), (100.0, "lb", 2)] {
        let data = try context.insert("WeightData")
        data["weight"] = .double(weight)
        data["units"] = .string(units)
        data["sets"] = .integer(Int64(sets))
        data["reps"] = 5
        data[toOne: "exercise"] = squat
        data[toOne: "workout"] = workout
      }
    }
    try chain.migrate(to: "Fitness 2", mapping: "1-2", policies: PolicyRegistry(PerformedSetsFromSummary.self))
    try chain.migrate(to: "Fitness 3", mapping: "2-3")
    let context = try chain.opened()
    let sets = try context.fetch(FetchRequest(entityName: "PerformedSet"))
    #expect(sets.map { $0["index"] } == [0, 1, 2, 0, 1])
    #expect(sets.map { $0["kilograms"] } == [100, 100, 100, 45.359237, 45.359237].map { .double($0) })
    #expect(sets.allSatisfy { $0[toOne: "exercise"]?["name"] == "Squat" && $0[toOne: "workout"] != nil })
    #expect(
      try context.fetch(FetchRequest(entityName: "Exercise"))[0]["createdAt"]
        == .date(Date(timeIntervalSinceReferenceDate: 0)))
    #expect(
      try context.fetch(FetchRequest(entityName: "Workout"))[0]["createdAt"]
        == .date(Date(timeIntervalSinceReferenceDate: 500)))
  }

  @Test func `points: a point of the plane becomes one in space`() throws {
    let chain = try SampleChain("Points", version: "Points 1") { context in
      let path = try context.insert("Path")
      path["name"] = "Way"
      let markers = try [(1.5, 2.5), (3, 4)].map { x, y in
        let marker = try context.insert("Marker")
        marker["label"] = .string("\(x)")
        try marker.setArchived(PlanePoint(x: x, y: y), forKey: "position")
        return marker
      }
      try context.insert("Marker").setValue("nowhere", forKey: "label")
      try path.setObjects(markers.reversed(), forKey: "markers")
    }
    try chain.migrate(to: "Points 2", mapping: "1-2", policies: PolicyRegistry(SpacePointPolicy.self))
    let context = try chain.opened()
    let markers = try context.fetch(FetchRequest(entityName: "Marker"))
    let points = try markers.map { marker -> [Double] in
      guard case .object(let point)? = try marker.archive(forKey: "position")?.root else { return [] }
      return ["x", "y", "z"].compactMap { point[$0]?.value?.double }
    }
    #expect(points == [[1.5, 2.5, 0], [3, 4, 0], []])
    let path = try context.fetch(FetchRequest(entityName: "Path"))[0]
    #expect(path[toMany: "markers"].map { $0["label"] } == ["3.0", "1.5"])
  }

  @Test func `songbook: one song becomes three objects, joined again, in a library made on first use`() throws {
    let chain = try SampleChain("Songbook", bundle: "Classic", version: "Classic") { context in
      for number in 1...3 {
        let song = try context.insert("Song")
        song["filename"] = .string("s\(number).txt")
        song["title"] = number == 2 ? .null : .string("S\(number)")
        song["body"] = .string("la \(number)")
        song["fontSize"] = .integer(Int64(10 + number))
      }
    }
    let report = try chain.migrate(
      to: "Songbook", mapping: "classic", policies: PolicyRegistry(SongPolicy.self, SongPartPolicy.self))
    #expect(report.objects == ["Library": 1, "Song": 3, "SongData": 3, "SongViewPreferences": 3])
    let context = try chain.opened()
    let songs = try context.fetch(FetchRequest(entityName: "Song"))
    #expect(songs.map { $0["title"] } == ["S1", "Untitled", "S3"])
    #expect(songs.map { $0["libraryFilename"] } == ["Songs.library", "Songs.library", "Songs.library"])
    #expect(songs.map { $0[toOne: "data"]?["body"] } == ["la 1", "la 2", "la 3"])
    #expect(songs.map { $0[toOne: "viewPreferences"]?["fontSize"] } == [11, 12, 13])
    #expect(try context.fetch(FetchRequest(entityName: "Library"))[0][toMany: "songs"] == songs)
  }
}

// MARK: Policies

private final class ArtistsFromJSON: EntityMigrationPolicy {
  private struct Contents: Decodable {
    var artists: [String]
    var added: Double?
  }

  private var artists: [String: ManagedObject] = [:]

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    guard let json = source["json"].string,
      let contents = try? JSONDecoder().decode(Contents.self, from: Data(json.utf8))
    else { return }
    let track = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])[0]
    track["addedAt"] = contents.added.map { .date(Date(timeIntervalSince1970: $0)) } ?? .null
    for name in contents.artists {
      let artist = try artists[name] ?? manager.destinationContext.insert("Artist")
      artist["name"] = .string(name)
      artists[name] = artist
      try track.add(artist, to: "artists")
    }
  }
}

private final class PerformedSetsFromSummary: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let weight = source["weight"].double ?? 0
    for index in 0..<max(1, source["sets"].integer ?? 1) {
      let set = try manager.destinationContext.insert("PerformedSet")
      set["index"] = .integer(index)
      set["kilograms"] = .double(source["units"] == "lb" ? weight * 0.45359237 : weight)
      set["reps"] = source["reps"]
      manager.associate(sourceInstance: source, withDestinationInstance: set, for: mapping)
    }
  }

  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let sources = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [destination])
    destination[toOne: "weightData"] =
      manager.destinationInstances(forEntityMappingName: "WeightDataToWeightData", sourceInstances: sources).first
  }
}

final class PlanePoint: NSObject, NSCoding {
  let x: Double
  let y: Double

  init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  init?(coder: NSCoder) { (x, y) = (coder.decodeDouble(forKey: "x"), coder.decodeDouble(forKey: "y")) }

  func encode(with coder: NSCoder) {
    coder.encode(x, forKey: "x")
    coder.encode(y, forKey: "y")
  }
}

final class SpacePoint: NSObject, NSCoding {
  let coordinates: [Double]

  init(_ coordinates: [Double]) { self.coordinates = coordinates }

  init?(coder: NSCoder) { coordinates = ["x", "y", "z"].map { coder.decodeDouble(forKey: $0) } }

  func encode(with coder: NSCoder) {
    for (key, value) in zip(["x", "y", "z"], coordinates) { coder.encode(value, forKey: key) }
  }
}

private final class SpacePointPolicy: EntityMigrationPolicy {
  override var functions: [String: MigrationFunction] {
    [
      "spacePointFromPlanePoint:": MigrationFunction { (data: Data?) -> Data? in
        guard let data, case .object(let point) = try KeyedArchive(data: data, subject: "a point").root,
          let x = point["x"]?.value?.double, let y = point["y"]?.value?.double
        else { return nil }
        return try NSKeyedArchiver.archivedData(withRootObject: SpacePoint([x, y, 0]), requiringSecureCoding: false)
      }
    ]
  }
}

private final class SongPolicy: EntityMigrationPolicy {
  private var library: ManagedObject?

  override var functions: [String: MigrationFunction] {
    [
      "filenameForLibraryWith:": MigrationFunction { [unowned self] (manager: MigrationManager) in
        if library == nil {
          library = try manager.destinationContext.insert("Library")
          library?["filename"] = "Songs.library"
          library?["name"] = "Songs"
        }
        return library?["filename"].string
      }
    ]
  }

  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
    destination[toOne: "library"] = library
  }
}

/// Joins the parts of a song by its file name.
private final class SongPartPolicy: EntityMigrationPolicy {
  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
    let request = try FetchRequest(
      entityName: "Song", where: "songFilename == %@", destination["songFilename"].string ?? "")
    destination[toOne: "song"] = try manager.destinationContext.fetch(request).first
  }
}
