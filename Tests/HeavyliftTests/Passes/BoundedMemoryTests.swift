import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore
@testable import HeavyliftEngine

/// Memory does not grow with the store. The tests count objects, not bytes, so that the results do not depend on the
/// machine.
@Suite struct BoundedMemoryTests {
  @Test func `three times as many objects in a store do not mean more objects in memory`() throws {
    let (few, many) = (try peaks(2_000), try peaks(6_000))
    // A batch waiting to be written, and the objects at the other ends of its relationships.
    for peak in [few, many] {
      #expect(peak.destination < 1_300)
      #expect(peak.source < 300)
    }
  }

  // MARK: Large values

  /// Measures the memory of all objects in both passes.
  private final class Weighing: EntityMigrationPolicy {
    final class Scale {
      var most = 0
    }

    private func weigh(_ manager: MigrationManager) throws {
      guard let scale = manager.userInfo["scale"] as? Scale else { return }
      var bytes = 0
      for context in try [manager.sourceContext, manager.destinationContext] {
        for object in context.registered.all { bytes += object.heapBytes }
      }
      scale.most = max(scale.most, bytes)
    }

    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      try weigh(manager)
    }

    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      let source = try manager.sourceInstances(
        forEntityMappingName: mapping.name, destinationInstances: [destination])
      destination["size"] = .integer(Int64(source.first?["data"].data?.count ?? 0))
      try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
      try weigh(manager)
    }
  }

  @Test(arguments: [0, Int.max])
  func `large values do not accumulate when read or written`(leastAhead: Int) throws {
    func model(_ name: String) -> ManagedObjectModel {
      ManagedObjectModel(
        name: name,
        entities: [
          EntityDescription(
            name: "Photo", attributes: [Models.attribute("data", .binaryData), Models.attribute("size", .integer64)])
        ])
    }
    let (count, size) = (600, 1 << 17)
    let test = try MigrationTest(from: model("1"), to: model("2"), policies: PolicyRegistry(Weighing.self)) { context in
      for number in 0..<count {
        try context.insert("Photo")["data"] = .data(Data(repeating: UInt8(number % 251), count: size))
        if number % 50 == 49 { try context.save() }
      }
    }
    let scale = Weighing.Scale()
    test.manager.userInfo["scale"] = scale
    var options = MigrationOptions()
    options.prefetching.leastObjects = leastAhead
    let report = try test.migrate(
      MappingModel(entityMappings: [
        EntityMappingDescription(
          source: "Photo", destination: "Photo", policy: PolicyRegistry(Weighing.self).names.first)
      ]), options: options)
    #expect(report.objects == ["Photo": count])
    #expect(
      try test.rows("SELECT count(*), min(ZSIZE), max(ZSIZE), min(length(ZDATA)) FROM ZPHOTO").first?.contains(
        "\(size)") == true)
    // The values waiting to be written, a batch read at each end, and the current value.
    #expect(scale.most < 24 << 20, "\(scale.most >> 20) MiB")
    #expect(scale.most > 4 << 20)
  }

  private struct Peaks {
    var source = 0
    var destination = 0
  }

  /// Half of the tracks as declared, half created by the policy, all in one library.
  private func peaks(_ count: Int) throws -> Peaks {
    let test = try MigrationTest(
      from: PatternModels.old, to: PatternModels.new, policies: PolicyRegistry(Mixed.self)
    ) { context in
      for index in 0..<count {
        let track = try context.insert("Track")
        track["title"] = .string("T\(index)")
        track["artistName"] = .string("A\(index % 7)")
        track["rating"] = .integer(Int64(index % 5))
        if index % 100 == 0 {
          let album = try context.insert("Album")
          album["title"] = .string("L\(index)")
        }
        if index % 1_000 == 999 { try context.save() }
      }
      try context.save()
      let albums = try context.fetch(FetchRequest(entityName: "Album"))
      for (index, track) in try context.fetch(FetchRequest(entityName: "Track")).enumerated() {
        track[toOne: "album"] = albums[index / 100]
      }
    }
    var peaks = Peaks()
    test.manager.progressHandler = { manager in
      guard let run = manager.run else { return }
      peaks = Peaks(source: run.sourceContext.peakObjectCount, destination: run.destinationContext.peakObjectCount)
    }
    let report = try test.migrate(PatternModels.albums, PatternModels.tracks("Mixed"), PatternModels.removeSettings)
    #expect(report.objects == ["Album": count / 100, "Artist": 7, "Track": count])
    #expect(report.mappings[1].declared == count / 2)
    return peaks
  }

  private final class Mixed: EntityMigrationPolicy {
    private var artists: [String: ManagedObject] = [:]
    private var count = 0

    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      let name = source["artistName"].string ?? ""
      let artist = try artists[name] ?? manager.destinationContext.insert("Artist")
      artist["name"] = .string(name)
      artists[name] = artist
      count += 1
      if count % 2 == 0 {
        try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      } else {
        let track = try manager.destinationContext.insert("Track")
        track["title"] = source["title"]
        track["rating"] = source["rating"]
        try manager.associate(sourceInstance: source, withDestinationInstance: track, for: mapping)
      }
      try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])[0][
        toOne: "artist"] =
        artist
    }
  }
}
