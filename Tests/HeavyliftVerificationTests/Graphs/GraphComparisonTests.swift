import HeavyliftModel
import Testing

@testable import HeavyliftVerification

@Suite struct GraphComparisonTests {
  private func differences(_ expected: String, _ found: String) throws -> [String] {
    let model = ObjectGraphTests.model
    let comparison = GraphComparison(
      expected: try ObjectGraph(json: "{\"objects\": \(expected)}", model: model),
      found: try ObjectGraph(json: "{\"objects\": \(found)}", model: model), model: model)
    return comparison.differences.map { "\($0.entityName).\($0.object) \($0.kind)" }
  }

  @Test func `values, targets and their order are compared`() throws {
    let expected = #"""
      {"Box": {"box": {"things": ["a", "b"]}}, "Thing": {
        "a": {"code": "A", "double": 0, "friends": ["b"]}, "b": {"code": "B", "string": "é"}}}
      """#
    #expect(try differences(expected, expected) == [])
    let found = #"""
      {"Box": {"box": {"things": ["b", "a"]}}, "Thing": {
        "a": {"code": "A", "double": 1}, "b": {"code": "B", "string": "e\u0301"}}}
      """#
    #expect(
      try differences(expected, found) == [
        #"Box.box targets("things", expected: ["a", "b"], found: ["b", "a"])"#,
        #"Thing.a value("double", expected: HeavyliftModel.Value.double(0.0), found: HeavyliftModel.Value.double(1.0))"#,
        #"Thing.a targets("friends", expected: ["b"], found: [])"#,
        #"Thing.b value("string", expected: HeavyliftModel.Value.string("é"), found: HeavyliftModel.Value.string("é"))"#,
        #"Thing.b targets("friends", expected: ["a"], found: [])"#,
      ])
  }

  @Test func `objects with different names are paired by their contents`() throws {
    let expected = #"{"Thing": {"a": {"code": "A", "friends": ["b"]}, "b": {"code": "B", "level": 1}}}"#
    let found = #"{"Thing": {"t1": {"code": "B", "level": 1}, "t2": {"code": "A", "friends": ["t1"]}}}"#
    #expect(try differences(expected, found) == [])
    let less = #"{"Thing": {"t1": {"code": "B", "level": 2}}}"#
    #expect(
      try differences(expected, less) == [
        "Thing.a missing",
        "Thing.b value(\"level\", expected: HeavyliftModel.Value.integer(1), found: HeavyliftModel.Value.integer(2))",
        #"Thing.b targets("friends", expected: ["a"], found: [])"#,
      ])
    #expect(try differences(less, expected).contains("Thing.a unexpected"))
  }
}
