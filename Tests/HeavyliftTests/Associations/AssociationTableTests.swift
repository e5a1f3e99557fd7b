import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftEngine

@Suite struct AssociationTableTests {
  typealias Object = AssociationTable.Object

  private func table() throws -> (TemporaryFolder, Associations) {
    let folder = try TemporaryFolder()
    return (folder, Associations(tableURL: folder.appending("associations.sqlite"), mappings: 8))
  }

  @Test(arguments: Seeds.some(of: 1..<9))
  func `it returns what a list of pairs returns`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (folder, associations) = try table()
    var pairs: [(mapping: Int, source: Object, destination: Object)] = []
    for _ in 0..<900 {
      let mapping = Int.random(in: 0..<2, using: &random)
      let source = Object(entity: .random(in: 1...2, using: &random), key: .random(in: 1...300, using: &random))
      let destination = Object(entity: 1, key: .random(in: 1...400, using: &random))
      if !pairs.contains(where: { $0 == (mapping, source, destination) }) {
        pairs.append((mapping, source, destination))
      }
      try associations.record(source: source, destination: destination, mapping: mapping)
    }
    for key in 1...30 as ClosedRange<Int64> {
      let gone = Object(entity: 1, key: key)
      let restore = try associations.forget(gone, declaredKeys: [])
      if key.isMultiple(of: 3) {
        try restore()
        continue
      }
      pairs.removeAll { $0.destination == gone }
    }
    for mapping in 0..<2 {
      for pair in pairs.prefix(60) {
        let destinations = try associations.recordedDestinations(of: pair.source, mapping: mapping)
        #expect(
          destinations
            == pairs.filter { $0.mapping == mapping && $0.source == pair.source }.map(\.destination), "seed \(seed)")
        let sources = try associations.recordedSources(of: pair.destination, mapping: mapping)
        #expect(
          sources == pairs.filter { $0.mapping == mapping && $0.destination == pair.destination }.map(\.source),
          "seed \(seed)")
      }
      var visited: [Object] = []
      try associations.forEachRecorded(mapping: mapping) { visited.append($1) }
      #expect(visited == distinct(pairs.filter { $0.mapping == mapping }.map(\.destination)), "seed \(seed)")
      visited = []
      try associations.forEachRecorded(mapping: mapping, ofSources: true) { source, _ in visited.append(source) }
      #expect(visited == distinct(pairs.filter { $0.mapping == mapping }.map(\.source)), "seed \(seed)")
    }
    withExtendedLifetime(folder) {}
  }

  private func distinct(_ objects: [Object]) -> [Object] {
    var seen: Set<Object> = []
    return objects.filter { seen.insert($0).inserted }
  }

  @Test func `pairs added during an enumeration are not enumerated`() throws {
    let (folder, associations) = try table()
    for key in 1...300 as ClosedRange<Int64> {
      try associations.record(
        source: Object(entity: 1, key: key), destination: Object(entity: 1, key: key), mapping: 0)
    }
    var count = 0
    try associations.forEachRecorded(mapping: 0) { source, _ in
      count += 1
      try associations.record(
        source: source, destination: Object(entity: 1, key: source.key + 10_000), mapping: 0)
    }
    #expect(count == 300)
    withExtendedLifetime(folder) {}
  }

  @Test func `a table can be emptied and used again`() throws {
    let (folder, associations) = try table()
    #expect(associations.noteDeclared(7, mapping: 3))
    try associations.record(source: Object(entity: 1, key: 1), destination: Object(entity: 1, key: 2), mapping: 0)
    try associations.removeAll()
    #expect(!associations.isDeclared(7, mapping: 3) && !associations.hasRecorded(mapping: 0))
    #expect(associations.noteDeclared(7, mapping: 3))
    #expect(associations.declaredKeys(mapping: 3).count == 1)
    withExtendedLifetime(folder) {}
  }
}
