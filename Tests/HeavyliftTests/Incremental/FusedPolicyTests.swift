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

  /// Another thread reads small pages ahead.
  private static func outcome(
    of chain: MigrationCase, _ policies: PolicyRegistry = policies, userInfo: [String: Any] = [:]
  ) throws -> FusedChain {
    var options = MigrationOptions()
    options.prefetching.leastObjects = 0
    options.prefetching.pageSize = 2
    return try FusedChain(chain, policies: policies, options: options, userInfo: userInfo)
  }

  @Test func `policies see and do the same after fused hops`() throws {
    var (done, overViews) = (0, 0)
    let seeds = Seeds.some(of: 0..<60)
    for seed in seeds {
      let (hop, chain) = try Self.chain(seed)
      let both = try Self.outcome(of: chain)
      if both.written.error == nil { done += 1 }
      if both.reasons.count > hop, both.reasons[hop - 1] == nil { overViews += 1 }
      guard both.disagreement != nil else { continue }
      let least = try chain.shrunk { try Self.outcome(of: $0).disagreement != nil }
      Issue.record(
        "seed \(seed)\n\(try Self.outcome(of: least).disagreement ?? "")\n\(least)")
      return
    }
    #expect(
      done * 3 > seeds.count && overViews * 3 > done * 2,
      "\(done) of \(seeds.count) chains succeeded; \(overViews) with a policy after fused hops")
  }

  // MARK: One chain

  /// The work of a policy, and the views of its source that are stored afterwards.
  private final class Findings {
    var created = 0
    var storedViews: [String] = []
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
      let store = manager.sourceContext.store
      (manager.userInfo["findings"] as? Findings)?.storedViews = store.storedViews.sorted()
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

  private static func model(_ version: Int) -> ManagedObjectModel {
    let added = Models.attribute("added\(version)", .integer64, default: .integer(Int64(version)))
    return ManagedObjectModel(
      name: "V\(version)",
      entities: [
        EntityDescription(
          name: "Track", attributes: [Models.attribute("title", .string), added],
          relationships: [Models.toOne("album", "Album", "tracks"), Models.toMany("tags", "Tag", "tracks")]),
        EntityDescription(
          name: "Album", attributes: [Models.attribute("name", .string)],
          relationships: [Models.toMany("tracks", "Track", "album")]),
        EntityDescription(
          name: "Tag", attributes: [Models.attribute("name", .string)],
          relationships: [Models.toMany("tracks", "Track", "tags")]),
      ])
  }

  /// Three hops over 40 tracks; the second has a policy.
  private static func chain(_ policy: EntityMigrationPolicy.Type) -> MigrationCase {
    let hops = (0..<3).map { hop in
      var track = EntityMappingDescription(source: "Track", destination: "Track")
      if hop == 1 { track.policyClassName = PolicyRegistry(policy).names.first }
      track.droppedProperties = [DroppedProperty("added\(hop)")]
      return [
        track, EntityMappingDescription(source: "Album", destination: "Album"),
        EntityMappingDescription(source: "Tag", destination: "Tag"),
      ]
    }
    return .chain((0...3).map(model), hops) { context in
      let tags = try ["a", "b", "c"].map { name in
        let tag = try context.insert("Tag")
        tag["name"] = .string(name)
        return tag
      }
      for number in 0..<40 {
        let track = try context.insert("Track")
        let album = try context.insert("Album")
        album["name"] = .string("album \(number)")
        try track.setObject(album, forKey: "album")
        for (place, tag) in tags.enumerated() where number % (place + 2) == 0 { try track.add(tag, to: "tags") }
      }
    }
  }

  @Test func `the stores around a policy's hop are the only ones that are written`() throws {
    let findings = Findings()
    let both = try Self.outcome(
      of: Self.chain(CountingPolicy.self), PolicyRegistry(CountingPolicy.self), userInfo: ["findings": findings])
    #expect(both.disagreement == nil)
    let reason = "policy 'CountingPolicy' of hop 'V1' → 'V2' works with objects"
    #expect(both.reasons == [nil, reason, "it is the last hop"])
    #expect(both.fused.rows["ZTRACK"]?.count == 40)
    #expect(findings.storedViews == [])
  }

  @Test func `a view is stored once a policy has read a few of its rows many times`() throws {
    let findings = Findings()
    let both = try Self.outcome(
      of: Self.chain(FollowingPolicy.self), PolicyRegistry(FollowingPolicy.self), userInfo: ["findings": findings])
    #expect(both.disagreement == nil)
    #expect(both.reasons.prefix(1) == [nil])
    #expect(both.fused.rows["ZTRACK"]?.contains { $0.contains("album 0 a+b+c") } == true)
    // Objects are read by their keys, which a view finds quickly if they are those of the table beneath it.
    #expect(findings.storedViews.map { $0.hasSuffix("_Z_2TRACKS") } == [true], "\(findings.storedViews)")
  }

  @Test func `a policy's own error does not run it again`() throws {
    let findings = Findings()
    findings.fails = true
    let both = try Self.outcome(
      of: Self.chain(CountingPolicy.self), PolicyRegistry(CountingPolicy.self), userInfo: ["findings": findings])
    #expect(both.fused.error?.contains("hop 'V1' → 'V2'") == true, "\(both.fused.error ?? "")")
    #expect(both.fused.error?.contains("object 'Track/p1': Refusal()") == true, "\(both.fused.error ?? "")")
    #expect(findings.created == 2, "once with hops written and once with hops fused")
  }
}

extension ManagedObject {
  fileprivate func text(forKey key: String) throws -> String {
    guard case .string(let text) = try value(forKey: key) else { return "" }
    return text
  }
}
