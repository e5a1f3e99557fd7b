import Foundation
import HeavyliftExpression
import HeavyliftModel

// Evaluates expressions over rows, against closures written by hand that do the same, in one run.
//
//   swift run -c release --package-path Benchmarks Evaluating [rows] [rounds] [part of an expression]

typealias ByHand = (Row) throws -> ExpressionValue

struct Overflow: Error {}

let count = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 1_000_000
let rounds = CommandLine.arguments.dropFirst(2).first.flatMap(Int.init) ?? 5
let wanted = CommandLine.arguments.dropFirst(3).first
// As many as stay in the processor's cache: this measures evaluation, not memory.
let plain = (0..<1000).map { Row(plain: $0) }
let accented = (0..<1000).map { Row($0) }

func bestTime(_ body: () throws -> Void) rethrows -> Double {
  var best = Double.infinity
  for _ in 0..<rounds {
    let time = try ContinuousClock().measure(body)
    best = min(best, Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9)
  }
  return best / Double(count)
}

@inline(never) func run(_ rows: [Row], _ closure: ByHand) throws -> Int {
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

@inline(never) func compare(_ text: String, _ rows: [Row], _ closure: @escaping ByHand) throws {
  if let wanted, !text.contains(wanted) { return }
  var environment = EvaluationEnvironment()
  let source = environment.declare("source", shape: Row.Shape())
  let compiled = try CompiledExpression(MappingExpression(parsing: text), in: environment)
  var context = EvaluationContext(environment)
  for row in rows {
    context[source] = .object(row)
    let (one, other) = (try compiled.evaluate(in: &context), try closure(row))
    precondition(one == other, "\(text): the closure does something else")
  }
  var present = 0
  let evaluated = try bestTime { present = try run(rows, compiled, source, &context) }
  let written = try bestTime {
    let presentByHand = try run(rows, closure)
    precondition(presentByHand == present, "\(text): the closure does something else")
  }
  let ratio = String(format: "%6.1f ns/row  %6.1f by hand  %4.2f times", evaluated, written, evaluated / written)
  print("\(ratio)  \(text)")
}

@inline(never) func compareTest(_ text: String, _ rows: [Row], _ closure: @escaping (Row) throws -> Bool) throws {
  if let wanted, !text.contains(wanted) { return }
  var environment = EvaluationEnvironment()
  let source = environment.declare("source", shape: Row.Shape())
  let compiled = try CompiledPredicate(MappingPredicate(parsing: text), in: environment)
  var context = EvaluationContext(environment)
  var held = 0
  let evaluated = try bestTime { held = try test(rows, compiled, source, &context) }
  let written = try bestTime {
    let heldByHand = try test(rows, closure)
    precondition(heldByHand == held, "\(text): the closure does something else")
  }
  let ratio = String(format: "%6.1f ns/row  %6.1f by hand  %4.2f times", evaluated, written, evaluated / written)
  print("\(ratio)  \(text)")
}

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
  print("  over \(kind) names:")
  try compareTest("$source.name ==[cd] 'cafe numero 77'", rows) { row in
    guard case .string(let name) = row.attributes[2] else { return false }
    return name.compare("cafe numero 77", options: options) == .orderedSame
  }
}
