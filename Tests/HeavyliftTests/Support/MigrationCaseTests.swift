import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

@Suite struct MigrationCaseTests {
  @Test func `shrinking keeps only the parts that break a law`() throws {
    var tried = 0
    for seed in 0..<40 as Range<UInt64> {
      let whole = MigrationCase(try GeneratedMigration(seed: seed))
      // Imitates a bug: a filter fails together with a certain attribute mapping if there are two albums.
      func breaks(_ candidate: MigrationCase) throws -> Bool {
        let mappings = candidate.mappings[0].entityMappings
        guard mappings.contains(where: { $0.filter != nil }),
          mappings.contains(where: { $0.propertyMappings.contains { $0.name == "count" } })
        else { return false }
        return try candidate.objectNames().filter { $0.hasPrefix("Album") }.count > 1
      }
      guard try breaks(whole) else { continue }
      tried += 1
      let least = try whole.shrunk(while: breaks)
      let mappings = least.mappings[0].entityMappings
      #expect(try least.objectNames().count == 2, "seed \(seed): \(least)")
      #expect(mappings.count <= 2, "seed \(seed): \(least)")
      #expect(mappings.flatMap(\.propertyMappings).map(\.name) == ["count"], "seed \(seed): \(least)")
      #expect(mappings.compactMap(\.filter).count == 1, "seed \(seed): \(least)")
      #expect(mappings.compactMap(\.policyClassName) == [], "seed \(seed): \(least)")
    }
    #expect(tried > 0)
  }
}
