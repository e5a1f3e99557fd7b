import Heavylift
import Testing

/// Differences that no intermediate model can bridge, and the names in one.
@Suite struct IntermediateMistakeTests {
  private static func message(_ old: String, _ new: String) -> String {
    do {
      let intermediate = try IntermediateModel(
        from: ModelText.model(old, name: "1"), to: ModelText.model(new, name: "2"))
      return ModelText.text(intermediate.model)
    } catch {
      return error.description
    }
  }

  @Test func `the name of a kept attribute must be free`() {
    #expect(
      Self.message("Track\n  added: String", "Track\n  added: Date\n  old_added: String") == """
        error[intermediate.name-in-use]: attribute 'added' of entity 'Track' changes: a stage keeps the old one as \
        'old_added', but 'old_added' exists
          rename 'old_added' in the new version, with its name as renaming identifier
        """)
  }

  @Test func `the objects of a kept relationship must have a common parent`() {
    #expect(
      Self.message(
        "Film: Medium\nMedium, abstract\nPerson\n  media ->> Medium\nTrack: Medium", "Film\nPerson\nTrack") == """
          error[intermediate.scattered-destination]: relationship 'media' of entity 'Person' is removed or replaced, but \
          no relationship can keep its objects until a script has run: the entities that inherit from 'Medium' are in \
          separate hierarchies in the new version: 'Film' and 'Track'
            write a mapping file for this pair of versions, or keep the relationship for one more version
          """)
  }

  @Test func `mistakes in the models come first`() {
    #expect(
      Self.message("Track\n  album -> Album", "Track").hasPrefix(
        "error[model.unknown-destination]: relationship 'album' of entity 'Track'"))
  }

  @Test func `names of the source version lead to those of the intermediate model`() throws {
    let intermediate = try IntermediateModel(
      from: ModelText.model(
        "Song\n  added: String\n  cache: String, transient\n  name: String\n  old: Date", name: "1"),
      to: ModelText.model("Track, was Song\n  added: Date\n  title: String, was name", name: "2"))
    #expect(intermediate.model.name == "1 → 2, intermediate")
    #expect(intermediate.name(ofSourceEntity: "Song") == "Track")
    let names = ["added", "cache", "name", "old"].map { intermediate.name(ofSourceProperty: $0, in: "Song") }
    #expect(names == ["old_added", nil, "title", "old"])
  }

  @Test func `a removed entity stays in its configuration`() throws {
    var old = ModelText.model("Album\n  tracks ->> Track\nTrack", name: "1")
    old.configurations = [ConfigurationDescription(name: "Cloud", entityNames: ["Album", "Track"])]
    var new = ModelText.model("Track", name: "2")
    new.configurations = [ConfigurationDescription(name: "Cloud", entityNames: ["Track"])]
    #expect(
      try IntermediateModel(from: old, to: new).model.configurations == [
        ConfigurationDescription(name: "Cloud", entityNames: ["Album", "Track"])
      ])
  }
}
