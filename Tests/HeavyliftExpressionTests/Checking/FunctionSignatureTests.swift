import Foundation
import Testing

@testable import HeavyliftExpression

/// A check must not refuse a call that would have worked.
struct FunctionSignatureTests {
  private struct Parameter: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var signature: FunctionSignature
    var accepts: @Sendable (ExpressionValue) -> Bool

    init<Type: ExpressionConvertible>(_ type: Type.Type) {
      testDescription = "\(type)"
      signature = FunctionSignature((type), String.self)
      accepts = { Type(expressionValue: $0) != nil }
    }
  }

  private static let parameters = [
    Parameter(Bool.self), Parameter(Int.self), Parameter(Int16.self), Parameter(Int32.self), Parameter(Int64.self),
    Parameter(Float.self), Parameter(Double.self), Parameter(Decimal.self), Parameter(Number.self),
    Parameter(String.self), Parameter(Date.self), Parameter(UUID.self), Parameter(URL.self), Parameter(Data.self),
    Parameter(String?.self), Parameter([Int].self), Parameter([String].self), Parameter(Set<Int>.self),
    Parameter(ExpressionValue.self),
  ]

  private static let simple: [ExpressionType.Kind] = [
    .boolean, .integer, .number, .double, .decimal, .string, .date, .uuid, .uri, .data, .dictionary,
  ]

  private static let kinds =
    simple
    + simple.flatMap { [.collection(.array, of: $0), .collection(.set, of: $0), .collection(.orderedSet, of: $0)] }

  @Test(arguments: parameters)
  private func `an argument is refused only if the function cannot read it`(parameter: Parameter) throws {
    for kind in Self.kinds {
      var environment = CheckingEnvironment()
      environment.enter(.attribute, source: nil, destination: nil)
      environment.variables["value"] = ExpressionType(kind)
      environment.managerFunctions = ["text:": parameter.signature]
      let checked = ExpressionChecker(environment).check(
        try MappingExpression(parsing: #"FUNCTION($manager, "text:", $value)"#))
      let sample = try #require(kind.sample)
      let codes = checked.diagnostics { _ in nil }.map(\.code)
      #expect(
        codes == (parameter.accepts(sample) ? [] : ["expression.argument"]), "\(parameter.testDescription) from \(kind)"
      )
    }
  }

  @Test func `the result has the type that the function returns`() throws {
    var environment = CheckingEnvironment()
    environment.enter(.attribute, source: nil, destination: nil)
    environment.managerFunctions = ["number:": FunctionSignature((String.self), Double?.self)]
    let checked = ExpressionChecker(environment).check(
      try MappingExpression(parsing: #"FUNCTION($manager, "number:", "1")"#))
    #expect(checked.type == ExpressionType(.double, isNullable: true))
  }
}
