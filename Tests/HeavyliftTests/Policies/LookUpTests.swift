import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Policies that find or create an object for each source object: all ways of looking it up give the same result,
/// without reading the whole store each time.
@Suite struct LookUpTests {
  private static let count = 120

  private func migrate(_ policy: String) throws -> MigrationTest {
    let registry = PolicyRegistry(ByFetch.self, ByRegisteredObjects.self, ByID.self)
    let test = try MigrationTest(from: PatternModels.old, to: PatternModels.new, policies: registry) { context in
      for index in 0..<Self.count {
        let track = try context.insert("Track")
        track["title"] = .string("T\(index)")
        track["artistName"] = .string("A\(index % 40)")
      }
    }
    try test.migrate(
      PatternModels.albums, PatternModels.tracks(policy), EntityMappingDescription(destination: "Artist"),
      PatternModels.removeSettings)
    return test
  }

  @Test func `every way of looking up gives the same store`() throws {
    let expected = try migrate("ByID").contents()
    #expect(expected["Artist"]?.count == 40)
    for policy in ["ByFetch", "ByRegisteredObjects"] {
      #expect(try migrate(policy).contents() == expected, "\(policy)")
    }
  }

  @Test func `all objects are read at most twice in each pass of a mapping`() throws {
    let reads = try #require(try migrate("ByRegisteredObjects").manager.userInfo["reads"] as? [Int])
    #expect(reads == [Int](repeating: 1, count: 1) + [Int](repeating: 2, count: Self.count - 1))
  }

  @Test func `an attribute that is searched repeatedly gets an index, which the new store does not keep`() throws {
    let test = try migrate("ByFetch")
    #expect(test.manager.userInfo["indexes"] as? [String] == ["HEAVYLIFT_LOOKUP_ZARTIST_ZNAME"])
    #expect(try test.rows("SELECT count(*) FROM sqlite_master WHERE name LIKE 'HEAVYLIFT%'") == ["integer(0)"])
    #expect(try test.rows("PRAGMA freelist_count") == ["integer(0)"])
  }

  @Test func `objects that a policy keeps are updated, deleted and found as in the store`() throws {
    let test = try PatternModels.test(Juggling.self)
    try test.migrate(PatternModels.albums, PatternModels.tracks("Juggling"), PatternModels.removeSettings)
    #expect(
      test.manager.userInfo["seen"] as? [String] == [
        "Track/p1", "Track/p1 Track/p2", "Track/p1 Track/p3", "Track/p1 Track/p3 Track/p4",
        "Track/p1 Track/p3 Track/p4 Track/p5",
      ])
  }
}

// MARK: Policies

private class FindingArtist: EntityMigrationPolicy {
  func artist(_ name: String, _ manager: MigrationManager) throws -> ManagedObject? { nil }

  final func makeArtist(_ name: String, _ manager: MigrationManager) throws -> ManagedObject {
    let artist = try manager.destinationContext.insert("Artist")
    artist["name"] = .string(name)
    return artist
  }

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let name = source["artistName"].string ?? ""
    let track = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])[0]
    track[toOne: "artist"] = try artist(name, manager)
  }
}

private final class ByFetch: FindingArtist {
  override func artist(_ name: String, _ manager: MigrationManager) throws -> ManagedObject? {
    let request = try FetchRequest(entityName: "Artist", where: "name == %@", name)
    return try manager.destinationContext.fetch(request).first ?? makeArtist(name, manager)
  }

  override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    manager.userInfo["indexes"] = try manager.destinationContext.store.searchIndexes
  }
}

private final class ByRegisteredObjects: FindingArtist {
  override func artist(_ name: String, _ manager: MigrationManager) throws -> ManagedObject? {
    let context = try manager.destinationContext
    let known = context.registeredObjects.first { $0.entity.name == "Artist" && $0["name"].string == name }
    manager.userInfo["reads"] = (manager.userInfo["reads"] as? [Int] ?? []) + [context.wholeReadCount]
    return try known ?? makeArtist(name, manager)
  }
}

private final class ByID: FindingArtist {
  private var artists: [String: ManagedObjectID] = [:]

  override func artist(_ name: String, _ manager: MigrationManager) throws -> ManagedObject? {
    if let id = artists[name], let artist = try manager.destinationContext.existingObject(with: id) { return artist }
    let artist = try makeArtist(name, manager)
    artists[name] = artist.objectID
    return artist
  }
}

/// Deletes the second track as soon as it exists.
private final class Juggling: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let context = try manager.destinationContext
    let tracks = context.registeredObjects.filter { $0.entity.name == "Track" }
    manager.userInfo["seen"] =
      (manager.userInfo["seen"] as? [String] ?? []) + [tracks.map(\.description).joined(separator: " ")]
    if tracks.count == 2, source["title"] == "T2" { try context.delete(tracks[1]) }
  }
}
