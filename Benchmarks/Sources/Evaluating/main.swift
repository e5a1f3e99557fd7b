import Foundation
import HeavyliftExpression
import HeavyliftModel

// Evaluates expressions over rows, and compares them with equivalent handwritten closures in the same run.
//
//   swift run -c release --package-path Benchmarks Evaluating [rows] [rounds] [part of an expression]

struct Overflow: Error {}

let count = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 1_000_000
let rounds = CommandLine.arguments.dropFirst(2).first.flatMap(Int.init) ?? 15
let wanted = CommandLine.arguments.dropFirst(3).first
let comparison = Comparison(rows: count, rounds: rounds)
// Few enough rows to stay in the processor's cache: this measures evaluation, not memory.
let plain = (0..<1000).map { Row(plain: $0) }
let accented = (0..<1000).map { Row($0) }

@inline(never) func run(_ rows: [Row], _ closure: (Row) throws -> ExpressionValue) throws -> Int {
  var present = 0
  for place in 0..<count where try !closure(rows[place % rows.count]).isNull { present += 1 }
  return present
}

@inline(never) func run(
  _ rows: [Row], _ compiled: CompiledExpression, _ source: Int, _ context: inout EvaluationContext
) throws -> Int {
  var present = 0
  for place in 0..<count {
    context[source] = .object(rows[place % rows.count])
    if try !compiled.evaluate(in: &context).isNull { present += 1 }
  }
  return present
}

@inline(never) func test(_ rows: [Row], _ closure: (Row) throws -> Bool) throws -> Int {
  var held = 0
  for place in 0..<count where try closure(rows[place % rows.count]) { held += 1 }
  return held
}

@inline(never) func test(
  _ rows: [Row], _ compiled: CompiledPredicate, _ source: Int, _ context: inout EvaluationContext
) throws -> Int {
  var held = 0
  for place in 0..<count {
    context[source] = .object(rows[place % rows.count])
    if try compiled.evaluate(in: &context) { held += 1 }
  }
  return held
}

@inline(never) func compare(
  _ text: String, _ rows: [Row], _ closure: @escaping (Row) throws -> ExpressionValue
) throws {
  if let wanted, !text.contains(wanted) { return }
  var environment = EvaluationEnvironment()
  let source = environment.declare("source", shape: Row.Shape())
  let compiled = try CompiledExpression(MappingExpression(parsing: text), in: environment)
  var context = EvaluationContext(environment)
  for row in rows {
    context[source] = .object(row)
    let (one, other) = (try compiled.evaluate(in: &context), try closure(row))
    precondition(one == other && one.kind == other.kind, "\(text): the closure gives a different result")
  }
  try comparison.run(text) {
    try run(rows, compiled, source, &context)
  } byHand: {
    try run(rows, closure)
  }
}

@inline(never) func compareTest(
  _ text: String, _ rows: [Row], note: String = "", _ closure: @escaping (Row) throws -> Bool
) throws {
  if let wanted, !text.contains(wanted) { return }
  var environment = EvaluationEnvironment()
  let source = environment.declare("source", shape: Row.Shape())
  let compiled = try CompiledPredicate(MappingPredicate(parsing: text), in: environment)
  var context = EvaluationContext(environment)
  for row in rows {
    context[source] = .object(row)
    let (one, other) = (try compiled.evaluate(in: &context), try closure(row))
    precondition(one == other, "\(text): the closure gives a different result")
  }
  try comparison.run(text.prefix(60) + note) {
    try test(rows, compiled, source, &context)
  } byHand: {
    try test(rows, closure)
  }
}

Comparison.printHead()
try compare("$source.a", plain) { ExpressionValue($0.attributes[0]) }
try compare("$source.a * 1000 + $source.b", plain) { row in
  guard case .integer(let a) = row.attributes[0], case .integer(let b) = row.attributes[1] else { return .null }
  let (product, tooLarge) = a.multipliedReportingOverflow(by: 1000)
  let (sum, tooLargeAgain) = product.addingReportingOverflow(b)
  if tooLarge || tooLargeAgain { throw Overflow() }
  return .integer(sum)
}
try compare("uppercase:($source.name)", plain) { row in
  guard case .string(let name) = row.attributes[2] else { return .null }
  return .string(name.uppercased())
}
try compare("TERNARY($source.a > 500, $source.b, 0)", plain) { row in
  guard case .integer(let a) = row.attributes[0] else { return .integer(0) }
  return a > 500 ? ExpressionValue(row.attributes[1]) : .integer(0)
}
let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
for (rows, kind) in [(plain, "plain"), (accented, "accented")] {
  try compareTest("$source.name ==[cd] 'cafe numero 77'", rows, note: "  over \(kind) names") { row in
    guard case .string(let name) = row.attributes[2] else { return false }
    return name.compare("cafe numero 77", options: options) == .orderedSame
  }
}
let numbers = Set((0..<100).map { Int64($0) * 3 })
try compareTest("$source.a IN {\(numbers.sorted().map(String.init).joined(separator: ", "))}", plain) { row in
  guard case .integer(let a) = row.attributes[0] else { return false }
  return numbers.contains(a)
}
let names = Set((0..<100).map { "Cafe Numero \($0 * 3)" })
try compareTest("$source.name IN {\(names.sorted().map { "'\($0)'" }.joined(separator: ", "))}", plain) { row in
  guard case .string(let name) = row.attributes[2] else { return false }
  return names.contains(name)
}
