import Foundation
import Heavylift
import SamplePolicies
import Testing

@Suite struct SampleChainTests {
  @Test func `music: names in JSON become artists, each only once, over three versions`() throws {
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

  @Test func `bank: numbers become dates, one card becomes many, sessions are dropped`() throws {
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
      functions: BankFunctions.all)
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

  @Test func `points: a point in the plane becomes one in space`() throws {
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

  @Test func `songbook: one song becomes three objects, joined again, in a library created on first use`() throws {
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
