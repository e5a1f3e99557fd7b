import Foundation
import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport

/// Generates expressions over the rows of a `LawStore`: mostly well-typed, sometimes not.
struct ExpressionGenerator {
  enum Kind: CaseIterable { case integer, real, decimal, text, date, flag, uuid, uri, data, object }

  var generator: SeededGenerator
  /// Every part gets its own place, so that an error's place is compared, too.
  private var place = 0
  private var variables: [String] = []

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &generator)]
  }

  private mutating func chance(_ count: Int, of total: Int) -> Bool {
    Int.random(in: 0..<total, using: &generator) < count
  }

  private mutating func range() -> SourceRange {
    place += 2
    return SourceRange(place, place + 1)
  }

  private mutating func node(_ kind: MappingExpression.Kind) -> MappingExpression {
    MappingExpression(kind, at: range())
  }

  private mutating func node(_ kind: MappingPredicate.Kind) -> MappingPredicate { MappingPredicate(kind, at: range()) }

  private mutating func path(_ keys: [ExpressionKeyPath.Key]) -> MappingExpression {
    let base = node(.object)
    return node(.keyPath(base: base, ExpressionKeyPath(keys)))
  }

  mutating func expression(depth: Int) -> MappingExpression {
    place = 0
    return expression(pick(Kind.allCases), depth)
  }

  mutating func predicate(depth: Int) -> MappingPredicate {
    place = 0
    return test(depth)
  }

  private mutating func expression(_ wanted: Kind, _ depth: Int) -> MappingExpression {
    // Sometimes a value of the wrong type.
    let kind = chance(1, of: 25) ? pick(Kind.allCases) : wanted
    if depth <= 0 || chance(1, of: 5) { return leaf(kind) }
    if chance(1, of: 7) {
      let test = test(depth - 1)
      let (then, otherwise) = (expression(kind, depth - 1), expression(kind, depth - 1))
      return node(.ternary(test, then: then, otherwise: otherwise))
    }
    switch kind {
    case .integer: return integer(depth)
    case .real: return real(depth)
    case .decimal:
      if chance(1, of: 4) { return cast(pick([.integer, .real, .text]), "NSDecimalNumber", depth) }
      return call(
        pick([.add, .subtract, .multiply, .divide, .modulus]), [.decimal, pick([.decimal, .integer])], depth)
    case .text:
      if chance(1, of: 3) { return cast(pick([.integer, .real, .decimal, .flag, .uri, .uuid]), "NSString", depth) }
      if chance(1, of: 3) { return textCall(depth) }
      return call(pick([.uppercase, .lowercase, .canonical, .noIndex]), [.text], depth)
    case .date:
      if chance(1, of: 3) { return cast(pick([.integer, .real, .text]), "NSDate", depth) }
      if chance(1, of: 3) { return dateCall(depth) }
      return call(pick([.add, .subtract]), [.date, pick([.integer, .real])], depth)
    case .uuid: return chance(1, of: 2) ? leaf(kind) : cast(pick([.text, .uuid]), "NSUUID", depth)
    case .uri: return cast(pick([.text, .uri]), "NSURL", depth)
    case .flag, .data, .object: return leaf(kind)
    }
  }

  private mutating func integer(_ depth: Int) -> MappingExpression {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: return call(.length, [.text], depth)
    case 6: return call(pick(["length", "integerValue"]), on: .text, [Kind](), depth)
    case 1 where chance(1, of: 2):
      // Ways to truncate a fraction.
      let number = chance(1, of: 2) ? leaf(.real) : call(pick([.multiply, .add]), [.real, .real], 1)
      let zero = node(.constant(.value(.integer(0))))
      return node(.function(.bitwiseOr, [number, zero]))
    case 1:
      return call(pick([.bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift]), [.integer, .integer], depth)
    case 2: return call(.onesComplement, [.integer], depth)
    case 3: return count(depth)
    case 4:
      let relation = pick([["tags"], ["parts"], ["owner", "rows"], ["owner", "boss", "staff"]])
      return path(relation.map { .name($0) } + [.collection(pick([.min, .max])), .name("i64")])
    case 5: return cast(pick([.text, .integer, .flag]), "NSNumber", depth)
    default: return call(pick([.add, .subtract, .multiply, .divide, .modulus]), [.integer, .integer], depth)
    }
  }

  private mutating func real(_ depth: Int) -> MappingExpression {
    switch Int.random(in: 0..<8, using: &generator) {
    case 4:
      let isDate = chance(1, of: 2)
      return call(
        isDate ? "timeIntervalSince1970" : "doubleValue", on: isDate ? .date : pick([.text, .decimal, .real]), [Kind](),
        depth)
    case 0:
      let function = pick([
        BuiltinFunction.squareRoot, .logarithm, .naturalLogarithm, .exponential, .floor, .ceiling, .absolute, .truncate,
      ])
      return call(function, [pick([.real, .integer, .decimal])], depth)
    case 1: return call(.power, [.real, pick([.real, .integer])], depth)
    case 2: return call(.subtract, [.date, .date], depth)
    case 3: return cast(pick([.date, .real]), "NSNumber", depth)
    default:
      let other = pick([Kind.integer, .real, .real, .decimal, .flag])
      let function = pick([BuiltinFunction.add, .subtract, .multiply, .divide, .modulus])
      return chance(1, of: 2) ? call(function, [.real, other], depth) : call(function, [other, .real], depth)
    }
  }

  private mutating func count(_ depth: Int) -> MappingExpression {
    let relation = pick([["tags"], ["parts"], ["owner", "rows"], ["owner", "boss", "staff"]])
    let keys = relation.map { ExpressionKeyPath.Key.name($0) }
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: return path(keys + [.name(pick(["str", "i64"])), .collection(.count)])
    case 1:
      let collection = path(keys)
      return node(.function(.count, [collection]))
    case 2:
      let collection = path(keys)
      variables.append("x\(variables.count)")
      let name = variables[variables.count - 1]
      let test = test(min(depth - 1, 2))
      variables.removeLast()
      let subquery = node(.subquery(collection, variable: name, test))
      return node(.keyPath(base: subquery, ExpressionKeyPath([.collection(.count)])))
    default: return path(keys + [.collection(.count)])
    }
  }

  private mutating func call(_ function: BuiltinFunction, _ kinds: [Kind], _ depth: Int) -> MappingExpression {
    let arguments = kinds.map { expression($0, depth - 1) }
    return node(.function(function, arguments))
  }

  private mutating func call(_ selector: String, on kind: Kind, _ arguments: [Kind], _ depth: Int) -> MappingExpression
  {
    let receiver = expression(kind, depth - 1)
    let values = arguments.map { expression($0, depth - 1) }
    return node(.call(receiver: receiver, selector: selector, values))
  }

  private mutating func call(_ selector: String, on kind: Kind, _ arguments: [String], _ depth: Int)
    -> MappingExpression
  {
    let receiver = expression(kind, depth - 1)
    let values = arguments.map { node(.constant(.value(.string($0)))) }
    return node(.call(receiver: receiver, selector: selector, values))
  }

  private mutating func dateCall(_ depth: Int) -> MappingExpression {
    let format = pick(["yyyy-MM-dd", "dd.MM.yyyy HH:mm", "MMM d, yyyy", "yyyy-MM-dd HH:mm:ss Z", "yyyy-mm-dd"])
    let zone = pick(["UTC", "Europe/Berlin", "America/New_York", "Nowhere"])
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: return call("dateWithFormat:", on: .text, [format], depth)
    case 1: return call("dateWithFormat:timeZone:", on: .text, [format, zone], depth)
    case 2: return call("dateWithISO8601FormatInTimeZone:", on: .text, [zone], depth)
    case 3: return call("dateByAddingTimeInterval:", on: .date, [pick([Kind.real, .integer])], depth)
    default: return call("dateWithISO8601Format", on: .text, [Kind](), depth)
    }
  }

  private mutating func textCall(_ depth: Int) -> MappingExpression {
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: return call("stringWithFormat:", on: .date, [pick(["yyyy-MM-dd", "HH:mm", "MMMM yyyy"])], depth)
    case 1: return call("stringWithISO8601Format", on: .date, [Kind](), depth)
    case 2: return call("stringByAppendingString:", on: .text, [Kind.text], depth)
    case 3: return call("substringToIndex:", on: .text, [Kind.integer], depth)
    case 4: return call("stringValue", on: pick([.integer, .real, .decimal]), [Kind](), depth)
    case 5: return call("UUIDString", on: .uuid, [Kind](), depth)
    default: return call(pick(["capitalizedString", "lastPathComponent", "nothing"]), on: .text, [Kind](), depth)
    }
  }

  private mutating func cast(_ kind: Kind, _ type: String, _ depth: Int) -> MappingExpression {
    let operand = expression(kind, depth - 1)
    return node(.cast(operand, typeName: type))
  }

  private mutating func leaf(_ kind: Kind) -> MappingExpression {
    if chance(1, of: 20) { return node(.constant(.value(.null))) }
    if chance(1, of: 3), let type = type(of: kind) {
      return node(.constant(.value(LawValues.value(type, using: &generator))))
    }
    if let variable = variables.last, chance(1, of: 2), [.integer, .text].contains(kind) {
      let base = node(.variable(variable))
      return node(.keyPath(base: base, ExpressionKeyPath([.name(kind == .integer ? "i64" : "str")])))
    }
    let own: [String] =
      switch kind {
      case .integer: ["i16", "i32", "i64", "j64"]
      case .real: ["dbl", "ebl", "flt"]
      case .decimal: ["dec", "num"]
      case .text: ["str", "txt"]
      case .date: ["day", "eve"]
      case .flag: ["flag", "flop"]
      case .uuid: ["ident", "jdent"]
      case .uri: ["link"]
      case .data: ["bytes", "thing"]
      case .object: ["owner"]
      }
    let far: [String: String] = ["i64": "i64", "dbl": "dbl", "str": "str", "day": "day", "flag": "flag", "dec": "dec"]
    let name = pick(own)
    if kind == .object, chance(1, of: 2) { return path([.name("owner"), .name("boss")]) }
    if let key = far[name], chance(1, of: 2) {
      return path(chance(1, of: 2) ? [.name("owner"), .name(key)] : [.name("owner"), .name("boss"), .name(key)])
    }
    return path([.name(name)])
  }

  private func type(of kind: Kind) -> AttributeType? {
    switch kind {
    case .integer: .integer64
    case .real: .double
    case .decimal: .decimal
    case .text: .string
    case .date: .date
    case .flag: .boolean
    case .uuid: .uuid
    case .uri: .uri
    case .data: .binaryData
    case .object: nil
    }
  }

  private mutating func test(_ depth: Int) -> MappingPredicate {
    if depth > 0 {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0:
        let negated = test(depth - 1)
        return node(.not(negated))
      case 1:
        let parts = (0..<Int.random(in: 2...3, using: &generator)).map { _ in test(depth - 1) }
        return node(.and(parts))
      case 2:
        let parts = (0..<Int.random(in: 2...3, using: &generator)).map { _ in test(depth - 1) }
        return node(.or(parts))
      case 3 where chance(1, of: 4): return node(.literal(chance(1, of: 2)))
      default: break
      }
    }
    return comparison(depth)
  }

  private mutating func options() -> ComparisonOptions {
    chance(1, of: 2)
      ? [] : ComparisonOptions(rawValue: UInt8.random(in: 0..<(chance(1, of: 4) ? 16 : 4), using: &generator))
  }

  private mutating func comparison(_ depth: Int) -> MappingPredicate {
    let kind = pick(Kind.allCases)
    let numbers: [Kind] = [.integer, .real, .decimal, .flag]
    func other(_ generator: inout ExpressionGenerator) -> Kind {
      numbers.contains(kind) ? generator.pick(numbers) : kind
    }
    if chance(1, of: 7) { return quantified(depth) }
    if chance(1, of: 6) {
      let left = expression(kind, depth - 1)
      let isBetween = chance(1, of: 2)
      let count = isBetween ? 2 : Int.random(in: 0...4, using: &generator)
      let list = (0..<count).map { _ in expression(other(&self), chance(1, of: 2) ? 0 : depth - 2) }
      let right = node(.aggregate(list))
      return compare(left, isBetween ? .between : .in, right)
    }
    if chance(1, of: 3) {
      let (left, right) = (expression(.text, depth - 1), expression(.text, depth - 1))
      return compare(left, pick(PredicateOperator.allCases.filter { $0 != .between }), right)
    }
    if chance(1, of: 12) {
      let collection = path([.name(pick(["tags", "parts"])), .name(pick(["str", "i64"]))])
      let element = expression(pick([.text, .integer]), depth - 1)
      return chance(1, of: 2) ? compare(element, .in, collection) : compare(collection, .contains, element)
    }
    let left = expression(kind, depth - 1)
    let right = expression(other(&self), depth - 1)
    return compare(left, pick([.equal, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]), right)
  }

  private mutating func quantified(_ depth: Int) -> MappingPredicate {
    let (key, kind): (String, Kind) = pick([("str", .text), ("i64", .integer)])
    let relation = pick([["tags"], ["parts"], ["owner", "rows"], ["owner", "boss", "staff"]])
    let left = path(relation.map { .name($0) } + [.name(key)])
    let right = expression(kind, chance(1, of: 2) ? 0 : depth - 1)
    let comparators: [PredicateOperator] =
      kind == .text
      ? [.equal, .notEqual, .less, .greaterOrEqual, .beginsWith, .contains, .like]
      : [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
    let comparator = pick(comparators)
    return compare(left, comparator, right, chance(1, of: 2) ? .any : .all)
  }

  private mutating func compare(
    _ left: MappingExpression, _ comparator: PredicateOperator, _ right: MappingExpression,
    _ quantifier: Quantifier? = nil
  ) -> MappingPredicate {
    let options = options()
    let place = range()
    return node(
      .comparison(.init(left, comparator, right, quantifier: quantifier, options: options, operatorAt: place)))
  }
}
