import Testing

@testable import HeavyliftVerification

@Suite struct TestClassSourceTests {
  private let source = TestClassSource(
    name: "Music1To2Tests", models: "Models/Music.xcdatamodeld", sourceVersion: "Music 1",
    destinationVersion: "Music 2",
    mapping: "Mappings/1-2.xml", sourceGraph: "graph-1.json", destinationGraph: "graph-2.json",
    policies: ["ArtistsFromJSON"], needsFunctions: false, levelsUp: 1)

  @Test func `handwritten code outside the markers is kept`() {
    var written = source.text.replacing("{ [] }", with: "{ [\"mine\"] }")
    written += "// a remark\n"
    var changed = source
    changed.mapping = "Mappings/1-2b.xml"
    let updated = changed.updating(written)
    #expect(updated == written.replacing("1-2.xml", with: "1-2b.xml"))
    #expect(source.updating(written) == written)
    #expect(source.updating(written.replacing("// heavylift: end generated", with: "")) == nil)
  }

  @Test func `a mapping's first policy adds the code that registers it`() {
    var plain = source
    plain.policies = []
    #expect(!plain.text.contains("var policies"))
    let updated = source.updating(plain.text)
    #expect(updated == source.text)
    // Code that is there already is kept.
    let own = plain.text.replacing("override func mistakes", with: "var policies = mine()\n  override func mistakes")
    #expect(source.updating(own)?.contains("PolicyRegistry") == false)
  }
}
