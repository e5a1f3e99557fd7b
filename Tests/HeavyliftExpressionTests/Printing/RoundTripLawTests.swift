import Foundation
import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport
import Testing

/// Law: the canonical text of a tree parses to the same tree and prints as the same text.
struct RoundTripLawTests {
  static let seeds: [UInt64] = [1, 2]
  static let count = Seeds.some(of: 4_200)

  @Test(arguments: seeds) func `an expression is read back from its text`(seed: UInt64) {
    var generator = TreeGenerator(seed: seed)
    for round in 0..<Self.count {
      let expression = generator.expression(1 << (round % 7))
      guard let problem = Self.problem(expression) else { continue }
      let least = Self.shrunk(expression)
      Issue.record("seed \(seed), round \(round): \(least): \(Self.problem(least) ?? problem)")
      return
    }
  }

  @Test(arguments: seeds) func `a predicate is read back from its text`(seed: UInt64) {
    var generator = TreeGenerator(seed: seed &+ 1000)
    for round in 0..<Self.count {
      let predicate = generator.predicate(1 << (round % 7))
      guard let problem = Self.problem(predicate) else { continue }
      let least = predicate.parts.first { Self.problem($0) != nil }.map(Self.shrunk)
      let shown = least.map { "\($0): \(Self.problem($0) ?? "")" } ?? "\(predicate): \(problem)"
      Issue.record("seed \(seed + 1000), round \(round): \(shown)")
      return
    }
  }

  /// Includes trees that the parser cannot produce: sets, infinities, invalid keys and names.
  @Test(arguments: seeds) func `any expression is read back from its format`(seed: UInt64) throws {
    var generator = TreeGenerator(seed: seed &+ 2000)
    for round in 0..<(Self.count / 4) {
      let expression = generator.anything(1 << (round % 6))
      let format = try expression.format()
      let read = try? MappingExpression(format: format.text, arguments: format.arguments)
      guard read != expression else { continue }
      Issue.record("seed \(seed + 2000), round \(round): \(expression): \(format)")
      return
    }
  }

  private static func problem(_ expression: MappingExpression) -> String? {
    do {
      let text = try expression.text()
      let read = try MappingExpression(parsing: text)
      if read != expression { return "read as \(read)" }
      return same(text, "\(read)")
    } catch {
      return "\(error)"
    }
  }

  private static func problem(_ predicate: MappingPredicate) -> String? {
    do {
      let text = try predicate.text()
      let read = try MappingPredicate(parsing: text)
      if read != predicate { return "read as \(read)" }
      return same(text, "\(read)")
    } catch {
      return "\(error)"
    }
  }

  /// Equality of strings ignores composition, and that of numbers the sign of zero; comparing bytes does not.
  private static func same(_ text: String, _ other: String) -> String? {
    text.utf8.elementsEqual(other.utf8) ? nil : "printed as \(other)"
  }

  /// Returns the smallest part that breaks the law on its own.
  private static func shrunk(_ expression: MappingExpression) -> MappingExpression {
    for part in expression.parts where problem(part) != nil { return shrunk(part) }
    return expression
  }
}

extension TreeGenerator {
  /// Returns an expression that only a program can build.
  mutating func anything(_ size: Int) -> MappingExpression {
    let inner = expression(max(1, size / 2))
    switch Int.random(in: 0..<14, using: &random) {
    case 0: return MappingExpression(.constant(.set([.value(value()), .value(value())])))
    case 1: return MappingExpression(.constant(.array([.value(value()), .array([])])))
    case 2: return MappingExpression(.constant(.value(.double(-.infinity))))
    case 3: return MappingExpression(.constant(.value(.composite([string(): value()]))))
    case 4: return MappingExpression(.variable(string()))
    case 5:
      return MappingExpression(.keyPath(base: inner, ExpressionKeyPath([.name(string()), .name("self")])))
    case 6:
      return MappingExpression(
        .keyPath(base: MappingExpression(.object), ExpressionKeyPath([.name("@count"), .name("a.b")])))
    case 7: return MappingExpression(.function(.elementAtIndex, [inner, inner]))
    case 8: return MappingExpression(.function(.sum, [inner, inner, inner]))
    case 9: return MappingExpression(.otherFunction(string(), [inner]))
    case 10: return MappingExpression(.otherFunction("sum:", [inner]))
    case 11: return MappingExpression(.cast(MappingExpression(.constant(.value(1))), typeName: "NSDate"))
    case 12: return MappingExpression(.subquery(inner, variable: string(), predicate(size)))
    default:
      return MappingExpression(
        .aggregate([anything(size / 2), MappingExpression(.assignment(string(), anything(size / 2)))]))
    }
  }
}
