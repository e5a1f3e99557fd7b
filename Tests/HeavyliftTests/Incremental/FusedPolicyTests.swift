import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Law: a policy sees and does the same, whether the hops before it are fused or written.
@Suite struct FusedPolicyTests {
  private static let hopCount = 4
  private static var policies: PolicyRegistry {
    PolicyRegistry(LawPolicy.self, CuriousPolicy.self, LeavingPolicy.self)
  }

  /// A generated chain with policies in the second or a later hop.
  private static func chain(_ seed: UInt64) throws -> (hop: Int, MigrationCase) {
    var random = SeededGenerator(seed: seed &+ 11_000)
    var (models, mappings, first) = try GeneratedMigration.chain(seed: seed, hops: hopCount, isTame: true)
    let hop = Int.random(in: 1..<hopCount, using: &random)
    for place in mappings[hop].entityMappings.indices where Int.random(in: 0..<3, using: &random) > 0 {
      mappings[hop].entityMappings[place].policyClassName = policies.names.sorted().randomElement(using: &random)
      mappings[hop].entityMappings[place].userInfo = ["way": "\(Int.random(in: 0...10, using: &random))"]
    }
    let chain = MigrationCase(models, mappings) { context in
      var copy = first
      try copy.fill(context, isTame: true)
    }
    return (hop, chain)
  }

  /// - Parameter prefetches: True if another thread reads small pages ahead, also in small stores.
  private static func outcome(
    of chain: MigrationCase, _ policies: PolicyRegistry = policies, userInfo: [String: Any] = [:], prefetches: Bool
  ) throws -> FusedChain {
    var options = MigrationOptions()
    if prefetches { (options.prefetching.leastObjects, options.prefetching.pageSize) = (0, 2) }
    return try FusedChain(chain, policies: policies, options: options, userInfo: userInfo)
  }

  @Test func `policies see and do the same after fused hops`() throws {
    var (done, overViews) = (0, 0)
    let seeds = Seeds.some(of: 0..<60)
    for seed in seeds {
      let (hop, chain) = try Self.chain(seed)
      let prefetches = seed % 2 == 0
      let both = try Self.outcome(of: chain, prefetches: prefetches)
      if both.written.error == nil { done += 1 }
      if both.reasons.count > hop, both.reasons[hop - 1] == nil { overViews += 1 }
      guard both.disagreement != nil else { continue }
      let least = try chain.shrunk { try Self.outcome(of: $0, prefetches: prefetches).disagreement != nil }
      Issue.record(
        "seed \(seed)\n\(try Self.outcome(of: least, prefetches: prefetches).disagreement ?? "")\n\(least)")
      return
    }
    #expect(
      done * 3 > seeds.count && overViews * 3 > done * 2,
      "\(done) of \(seeds.count) chains succeeded; \(overViews) with a policy after fused hops")
  }

  // MARK: Small chains

  /// The work of a policy, and the views of its source that are stored afterwards.
  private final class Findings {
    var created = 0
    /// The tables without the views' prefixes.
    var stored: Set<String> = []
    /// The policy throws an error of its own.
    var fails = false
  }

  private struct Refusal: Error {}

  private class CountingPolicy: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      let findings = manager.userInfo["findings"] as? Findings
      findings?.created += 1
      if findings?.fails == true { throw Refusal() }
    }

    override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
      let stored = manager.sourceContext.store.viewReads.stored.map { $0.replacing(#/^heavylift_view_\d+_/#, with: "") }
      (manager.userInfo["findings"] as? Findings)?.stored = Set(stored)
    }
  }

  /// Reads the objects that each track is linked to.
  private final class FollowingPolicy: CountingPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      let tags = try source.objects(forKey: "tags").map { try $0.text(forKey: "name") }.sorted()
      let album = try source.object(forKey: "album")?.text(forKey: "name")
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source]).first?["title"] =
        .string("\(album ?? "none") \(tags.joined(separator: "+"))")
    }
  }

  /// Fetches objects by the values of others, once.
  private final class FetchingPolicy: CountingPolicy {
    override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
      let request = try FetchRequest(entityName: "Track", where: "album.name == 'album 3' OR ANY tags.name == 'c'")
      for track in try manager.sourceContext.fetch(request) { track["title"] = "fetched" }
    }
  }

  /// Corrects tracks that break a rule of the version before, which another entity mapping has copied.
  private final class CorrectingPolicy: CountingPolicy {
    override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
      for track in try manager.destinationContext.fetch(FetchRequest(entityName: "Track")) where track["title"] == .null
      {
        track["title"] = "corrected"
      }
    }
  }

  /// Creates nothing from every other object.
  private final class OmittingPolicy: CountingPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      guard source.primaryKey.isMultiple(of: 2) else { return }
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    }
  }

  /// Continues after a read that failed.
  private final class CarelessPolicy: CountingPolicy {
    override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
      let store = manager.sourceContext.store
      // Then the rows of this table cannot be stored.
      if let table = store.layout.joinTables.first?.name, store.isViewed {
        try store.database.execute("CREATE TEMP TABLE \(table.asSQLIdentifier.dropLast())_rows\" (a)")
      }
    }

    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      _ = try? source.objects(forKey: "tags")
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    }
  }

  private static func model(_ version: Int, requiresTitle: Bool = false) -> ManagedObjectModel {
    let added = Models.attribute("added\(version)", .integer64, default: .integer(Int64(version)))
    return ManagedObjectModel(
      name: "V\(version)",
      entities: [
        EntityDescription(
          name: "Track", attributes: [Models.attribute("title", .string, isOptional: !requiresTitle), added],
          relationships: [Models.toOne("album", "Album", "tracks"), Models.toMany("tags", "Tag", "tracks")]),
        EntityDescription(
          name: "Album", attributes: [Models.attribute("name", .string)],
          relationships: [Models.toMany("tracks", "Track", "album")]),
        EntityDescription(
          name: "Tag", attributes: [Models.attribute("name", .string)],
          relationships: [Models.toMany("tracks", "Track", "tags")]),
      ])
  }

  /// Two hops over 40 tracks, of which the second has a policy.
  ///
  /// - Parameters:
  ///   - entity: The entity whose mapping has the policy.
  ///   - counts: True if the first hop counts each track's tags.
  ///   - makesTags: True if the first hop also makes a tag of each album, so that keys of tags are computed.
  ///   - requiresTitle: True if titles are mandatory after the first hop.
  private static func chain(
    _ policy: EntityMigrationPolicy.Type, on entity: String = "Track", counts: Bool = false, makesTags: Bool = false,
    requiresTitle: Bool = false
  ) throws -> MigrationCase {
    let hops = try (0..<2).map { hop in
      var mappings = ["Track", "Album", "Tag"].map { EntityMappingDescription(source: $0, destination: $0) }
      mappings[0].droppedProperties = [DroppedProperty("added\(hop)")]
      if hop == 0, counts {
        mappings[0].propertyMappings = [.attribute("added1", try MappingExpression(parsing: "$source.tags.@count"))]
      }
      if hop == 0, makesTags {
        mappings.append(
          EntityMappingDescription(
            name: "AlbumToTag", source: "Album", destination: "Tag",
            properties: [
              .attribute("name", try MappingExpression(parsing: "$source.name")),
              PropertyMappingDescription(.relationship, name: "tracks", source: .unmapped),
            ]))
        mappings.swapAt(2, 3)
        for place in mappings.indices { mappings[place].intendsDuplicates = true }
      }
      for place in mappings.indices where hop == 1 && mappings[place].sourceEntityName == entity {
        mappings[place].policyClassName = PolicyRegistry(policy).names.first
      }
      return mappings
    }
    return .chain((0...2).map { model($0, requiresTitle: requiresTitle && $0 > 0) }, hops) { context in
      let tags = try ["a", "b", "c"].map { name in
        let tag = try context.insert("Tag")
        tag["name"] = .string(name)
        return tag
      }
      for number in 0..<40 {
        let (track, album) = (try context.insert("Track"), try context.insert("Album"))
        if number != 7 { track["title"] = "title" }
        album["name"] = .string("album \(number)")
        try track.setObject(album, forKey: "album")
        for (place, tag) in tags.enumerated() where number % (place + 2) == 0 { try track.add(tag, to: "tags") }
      }
    }
  }

  private func outcome(
    _ policy: EntityMigrationPolicy.Type, _ chain: MigrationCase, prefetches: Bool
  ) throws -> (FusedChain, Findings) {
    let findings = Findings()
    let both = try Self.outcome(
      of: chain, PolicyRegistry(policy), userInfo: ["findings": findings], prefetches: prefetches)
    return (both, findings)
  }

  @Test(arguments: [false, true]) func `a hop with a policy reads a store that was never written`(
    prefetches: Bool
  ) throws {
    let (both, findings) = try outcome(
      CountingPolicy.self, Self.chain(CountingPolicy.self), prefetches: prefetches)
    #expect(both.disagreement == nil)
    #expect(both.reasons == [nil, "it is the last hop"])
    #expect(both.fused.rows["ZTRACK"]?.count == 40)
    #expect(findings.stored == [] && findings.created == 80)
  }

  @Test(arguments: [false, true]) func `a view is stored once a policy has searched it many times`(
    prefetches: Bool
  ) throws {
    let (both, findings) = try outcome(
      FollowingPolicy.self, Self.chain(FollowingPolicy.self), prefetches: prefetches)
    #expect(both.disagreement == nil)
    #expect(both.reasons == [nil, "it is the last hop"])
    #expect(both.fused.rows["ZTRACK"]?.contains { $0.contains("album 0 a+b+c") } == true)
    // Albums and tags are found by keys that the view does not compute.
    #expect(findings.stored == ["Z_2TRACKS"] && findings.created == 80)
  }

  @Test(arguments: [false, true]) func `a view that computes keys is stored, too`(prefetches: Bool) throws {
    let (both, findings) = try outcome(
      FollowingPolicy.self, Self.chain(FollowingPolicy.self, makesTags: true), prefetches: prefetches)
    #expect(both.disagreement == nil)
    #expect(both.reasons == [nil, "it is the last hop"])
    #expect(findings.stored == ["Z_2TRACKS", "ZTAG"] && findings.created == 80)
  }

  @Test func `a fetch stores only the views that it searches`() throws {
    let (both, findings) = try outcome(FetchingPolicy.self, Self.chain(FetchingPolicy.self), prefetches: false)
    #expect(both.disagreement == nil)
    #expect(both.reasons == [nil, "it is the last hop"])
    #expect(findings.stored == ["Z_2TRACKS", "ZTAG"])
  }

  @Test(arguments: [false, true]) func `values from other objects are written before a policy reads them`(
    prefetches: Bool
  ) throws {
    let (both, findings) = try outcome(
      FollowingPolicy.self, Self.chain(FollowingPolicy.self, counts: true), prefetches: prefetches)
    #expect(both.disagreement == nil)
    #expect(
      both.reasons.first == """
        hop 'V1' → 'V2' cannot be fused with it: entity mapping 'TrackToTrack' runs object by object, and an \
        earlier hop computes values from other objects
        """)
    #expect(findings.created == 80)
  }

  @Test func `a policy cannot hide that the version before it breaks a rule`() throws {
    let chain = try Self.chain(CorrectingPolicy.self, on: "Album", requiresTitle: true)
    let (both, _) = try outcome(CorrectingPolicy.self, chain, prefetches: false)
    #expect(both.disagreement == nil)
    #expect(both.fused.error?.contains("hop 'V0' → 'V1'") == true, "\(both.fused.error ?? "")")
    #expect(both.fused.error?.contains("'title' is mandatory and has no value") == true, "\(both.fused.error ?? "")")
  }

  @Test(arguments: ["Tag", "Album"]) func `links to objects that a policy leaves out are gone`(entity: String) throws {
    let chain = try Self.chain(OmittingPolicy.self, on: entity)
    let (both, findings) = try outcome(OmittingPolicy.self, chain, prefetches: false)
    #expect(both.disagreement == nil)
    #expect(both.reasons == [nil, "it is the last hop"])
    #expect(findings.created == (entity == "Tag" ? 2 : 40))
  }

  @Test func `a policy's own error does not run it again`() throws {
    let findings = Findings()
    findings.fails = true
    let both = try Self.outcome(
      of: Self.chain(CountingPolicy.self), PolicyRegistry(CountingPolicy.self), userInfo: ["findings": findings],
      prefetches: false)
    #expect(both.disagreement == nil)
    #expect(both.fused.error?.contains("object 'Track/p1': Refusal()") == true, "\(both.fused.error ?? "")")
    #expect(findings.created == 2, "once with hops written and once with hops fused")
  }

  @Test func `hops run one by one if a view cannot be stored, whatever a policy makes of the error`() throws {
    let findings = Findings()
    let both = try FusedChain(
      Self.chain(CarelessPolicy.self), policies: PolicyRegistry(CarelessPolicy.self), userInfo: ["findings": findings],
      mayFail: true)
    #expect(both.reasons.first??.contains("_rows\" already exists") == true, "\(both.reasons)")
    // The policy is stopped at the read that fails.
    #expect(findings.created == 40 + 16 + 40)
    #expect(both.disagreement == nil)
  }
}

extension ManagedObject {
  fileprivate func text(forKey key: String) throws -> String {
    guard case .string(let text) = try value(forKey: key) else { return "" }
    return text
  }
}
