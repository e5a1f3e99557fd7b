import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftMapping

/// Filters that may exclude objects or let them pass twice.
@Suite struct FilterCasesTests {
  private static let attributes: [String: AttributeDescription] = [
    "live": AttributeDescription(name: "live", type: .boolean, isOptional: false),
    "maybe": AttributeDescription(name: "maybe", type: .boolean),
    "rank": AttributeDescription(name: "rank", type: .integer16, isOptional: false),
    "year": AttributeDescription(name: "year", type: .integer16),
    "price": AttributeDescription(name: "price", type: .double, isOptional: false),
    "title": AttributeDescription(name: "title", type: .string),
  ]

  private static func cases(_ filters: [String]) throws -> FilterCases? {
    FilterCases(try filters.map { try MappingPredicate(parsing: $0) }) { name in
      attributes[name].map { .attribute($0) }
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var filters: [String]
    var canMissAll: Bool
    var testDescription: String { filters.joined(separator: " | ") }
  }

  @Test(
    arguments: [
      Case(filters: ["live == YES", "live == NO"], canMissAll: false),
      Case(filters: ["live == YES", "live != YES"], canMissAll: false),
      Case(filters: ["live == 1", "live == FALSE"], canMissAll: false),
      Case(filters: ["maybe == YES", "maybe == NO"], canMissAll: true),
      Case(filters: ["maybe == YES", "maybe != YES"], canMissAll: false),
      Case(filters: ["maybe == YES", "maybe == NO", "maybe == nil"], canMissAll: false),
      Case(filters: ["rank < 5", "rank >= 5"], canMissAll: false),
      Case(filters: ["rank < 5", "rank > 4"], canMissAll: false),
      Case(filters: ["rank < 5", "rank > 5"], canMissAll: true),
      Case(filters: ["price < 5", "price > 4"], canMissAll: false),
      Case(filters: ["price <= 4", "price >= 5"], canMissAll: true),
      Case(filters: ["5 > rank", "5 <= rank"], canMissAll: false),
      Case(filters: ["year < 5", "year >= 5"], canMissAll: true),
      Case(filters: ["year < 5", "NOT (year < 5)"], canMissAll: false),
      Case(filters: ["title == 'a'", "title == 'b'"], canMissAll: true),
      Case(filters: ["title == 'a'", "title == 'b'", "NOT (title == 'a' OR title == 'b')"], canMissAll: false),
      Case(filters: ["title == 'a'", "title != 'a'"], canMissAll: false),
      Case(filters: ["title BEGINSWITH 'a'", "NOT title BEGINSWITH 'a'"], canMissAll: false),
      Case(filters: ["title BEGINSWITH 'a'", "title BEGINSWITH 'b'"], canMissAll: true),
      Case(filters: ["album != nil", "album == nil"], canMissAll: false),
      Case(filters: ["tracks.@count > 0", "tracks.@count == 0"], canMissAll: true),
      Case(filters: ["tracks.@count > 0", "tracks.@count <= 0"], canMissAll: false),
      Case(filters: ["live == YES AND rank > 3", "live == NO", "rank <= 3"], canMissAll: false),
      Case(filters: ["live == YES AND rank > 3", "live == NO", "rank < 3"], canMissAll: true),
      Case(filters: ["TRUEPREDICATE"], canMissAll: false), Case(filters: ["FALSEPREDICATE"], canMissAll: true),
      Case(filters: ["title IN {'a', 'b'}", "NOT title IN {'a', 'b'}"], canMissAll: false),
      Case(filters: ["title > 'm'", "title <= 'm'"], canMissAll: true),
      Case(filters: ["title > 'm'", "title <= 'm'", "title == nil"], canMissAll: false),
      Case(filters: ["title ==[c] 'dog'", "title ==[c] 'cat'"], canMissAll: true),
      Case(filters: ["rank BETWEEN {1, 3}", "rank > 3", "rank < 1"], canMissAll: false),
      Case(filters: ["ANY tracks.seconds > 3", "NOT ANY tracks.seconds > 3"], canMissAll: false),
    ])
  func `filters together take every object, or they do not`(filters: Case) throws {
    let cases = try #require(try Self.cases(filters.filters))
    #expect(cases.canMissAll == filters.canMissAll)
  }

  @Test(
    arguments: [
      ("live == YES", "live == NO", false), ("rank < 5", "rank >= 5", false), ("rank <= 5", "rank >= 5", true),
      ("rank < 5", "rank > 10", false), ("rank < 10", "rank > 5", true), ("rank < 5", "rank > 3", true),
      ("rank < 5", "rank > 4", false), ("price < 5", "price > 4", true), ("title == 'a'", "title == 'b'", false),
      ("title != 'a'", "title != 'b'", true), ("year == nil", "year > 3", false),
      ("title BEGINSWITH 'a'", "title BEGINSWITH 'b'", true), ("live == YES", "rank > 3", true),
      ("title ==[c] 'dog'", "title ==[c] 'cat'", false), ("title ==[c] 'dog'", "title ==[c] 'DOG'", true),
      ("title ==[d] 'dog'", "title ==[d] 'cat'", false), ("title ==[d] 'dog'", "title ==[d] 'dög'", true),
      ("title ==[c] 'dog'", "title == 'DOG'", true), ("title ==[c] 'dog'", "title == 'cat'", false),
      ("title ==[c] 'dog'", "title !=[c] 'dog'", false), ("title ==[c] 'dög'", "title ==[d] 'DOG'", true),
      ("title IN {'a', 'b'}", "title IN {'c', 'd'}", false), ("title IN {'a', 'b'}", "title == 'b'", true),
      ("title IN[c] {'a', 'b'}", "title ==[c] 'B'", true), ("NOT title IN {'a', 'b'}", "title == 'b'", false),
      ("rank IN {1, 2}", "rank BETWEEN {3, 4}", false), ("rank BETWEEN {1, 3}", "rank BETWEEN {3, 4}", true),
      ("title > 'm'", "title <= 'm'", false), ("title > 'm'", "title < 'n'", true),
      ("title < 'a'", "title > 'b'", false),
      ("album.name == 'a'", "album.name ==[c] 'B'", false),
    ])
  func `an object passes two filters, or cannot`(one: String, other: String, canPass: Bool) throws {
    let cases = try #require(try Self.cases([one, other]))
    #expect(cases.canPass(0, 1) == canPass)
  }

  @Test func `too many cases are not counted`() throws {
    let keys = (0..<13).map { "key\($0) == YES" }
    #expect(try Self.cases([keys.joined(separator: " AND ")]) == nil)
  }

  /// The decision from cases agrees with the filters' results for every possible object.
  @Test func `generated filters agree with every object`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed: seed)
    let objects: [[String: Value]] = [true, false].flatMap { live in
      (-1...6).flatMap { rank in
        ([Value.null] + (0...4).map { Value.integer($0) }).map {
          ["live": .bool(live), "rank": .integer(Int64(rank)), "year": $0]
        }
      }
    }
    func comparison() -> String {
      let signs = ["==", "!=", "<", "<=", ">", ">="]
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: return "live == \(Bool.random(using: &generator) ? "YES" : "NO")"
      case 1:
        return "rank \(signs.randomElement(using: &generator) ?? "==") \(Int.random(in: 1...4, using: &generator))"
      default:
        return "year \(signs.randomElement(using: &generator) ?? "==") \(Int.random(in: 1...3, using: &generator))"
      }
    }
    func filter(_ depth: Int) -> String {
      if depth == 0 || Int.random(in: 0..<3, using: &generator) == 0 { return comparison() }
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: return "NOT (\(filter(depth - 1)))"
      case 1: return "(\(filter(depth - 1)) AND \(filter(depth - 1)))"
      default: return "(\(filter(depth - 1)) OR \(filter(depth - 1)))"
      }
    }
    for _ in 0..<150 {
      let texts = [filter(2), filter(2)]
      let filters = try texts.map { try MappingPredicate(parsing: $0) }
      let cases = try #require(try Self.cases(texts))
      let passed = objects.map { object in filters.map { Self.passes($0, object) } }
      #expect(cases.canMissAll == passed.contains { !$0[0] && !$0[1] }, "\(texts), seed \(seed)")
      #expect(cases.canPass(0, 1) == passed.contains { $0[0] && $0[1] }, "\(texts), seed \(seed)")
    }
  }

  /// The slow, obvious reference.
  private static func passes(_ filter: MappingPredicate, _ object: [String: Value]) -> Bool {
    switch filter.kind {
    case .not(let negated): return !passes(negated, object)
    case .and(let parts): return parts.allSatisfy { passes($0, object) }
    case .or(let parts): return parts.contains { passes($0, object) }
    case .comparison(let comparison):
      guard case .keyPath(_, let path) = comparison.left.kind, case .name(let key) = path.keys[0],
        case .constant(.value(let constant)) = comparison.right.kind, let value = object[key]
      else { return false }
      let (left, right) = (value.comparableNumber, constant.comparableNumber ?? 0)
      guard let left else { return comparison.comparator == .notEqual }
      switch comparison.comparator {
      case .equal: return left == right
      case .notEqual: return left != right
      case .less: return left < right
      case .lessOrEqual: return left <= right
      case .greater: return left > right
      case .greaterOrEqual: return left >= right
      default: return false
      }
    default: return false
    }
  }
}
