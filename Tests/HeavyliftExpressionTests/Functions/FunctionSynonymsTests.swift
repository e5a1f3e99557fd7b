import HeavyliftExpression
import Testing

struct FunctionSynonymsTests {
  @Test(arguments: Set(FunctionSynonyms.examples.values).sorted())
  func `every example can be evaluated`(example: String) throws {
    if (try? MappingPredicate(parsing: example)) != nil, (try? MappingExpression(parsing: example)) == nil {
      #expect(try holds(example))
    } else {
      _ = try evaluate(example, ["x": nil])
    }
  }

  @Test func `no name of the language is explained as a foreign one`() {
    let names = Set(BuiltinFunction.allCases.map { $0.rawValue.prefix { $0 != ":" }.lowercased() })
    #expect(names.intersection(FunctionSynonyms.examples.keys) == [])
  }

  @Test(arguments: [
    (
      "split('a,b', ',')",
      "split | error[expression.unknown-function]: there is no function 'split:'\n  write it as in tokenize:using:('a,b', ',')"
    ),
    (
      "FUNCTION('a,b', 'split:', ',')",
      "'split:' | error[expression.unknown-function]: a string has no function 'split:'\n  write it as in tokenize:using:('a,b', ',')"
    ),
  ])
  func `a function's name in another language leads to the one here`(text: String, message: String) {
    #expect(failure(of: text) == message)
  }
}
