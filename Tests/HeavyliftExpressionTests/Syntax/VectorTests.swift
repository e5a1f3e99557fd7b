import Foundation
import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport
import Testing

/// The expectations of public test suites for the parser: `predicate-vectors.json` next to the project.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.comment)"))
struct VectorTests {
  static let vectors: [Vector] = Vector.all.filter { VectorDeviation.texts[$0.id] == nil }

  static func vectors(_ kinds: String...) -> [Vector] { vectors.filter { kinds.contains($0.kind) } }

  @Test func `there are vectors of each kind`() {
    let counts = Dictionary(grouping: Vector.all, by: \.kind).mapValues(\.count)
    #expect(
      counts == [
        "describe": 13, "expression": 61, "filter-count": 53, "function-name": 4, "left-function-name": 3,
        "operator-type": 11, "parse": 65, "parse-expression": 58, "predicate": 715, "predicates-equal": 2,
        "right-constant": 5, "shape": 3,
      ])
  }

  @Test func `a vector that is not followed is one that disagrees`() throws {
    for (id, reason) in VectorDeviation.texts {
      let vector = try #require(Vector.all.first { $0.id == id }, "\(id): \(reason)")
      switch vector.kind {
      case "parse": #expect(vector.isRead != (vector.expect as? String == "ok"), "\(vector) is followed after all")
      case "describe":
        let text = try MappingPredicate(format: vector.format, arguments: vector.arguments).description
        #expect(text != vector.expect as? String, "\(vector) is followed after all")
      default: #expect(!vector.isRead, "\(vector) is followed after all")
      }
    }
  }

  @Test(arguments: vectors("parse", "parse-expression"))
  func `a text is read, or is not`(vector: Vector) {
    #expect(vector.isRead == (vector.expect as? String == "ok"), "\(vector)")
  }

  @Test(arguments: vectors("predicate", "filter-count"))
  func `every predicate that is evaluated is read`(vector: Vector) throws {
    let predicate = try MappingPredicate(format: vector.format, arguments: vector.arguments)
    try Self.expectReadable(predicate)
  }

  @Test(arguments: vectors("expression"))
  func `every expression that is evaluated is read`(vector: Vector) throws {
    let expression = try MappingExpression(format: vector.format, arguments: vector.arguments)
    let format = try expression.format()
    #expect(try MappingExpression(format: format.text, arguments: format.arguments) == expression)
  }

  @Test(arguments: vectors("describe")) func `a predicate is printed as expected`(vector: Vector) throws {
    if let predicate = try? MappingPredicate(format: vector.format, arguments: vector.arguments) {
      #expect(predicate.substituting(vector.bindings).description == vector.expect as? String)
    } else {
      let expression = try MappingExpression(format: vector.format, arguments: vector.arguments)
      #expect(expression.substituting(vector.bindings).description == vector.expect as? String)
    }
  }

  @Test(arguments: vectors("function-name")) func `an operator is a function`(vector: Vector) throws {
    let expression = try MappingExpression(format: vector.format, arguments: vector.arguments)
    guard case .function(let function, _) = expression.kind else { throw Unexpected(description: "\(expression)") }
    #expect(function.rawValue == vector.expect as? String)
  }

  @Test(arguments: vectors("left-function-name")) func `the left side is a function`(vector: Vector) throws {
    guard case .function(let function, _) = try comparison(vector).left.kind else {
      throw Unexpected(description: "\(vector)")
    }
    #expect(function.rawValue == vector.expect as? String)
  }

  @Test(arguments: vectors("right-constant")) func `the right side is a constant`(vector: Vector) throws {
    guard case .constant(.value(let value)) = try comparison(vector).right.kind else {
      throw Unexpected(description: "\(vector)")
    }
    switch vector.expect {
    case let text as String: #expect(value == .string(text))
    case is NSNull: #expect(value == .null)
    // Foundation's Booleans are numbers.
    default: #expect(value == .integer(1) || value == .bool(true))
    }
  }

  @Test(arguments: vectors("operator-type")) func `an operator has a type`(vector: Vector) throws {
    let names: [PredicateOperator: String] = [
      .equal: "equalTo", .notEqual: "notEqualTo", .greater: "greaterThan", .less: "lessThan",
      .greaterOrEqual: "greaterThanOrEqualTo", .lessOrEqual: "lessThanOrEqualTo", .contains: "contains", .in: "in",
      .between: "between",
    ]
    #expect(names[try comparison(vector).comparator] == vector.expect as? String)
  }

  @Test(arguments: vectors("predicates-equal")) func `predicates are equal, or are not`(vector: Vector) throws {
    let (one, other) = (try MappingPredicate(parsing: vector.format), try MappingPredicate(parsing: vector.other))
    #expect((one == other) == (vector.expect as? Bool))
  }

  @Test(arguments: vectors("shape")) func `a predicate has a shape`(vector: Vector) throws {
    let predicate = try MappingPredicate(format: vector.format, arguments: vector.arguments)
    #expect(predicate == (try Self.shape(vector.expect)))
  }

  // MARK: Helpers

  static func expectReadable(_ predicate: MappingPredicate) throws {
    let format = try predicate.format()
    #expect(try MappingPredicate(format: format.text, arguments: format.arguments) == predicate)
  }

  private func comparison(_ vector: Vector) throws -> MappingPredicate.Comparison {
    let predicate = try MappingPredicate(format: vector.format, arguments: vector.arguments)
    guard case .comparison(let comparison) = predicate.kind else { throw Unexpected(description: "\(predicate)") }
    return comparison
  }

  /// `["or", "a = 1", ["and", …]]` as a predicate.
  private static func shape(_ value: Any) throws -> MappingPredicate {
    if let text = value as? String { return try MappingPredicate(parsing: text) }
    let parts = value as? [Any] ?? []
    let predicates = try parts.dropFirst().map(shape)
    return switch parts.first as? String {
    case "not": MappingPredicate(.not(predicates[0]))
    case "and": MappingPredicate(.and(predicates))
    case "or": MappingPredicate(.or(predicates))
    default: throw Unexpected(description: "\(value)")
    }
  }
}

struct Unexpected: Error, CustomStringConvertible {
  var description: String
}

/// One vector of the file.
struct Vector: CustomStringConvertible, @unchecked Sendable {
  var id: Int
  var kind: String
  var checked: String
  var format: String
  var other: String
  var arguments: [FormatArgument]
  var bindings: [String: MappingExpression]
  // Unchecked: an `Any` from a JSON file never changes.
  var expect: Any

  var description: String { "\(id) (\(checked)) \(format)" }

  var isRead: Bool {
    (try? MappingPredicate(format: format, arguments: arguments)) != nil
      || (try? MappingExpression(format: format, arguments: arguments)) != nil
  }

  static let all: [Vector] = {
    let file = Corpus.vectors.appending(path: "predicate-vectors.json")
    guard let data = try? Data(contentsOf: file),
      let entries = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]]
    else { return [] }
    return entries.compactMap { entry in
      guard let id = entry["id"] as? Int, let kind = entry["kind"] as? String, let format = entry["format"] as? String
      else { return nil }
      return Vector(
        id: id, kind: kind, checked: entry["checked"] as? String ?? "", format: format,
        other: entry["other"] as? String ?? "", arguments: (entry["args"] as? [Any] ?? []).map(argument),
        bindings: (entry["bindings"] as? [String: Any] ?? [:]).mapValues { constant(argument($0)) },
        expect: entry["expect"] ?? NSNull())
    }
  }()

  private static func constant(_ argument: FormatArgument) -> MappingExpression {
    guard case .value(let value) = argument else { return MappingExpression(.object) }
    return MappingExpression(.constant(.value(value)))
  }

  private static func argument(_ json: Any) -> FormatArgument {
    switch json {
    case let text as String: return .value(.string(text))
    case let number as NSNumber:
      if CFBoolean.contains(number) { return .value(.bool(number.boolValue)) }
      return .value(Int64(exactly: number.doubleValue).map { .integer($0) } ?? .double(number.doubleValue))
    case let elements as [Any]: return .array(elements.map(argument))
    case let entries as [String: Any]:
      if let seconds = entries["$date"] as? NSNumber {
        return .value(.date(Date(timeIntervalSinceReferenceDate: seconds.doubleValue)))
      }
      if let elements = entries["$set"] as? [Any] { return .set(Set<FormatArgument>(elements.map(argument))) }
      return .value(
        .composite(
          entries.mapValues {
            if case .value(let value) = argument($0) { value } else { .null }
          }))
    default: return .value(.null)
    }
  }
}

/// Foundation on Linux represents a JSON Boolean as a number of one byte.
private enum CFBoolean {
  static func contains(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
