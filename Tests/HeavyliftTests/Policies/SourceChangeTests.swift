import Foundation
import Heavylift
import HeavyliftConcurrency
import HeavyliftMapping
import HeavyliftVerification
import Testing

/// Policies that change source objects before they are read, often to fix what a new rule forbids.
@Suite struct SourceChangeTests {
  private static func track(_ policy: String?) -> EntityMappingDescription {
    EntityMappingDescription(
      source: "Track", destination: "Track", policy: policy, drops: PatternModels.plainTracks.droppedProperties)
  }

  private static func album(_ policy: String?) -> EntityMappingDescription {
    EntityMappingDescription(source: "Album", destination: "Album", policy: policy)
  }

  @Test(arguments: [true, false])
  func `values set in source objects are migrated`(byItsOwnPolicy: Bool) throws {
    let test = try PatternModels.test(UniqueTitles.self)
    try test.migrate(
      Self.album(byItsOwnPolicy ? nil : "UniqueTitles"), Self.track(byItsOwnPolicy ? "UniqueTitles" : nil),
      PatternModels.removeSettings)
    #expect(
      try test.lines("Track", "title") == [
        "Track/p1 title=Nina 1", "Track/p2 title=Ella 1", "Track/p3 title=Nina 2", "Track/p4 title=Cole 1",
        "Track/p5 title=Ella 2",
      ])
    #expect(try test.lines("Album", "tracks").count == 2)
  }

  @Test(arguments: [true, false])
  func `objects deleted in the source are not migrated`(byItsOwnPolicy: Bool) throws {
    let test = try PatternModels.test(WithoutDuplicates.self)
    try test.migrate(
      Self.album(byItsOwnPolicy ? nil : "WithoutDuplicates"), Self.track(byItsOwnPolicy ? "WithoutDuplicates" : nil),
      PatternModels.removeSettings)
    #expect(try test.lines("Track", "title") == ["Track/p1 title=T1", "Track/p2 title=T2", "Track/p4 title=T4"])
    #expect(
      try test.lines("Album", "tracks") == [
        "Album/p1 tracks=[Track/p1 Track/p2]", "Album/p2 tracks=[Track/p4]",
      ])
  }

  /// The verifier reads the old store, which does not have the changes.
  @Test(arguments: ["UniqueTitles", "WithoutDuplicates"], [true, false])
  func `a verification takes changes of source objects as decisions of the policy`(
    policy: String, isKnown: Bool
  ) throws {
    let policies = PolicyRegistry(UniqueTitles.self, WithoutDuplicates.self)
    let test = try MigrationTest(
      from: PatternModels.old, to: PatternModels.new, policies: policies, fill: PatternModels.fill)
    let mapping = MappingModel(
      source: ModelReference(name: "Music 1"), destination: ModelReference(name: "Music 2"),
      entityMappings: [Self.album(policy), Self.track(nil), PatternModels.removeSettings])
    var manager = IncrementalMigrationManager(
      models: [PatternModels.old, PatternModels.new],
      mappings: MappingSearch([MappingCandidate(file: "1-2.xml", mappingModel: mapping)]),
      execution: MappingHopExecution(policies: policies))
    let reports = Locked<[VerificationReport]>([])
    manager.hopHandler = { finished in
      #expect(finished.changedEntities.contains("Track"))
      let old = try PersistentStore(url: finished.source, models: [finished.hop.sourceModel], mode: .readOnly)
      defer { try? old.close() }
      let new = try PersistentStore(url: finished.destination, models: [finished.hop.destinationModel], mode: .readOnly)
      defer { try? new.close() }
      var verifier = StoreVerifier(
        source: old, destination: new, mappings: finished.hop.mappings, policies: policies,
        provenance: try finished.provenance.map { try MigrationProvenance(contentsOf: $0) })
      if isKnown { verifier.changedEntities = Set(finished.changedEntities) }
      reports.current.append(try verifier.verify())
    }
    let report = try manager.migrate(test.source)
    #expect(report.hops[0].report?.changedEntities.contains("Track") == true)
    #expect(reports.current.count == 1)
    #expect(reports.current[0].isClean == isKnown, "\(reports.current[0].examples)")
    #expect(reports.current[0].decidedByPolicies > 0 || !isKnown)
    #expect(reports.current[0].changedEntities.contains("Track") == isKnown)
  }

  @Test func `filters see the changes`() throws {
    let test = try PatternModels.test(UniqueTitles.self)
    var tracks = Self.track("UniqueTitles")
    tracks.filter = try MappingPredicate(parsing: "title ENDSWITH '2'")
    try test.migrate(Self.album(nil), tracks, PatternModels.removeSettings)
    #expect(try test.lines("Track", "title") == ["Track/p3 title=Nina 2", "Track/p5 title=Ella 2"])
  }

  @Test func `a source object may be deleted once its counterpart exists`() throws {
    let test = try PatternModels.test(DeletingSources.self)
    try test.migrate(Self.album(nil), Self.track("DeletingSources"), PatternModels.removeSettings)
    // A deleted object keeps its links, but no links lead to it, so the order is that of the tracks.
    #expect(
      try test.lines("Album", "tracks") == [
        "Album/p1 tracks=[Track/p1 Track/p2 Track/p3]", "Album/p2 tracks=[Track/p4 Track/p5]",
      ])
  }

  /// If no policy changes the source, statements run two of these mappings.
  @Test(arguments: [0, 1, 2], ["begin", "create", "endInstances", "connect", "endRelationships"])
  func `objects and statements see the same changes`(place: Int, hook: String) throws {
    var mappings = [Self.album(nil), Self.track(nil)]
    mappings.insert(
      EntityMappingDescription(
        name: "Settings", source: "Setting", destination: "Note", policy: "Regrouping"), at: place)
    mappings[place].userInfo = ["hook": hook]
    func outcome(forcesObjects: Bool) throws -> [String] {
      let test = try MigrationTest(
        from: PatternModels.old, to: PatternModels.new, policies: PolicyRegistry(Regrouping.self)
      ) { context in
        try PatternModels.fill(context)
        _ = try context.insert("Setting")
      }
      var options = MigrationOptions()
      options.forcesObjects = forcesObjects
      let bytes = try test.sourceBytes()
      try test.migrate(MappingModel(entityMappings: mappings), options: options)
      #expect(try test.sourceBytes() == bytes)
      return try test.lines("Album", "title", "tracks") + test.lines("Track", "title", "album")
    }
    let objects = try outcome(forcesObjects: true)
    #expect(try outcome(forcesObjects: false) == objects)
    // The last hook with an effect: all objects have been created, and none has been connected.
    if hook == "endInstances", place == 2 {
      #expect(
        objects == [
          "Album/p1 title=Blue tracks=[Track/p3 Track/p1 Track/p5 Track/p2]", "Album/p2 title=Red tracks=[Track/p4]",
          "Track/p1 title=T1 album=Album/p1", "Track/p2 title=T2 album=Album/p1", "Track/p3 title=T3 album=Album/p1",
          "Track/p4 title=T4 album=Album/p2", "Track/p5 title=T5 album=Album/p1",
        ])
    }
  }

  /// Tracks with one relationship of each kind.
  private static let everyKind = ManagedObjectModel(
    name: "Music",
    entities: [
      EntityDescription(
        name: "Album", attributes: [Models.attribute("title", .string)],
        relationships: [Models.toMany("tracks", "Track", "album")]),
      EntityDescription(
        name: "Setlist",
        relationships: [
          Models.toMany("tracks", "Track", "setlist", isOrdered: true),
          Models.toMany("guests", "Track", "appearances", isOrdered: true),
        ]),
      EntityDescription(name: "Cover", relationships: [Models.toOne("track", "Track", "cover")]),
      EntityDescription(name: "Tag", relationships: [Models.toMany("tracks", "Track", "tags")]),
      EntityDescription(name: "Label"),
      EntityDescription(
        name: "Track", attributes: [Models.attribute("title", .string), Models.attribute("stars", .integer16)],
        relationships: [
          Models.toOne("album", "Album", "tracks"), Models.toOne("cover", "Cover", "track"),
          Models.toOne("setlist", "Setlist", "tracks"), Models.toOne("label", "Label"),
          Models.toOne("next", "Track", "previous"), Models.toOne("previous", "Track", "next"),
          Models.toMany("tags", "Tag", "tracks"), Models.toMany("appearances", "Setlist", "guests"),
        ]),
    ])

  /// The same model with only some of a track's relationships and their inverses: one that cannot be written early
  /// prevents that for the others.
  private static func model(_ relationships: [String]) -> ManagedObjectModel {
    var model = everyKind
    for index in model.entities.indices {
      let isTrack = model.entities[index].name == "Track"
      model.entities[index].relationships.removeAll {
        !relationships.contains(isTrack ? $0.name : $0.inverseName ?? "")
      }
    }
    return model
  }

  private static func fill(_ context: ManagedObjectContext, _ relationships: [String]) throws {
    let names = ["Album", "Setlist", "Tag", "Label"]
    let objects = try names.map { name in try (0..<2).map { _ in try context.insert(name) } }
    var tracks: [ManagedObject] = []
    for index in 0..<5 {
      let track = try context.insert("Track")
      track["title"] = .string("T\(index + 1)")
      track["stars"] = .integer(Int64(index))
      let targets: [String: ManagedObject?] = [
        "album": objects[0][index % 2], "cover": try context.insert("Cover"), "label": objects[3][index % 2],
        "previous": tracks.last,
      ]
      for (name, target) in targets where relationships.contains(name) { track[toOne: name] = target }
      if relationships.contains("tags") { track[toMany: "tags"] = Array(objects[2].prefix(index % 3)) }
      tracks.append(track)
    }
    for (setlist, order) in zip(objects[1], [[2, 0, 4], [3, 1]]) {
      if relationships.contains("setlist") { try setlist.setObjects(order.map { tracks[$0] }, forKey: "tracks") }
      guard relationships.contains("appearances") else { continue }
      try setlist.setObjects(order.reversed().map { tracks[$0] } + [tracks[(order[0] + 1) % 5]], forKey: "guests")
    }
  }

  private static let kinds = [
    ["album", "cover", "tags"], ["next", "previous"], ["label", "album"], ["setlist", "appearances"],
  ]

  /// The last two hooks run after everything is connected, so the changes have no effect, and must not destroy
  /// anything.
  @Test(
    arguments: ["begin", "create", "endInstances", "connect", "endRelationships", "validate", "end"], kinds)
  func `changes at any hook keep relationships of every kind`(hook: String, relationships: [String]) throws {
    let model = Self.model(relationships)
    func outcome(_ hook: String, forcesObjects: Bool) throws -> [String: [String]] {
      let test = try MigrationTest(from: model, to: model, policies: PolicyRegistry(SourceChanging.self)) {
        try Self.fill($0, relationships)
      }
      var mappings = model.entities.map { EntityMappingDescription(source: $0.name, destination: $0.name) }
      mappings[0].policyClassName = "SourceChanging"
      mappings[0].userInfo = ["hook": hook]
      var options = MigrationOptions()
      options.forcesObjects = forcesObjects
      let bytes = try test.sourceBytes()
      try test.migrate(MappingModel(entityMappings: mappings), options: options)
      #expect(try test.sourceBytes() == bytes)
      return try test.contents()
    }
    let isLate = ["validate", "end"].contains(hook)
    let objects = try outcome(isLate ? "none" : hook, forcesObjects: true)
    #expect(try outcome(hook, forcesObjects: false) == objects)
  }

  @Test func `an object inserted into the source is reported`() throws {
    let test = try PatternModels.test(InsertingSources.self)
    let error = test.failure {
      try test.migrate(Self.album("InsertingSources"), Self.track(nil), PatternModels.removeSettings)
    }
    #expect(
      error?.description == """
        error[migration.134110]: entity mapping 'TrackToTrack', object 'Track/t1': object Track/t1 was created during \
        the migration and is not in the source
          create new objects in manager.destinationContext
        """)
  }

  @Test func `the source is not saved`() throws {
    let test = try PatternModels.test(SavingSource.self)
    let bytes = try test.sourceBytes()
    let error = test.failure {
      try test.migrate(Self.album("SavingSource"), Self.track(nil), PatternModels.removeSettings)
    }
    #expect(
      error?.description == """
        error[migration.134170]: entity mapping 'AlbumToAlbum', in 'begin': the source of a migration is read-only
          remove the call to 'save()': changes to source objects take effect in the migration without it
        """)
    #expect(try test.sourceBytes() == bytes)
  }

  @Test func `all objects of the source are registered`() throws {
    let test = try PatternModels.test(LookingAtRegistered.self)
    try test.migrate(Self.album("LookingAtRegistered"), Self.track(nil), PatternModels.removeSettings)
    #expect(test.manager.userInfo["registered"] as? [String] == ["Track/p1"])
  }
}

// MARK: Policies

private final class UniqueTitles: EntityMigrationPolicy {
  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    var counts: [String: Int] = [:]
    for track in try manager.sourceContext.fetch(FetchRequest(entityName: "Track")) {
      let name = track["artistName"].string ?? ""
      counts[name, default: 0] += 1
      track["title"] = .string("\(name) \(counts[name, default: 0])")
    }
  }
}

private final class WithoutDuplicates: EntityMigrationPolicy {
  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    var seen: Set<String> = []
    for track in try manager.sourceContext.fetch(FetchRequest(entityName: "Track")) {
      if !seen.insert(track["artistName"].string ?? "").inserted { try manager.sourceContext.delete(track) }
    }
  }
}

private final class DeletingSources: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    try manager.sourceContext.delete(source)
  }
}

/// Puts the last track on the first album, renames the first track, and removes the second.
private final class Regrouping: EntityMigrationPolicy {
  private func change(at hook: String, _ mapping: EntityMapping, _ manager: MigrationManager) throws {
    guard mapping.userInfo["hook"] == hook else { return }
    let tracks = try manager.sourceContext.fetch(FetchRequest(entityName: "Track"))
    let albums = try manager.sourceContext.fetch(FetchRequest(entityName: "Album"))
    tracks[4][toOne: "album"] = albums[0]
    tracks[0]["title"] = "renamed"
    try manager.sourceContext.delete(tracks[1])
  }

  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    try change(at: "begin", mapping, manager)
  }

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    try change(at: "create", mapping, manager)
  }

  override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    try change(at: "endInstances", mapping, manager)
  }

  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
    try change(at: "connect", mapping, manager)
  }

  override func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    try change(at: "endRelationships", mapping, manager)
  }
}

/// Changes the source's first tracks in one hook.
private final class SourceChanging: EntityMigrationPolicy {
  private func change(at hook: String, _ mapping: EntityMapping, _ manager: MigrationManager) throws {
    guard mapping.userInfo["hook"] == hook else { return }
    let tracks = try manager.sourceContext.fetch(FetchRequest(entityName: "Track"))
    let known = Set(manager.sourceModel.allRelationships(of: tracks[0].entity).map(\.name))
    tracks[0]["stars"] = 5
    for name in known.intersection(["album", "cover", "setlist", "label"]) {
      tracks[0][toOne: name] = tracks[1][toOne: name]
    }
    if known.contains("next") { tracks[2][toOne: "next"] = nil }
    if known.contains("tags") { tracks[2][toMany: "tags"] = [] }
    try manager.sourceContext.delete(tracks[3])
  }

  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    try change(at: "begin", mapping, manager)
  }

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    if source.primaryKey == 1 { try change(at: "create", mapping, manager) }
  }

  override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    try change(at: "endInstances", mapping, manager)
  }

  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
    if destination.primaryKey == 1 { try change(at: "connect", mapping, manager) }
  }

  override func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    try change(at: "endRelationships", mapping, manager)
  }

  override func performCustomValidation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    try change(at: "validate", mapping, manager)
  }

  override func end(_ mapping: EntityMapping, manager: MigrationManager) throws {
    try change(at: "end", mapping, manager)
  }
}

private final class InsertingSources: EntityMigrationPolicy {
  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    _ = try manager.sourceContext.insert("Track")
  }
}

private final class SavingSource: EntityMigrationPolicy {
  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    for track in try manager.sourceContext.fetch(FetchRequest(entityName: "Track")) { track["artistName"] = nil }
    try manager.sourceContext.save()
  }
}

private final class LookingAtRegistered: EntityMigrationPolicy {
  override func end(_ mapping: EntityMapping, manager: MigrationManager) throws {
    manager.userInfo["registered"] = try manager.sourceContext.registeredObjects.filter {
      $0.entity.name == "Track" && $0["title"] == "T1"
    }.map(\.description)
  }
}
