import Foundation
import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport

/// Generates trees that the parser could produce.
struct TreeGenerator {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func expression(_ size: Int) -> MappingExpression {
    guard size > 1 else { return leaf() }
    let half = size / 2
    switch Int.random(in: 0..<18, using: &random) {
    case 0...1: return MappingExpression(.keyPath(base: expression(half), keyPath()))
    case 2: return MappingExpression(.element(of: expression(half), index(half)))
    case 3: return MappingExpression(.aggregate(list(0...3, size)))
    case 4...8: return arithmetic(half)
    case 9: return function(size)
    case 10:
      return MappingExpression(
        .otherFunction(pick(["mine:", "a:b::c:", "size", "like:", "x_1:", "uppercase:x:"]), list(1...2, size))
      ).callable
    case 11: return MappingExpression(.call(receiver: expression(half), selector: string(), list(0...2, half)))
    case 12:
      return MappingExpression(.cast(expression(half), typeName: pick(["NSNumber", "NSString", "Class", string()])))
        .readAsCast
    case 13: return MappingExpression(.ternary(predicate(half), then: expression(half), otherwise: expression(half)))
    case 14: return MappingExpression(.subquery(expression(half), variable: name(), predicate(half)))
    case 15:
      return MappingExpression(
        .fetch(request: expression(half), context: expression(half), countOnly: .random(using: &random)))
    case 16: return MappingExpression(.set(pick(SetOperator.allCases), expression(half), expression(half)))
    default: return MappingExpression(.assignment(name(), expression(half)))
    }
  }

  mutating func predicate(_ size: Int) -> MappingPredicate {
    let half = size / 2
    guard size > 2 else {
      return Int.random(in: 0..<6, using: &random) == 0
        ? MappingPredicate(.literal(.random(using: &random))) : comparison(size)
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return MappingPredicate(.not(predicate(half)))
    case 1...2: return MappingPredicate(.and(predicates(size)))
    case 3...4: return MappingPredicate(.or(predicates(size)))
    case 5:
      return MappingPredicate(
        .custom(
          MappingPredicate.CustomComparison(
            expression(half), pick(["isKindOfClass:", "a:b:", "TOKENMATCHES", "UTI-CONFORMS-TO", "UTI-EQUALS"]),
            expression(half), quantifier: quantifier())))
    default: return comparison(size)
    }
  }

  // MARK: Parts

  private mutating func predicates(_ size: Int) -> [MappingPredicate] {
    let count = Int.random(in: 2...4, using: &random)
    return (0..<count).map { _ in predicate(size / count) }
  }

  private mutating func comparison(_ size: Int) -> MappingPredicate {
    let comparator = pick(PredicateOperator.allCases)
    var right = expression(size / 2)
    // One value is not a range.
    if comparator == .between, case .constant = right.kind { right = MappingExpression(.aggregate([right, right])) }
    return MappingPredicate(
      .comparison(
        MappingPredicate.Comparison(
          expression(size / 2), comparator, right, quantifier: quantifier(),
          options: ComparisonOptions(
            rawValue: Bool.random(using: &random) ? 0 : UInt8.random(in: 0...15, using: &random)))))
  }

  private mutating func quantifier() -> Quantifier? { pick([nil, nil, nil, .any, .all]) }

  private mutating func arithmetic(_ size: Int) -> MappingExpression {
    let function = pick([
      BuiltinFunction.add, .subtract, .multiply, .divide, .power, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift,
      .rightShift,
    ])
    var left = expression(size)
    // More often than by chance: the form that a minus sign is parsed to.
    if function == .subtract, Bool.random(using: &random) { left = MappingExpression(.constant(.value(0))) }
    return MappingExpression(.function(function, [left, expression(size)]))
  }

  private mutating func function(_ size: Int) -> MappingExpression {
    let function = pick(BuiltinFunction.allCases.filter { $0 != .elementAtIndex })
    let count = function.argumentCount
    return MappingExpression(.function(function, (0..<count).map { _ in expression(size / max(1, count)) }))
  }

  private mutating func list(_ counts: ClosedRange<Int>, _ size: Int) -> [MappingExpression] {
    let count = Int.random(in: counts, using: &random)
    return (0..<count).map { _ in expression(size / max(1, count)) }
  }

  private mutating func index(_ size: Int) -> ElementIndex {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: .first
    case 1: .last
    case 2: .size
    default: .at(expression(size))
    }
  }

  private mutating func leaf() -> MappingExpression {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: MappingExpression(.object)
    case 1: MappingExpression(.variable(name()))
    case 2: MappingExpression(.anyKey)
    case 3...5: MappingExpression(.keyPath(base: MappingExpression(.object), keyPath()))
    default: MappingExpression(.constant(.value(value())))
    }
  }

  private mutating func keyPath() -> ExpressionKeyPath {
    let count = Int.random(in: 1...3, using: &random)
    return ExpressionKeyPath((0..<count).map { _ in key() })
  }

  private mutating func key() -> ExpressionKeyPath.Key {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .collection(pick(CollectionOperator.allCases))
    case 1: .element
    case 2: .name("@first")
    default: .name(name())
    }
  }

  private static let names = [
    "a", "title", "_x1", "size", "FIRST", "like", "Self", "SELF", "union", "function", "TERNARY", "nil", "No", "count",
    "sum", "now", "e1", "x0x", "UTI", "INTERSECT", "anykey", "ci",
  ]

  mutating func name() -> String { pick(Self.names) }

  mutating func value() -> Value {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: .null
    case 1: .bool(.random(using: &random))
    case 2: .integer(.random(in: -3...3, using: &random))
    case 3: .integer(pick([.min, .max, .min + 1, 1 << 53, Int64.random(in: .min ... .max, using: &random)]))
    case 4: .double(double())
    case 5...6: .string(string())
    case 7: .date(Date(timeIntervalSinceReferenceDate: double()))
    case 8: .decimal(decimal())
    case 9: .uuid(UUID(uuid: uuid()))
    case 10: .uri(string())
    default: .data(Data((0..<Int.random(in: 0...5, using: &random)).map { _ in .random(in: 0...255, using: &random) }))
    }
  }

  private mutating func double() -> Double {
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      return pick([
        0, -0.0, 1, -1, 0.1, 1e22, -1e-7, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 9_007_199_254_740_992,
      ])
    case 1: return Double(Int.random(in: -1000...1000, using: &random)) / 8
    default:
      let number = Double(bitPattern: random.next())
      return number.isFinite ? number : 0.5
    }
  }

  private mutating func decimal() -> Decimal {
    var decimal = Decimal(
      sign: .plus, exponent: Int.random(in: -30...30, using: &random), significand: Decimal(random.next()))
    if Bool.random(using: &random) { decimal.negate() }
    return decimal
  }

  private mutating func uuid() -> uuid_t {
    var bytes: [UInt8] = []
    for _ in 0..<16 { bytes.append(.random(in: 0...255, using: &random)) }
    return (
      bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9], bytes[10],
      bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
    )
  }

  /// Returns a string of any scalars, with a preference for those that need escapes.
  mutating func string() -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let scalar: UInt32 =
        switch Int.random(in: 0..<6, using: &random) {
        case 0: pick([0x22, 0x27, 0x5C, 0x25, 0x40, 0x0A, 0x0D, 0x09, 0x00, 0x7F, 0x85, 0x2028, 0xFEFF, 0xFFFF])
        case 1: pick([0x301, 0x308, 0xE9, 0x1F600, 0x200D, 0x1F3FD, 0x10FFFF, 0x3099, 0xD7FF])
        case 2: .random(in: 0...0x10FFFF, using: &random)
        default: .random(in: 0x20...0x7E, using: &random)
        }
      text.append(Unicode.Scalar(scalar) ?? "x")
    }
    return String(text)
  }

  private mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: choices.indices, using: &random)]
  }
}

extension MappingExpression {
  /// The expression with as many arguments as the name has colons, so that it is a valid call.
  fileprivate var callable: MappingExpression {
    guard case .otherFunction(let name, let arguments) = kind, !name.contains(":"), !arguments.isEmpty else {
      return self
    }
    return MappingExpression(.otherFunction(name, []))
  }

  /// The cast of a non-constant, since the cast of a constant would parse to a constant.
  fileprivate var readAsCast: MappingExpression {
    guard case .cast(let operand, let typeName) = kind, case .constant = operand.kind else { return self }
    return MappingExpression(.cast(MappingExpression(.aggregate([operand])), typeName: typeName))
  }

  /// The subexpressions, including those in predicates, largest first.
  var parts: [MappingExpression] {
    var parts: [MappingExpression] = []
    _ = kind.mapExpressions {
      parts.append($0)
      return $0
    } predicates: {
      parts += $0.parts
      return $0
    }
    return parts
  }
}

extension MappingPredicate {
  /// The subexpressions.
  var parts: [MappingExpression] {
    var parts: [MappingExpression] = []
    _ = kind.mapExpressions {
      parts.append($0)
      return $0
    } predicates: {
      parts += $0.parts
      return $0
    }
    return parts
  }
}
