import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Histories in which a version in between rejects stores that a jump over it would accept.
struct VersionComparisonTests {
  private func difference(_ versions: [[EntityDescription]]) -> String? {
    let models = versions.enumerated().map { ManagedObjectModel(name: "\($0.offset + 1)", entities: $0.element) }
    return VersionComparison(VersionLineages(models), 0...models.count - 1).difference
  }

  private func note(_ relationships: [RelationshipDescription] = []) -> EntityDescription {
    EntityDescription(
      name: "Note", attributes: [Models.attribute("text", .string)], relationships: relationships)
  }

  private let tag = EntityDescription(name: "Tag", attributes: [Models.attribute("word", .string)])
  private let folder = EntityDescription(name: "Folder", attributes: [Models.attribute("name", .string)])

  @Test func `a relationship that leads elsewhere before it is removed keeps its hop`() {
    // The second version refuses links whose targets do not become tags.
    let versions = [
      [note([Models.toOne("place", "Folder")]), tag, folder], [note([Models.toOne("place", "Tag")]), tag, folder],
      [note(), tag, folder],
    ]
    #expect(difference(versions) == "relationship 'place' of entity 'Note' changes before it is removed")
    #expect(difference([versions[0], versions[0], versions[2]]) == nil)
  }

  @Test func `a mandatory relationship whose targets are removed keeps its hop`() {
    var mandatory = Models.toOne("place", "Folder")
    mandatory.isOptional = false
    let child = EntityDescription(name: "Box", superentityName: "Folder")
    // The second version refuses notes in a box.
    let versions = [
      [note([mandatory]), tag, folder, child], [note([mandatory]), tag, folder], [note(), tag, folder],
    ]
    #expect(difference(versions) == "relationship 'place' of entity 'Note' changes before it is removed")
    #expect(difference([versions[0], versions[0], [note(), tag, folder, child]]) == nil)
  }

  @Test func `a relationship that leads elsewhere for a while keeps its hop`() {
    // The second version refuses all links, which the third one would accept again.
    let folders = [note([Models.toOne("place", "Folder")]), tag, folder]
    let tags = [note([Models.toOne("place", "Tag")]), tag, folder]
    #expect(difference([folders, tags, folders]) == "relationship 'place' of entity 'Note' leads to another entity")
    #expect(difference([folders, tags, tags]) == nil)
  }

  @Test func `a new parent of an entity that is removed later keeps its hop`() {
    // The table of the new parent counts the keys of the removed objects.
    let child = EntityDescription(
      name: "Tag", superentityName: "Base", attributes: [Models.attribute("word", .string)])
    let base = EntityDescription(name: "Base", attributes: [Models.attribute("made", .date)])
    #expect(
      difference([[note(), tag], [note(), child, base], [note(), base]])
        == "'Tag' changes its parent entity before it is removed")
    #expect(difference([[note(), tag], [note(), tag], [note()]]) == nil)
  }
}
