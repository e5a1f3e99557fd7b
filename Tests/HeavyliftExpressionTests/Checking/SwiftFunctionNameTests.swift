import HeavyliftExpression
import Testing

struct SwiftFunctionNameTests {
  @Test(arguments: [
    ("filenameForLibraryWith:", "filename(forLibraryWith:)"), ("labelledWithName:", "labelled(withName:)"),
    ("valueFrom:", "value(from:)"), ("plain2:manager:", "plain2(_:manager:)"), ("count", "count()"),
    ("coverForTrack:manager:", "cover(forTrack:manager:)"), ("minutes:", "minutes(_:)"),
    ("fromText:", "fromText(_:)"), ("join::", "join(_:_:)"),
    ("dateFromNumericRepresentation:", "date(fromNumericRepresentation:)"),
  ])
  func `a selector has a Swift name`(selector: String, name: String) {
    #expect(SwiftFunctionName(selector: selector)?.description == name)
  }

  @Test(arguments: ["", ":", "a:b", "a b:", "ä:", "a-b"])
  func `an invalid selector has no Swift name`(text: String) {
    #expect(SwiftFunctionName(selector: text) == nil)
  }
}
