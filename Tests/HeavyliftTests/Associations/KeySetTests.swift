import HeavyliftTestSupport
import Testing

@testable import Heavylift

@Suite struct KeySetTests {
  @Test(arguments: Seeds.some(of: 1..<21))
  func `it contains what a set contains, and lists it in order`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (keys, reference) = (KeySet(), Set<Int64>())
    for _ in 0..<500 {
      let key: Int64 =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .random(in: 1...1_000_000_000_000, using: &random)
        case 1: .max - .random(in: 0...300, using: &random)
        default: .random(in: 1...700, using: &random)
        }
      if Int.random(in: 0..<4, using: &random) == 0 {
        #expect(keys.remove(key) == (reference.remove(key) != nil), "seed \(seed)")
      } else {
        #expect(keys.insert(key) == reference.insert(key).inserted, "seed \(seed)")
      }
      #expect(keys.contains(key) == reference.contains(key), "seed \(seed)")
    }
    #expect(keys.count == reference.count, "seed \(seed)")
    var larger = keys
    for key in [5, 800, .max] as [Int64] { larger.insert(key) }
    #expect(keys.isSubset(of: larger) && larger.isSubset(of: keys) == (larger.count == keys.count), "seed \(seed)")
    var (listed, last): ([Int64], Int64) = ([], 0)
    while true {
      let some = keys.keys(after: last, atMost: 7, pages: keys.sortedPages)
      guard let end = some.last else { break }
      listed += some
      last = end
    }
    #expect(listed == reference.sorted(), "seed \(seed)")
    var visited: [Int64] = []
    keys.forEach { visited.append($0) }
    #expect(visited == listed, "seed \(seed)")
    #expect(keys.greatest == reference.max(), "seed \(seed)")
    var counter = KeySet.Counter(keys)
    var ends = (reference.union(reference.map { $0 &- 1 }).union([0, 63, 255, 256, 700, .max])).sorted()
    ends.removeAll { _ in Bool.random(using: &random) }
    for end in ends {
      #expect(counter.count(through: end) == reference.count { $0 <= end }, "seed \(seed), \(end)")
    }
  }

  @Test(arguments: [1...3, 5_000_000_000...5_000_000_003, -3 ... -1] as [ClosedRange<Int64>])
  func `a set from which keys are removed is the same as one without them`(keys: ClosedRange<Int64>) {
    var (set, other) = (KeySet(), KeySet())
    for key in [7] + Array(keys) { set.insert(key) }
    other.insert(7)
    for key in keys { set.remove(key) }
    #expect(set == other && other == set && set.greatest == 7)
  }

  @Test(arguments: Seeds.some(of: 1..<41))
  func `a union contains the keys of both sets`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func randomKeys() -> Set<Int64> {
      let count = Int.random(in: 0...300, using: &random)
      return Set(
        (0..<count).map { _ in
          switch Int.random(in: 0..<8, using: &random) {
          case 0: .random(in: -1_000...1_000_000_000_000, using: &random)
          case 1: .max - .random(in: 1_000_000...1_000_300, using: &random)
          default: .random(in: 1...700, using: &random)
          }
        })
    }
    let (one, other) = (randomKeys(), randomKeys())
    var (keys, others) = (KeySet(), KeySet())
    for key in one { keys.insert(key) }
    for key in other { others.insert(key) }
    keys.formUnion(others)
    let expected = one.union(other)
    var found: [Int64] = []
    keys.forEach { found.append($0) }
    #expect(found == expected.sorted(), "seed \(seed)")
    #expect(keys.count == expected.count, "seed \(seed)")
  }

  @Test func `keys that start far from 1 are each kept once as the set grows`() {
    var keys = KeySet()
    let all = Array(100_000...(120_000 as Int64))
    let refused = all.filter { !keys.insert($0) }
    #expect(refused == [])
    for key in [-1, 0, 99_999, 120_001, .max] as [Int64] { #expect(!keys.contains(key)) }
    let added = all.filter { keys.insert($0) }
    #expect(added == [])
    #expect(keys.count == all.count)
    #expect(keys.keys(after: 0, atMost: .max, pages: keys.sortedPages) == all)
  }
}
