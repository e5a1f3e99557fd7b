import HeavyliftConcurrency
import HeavyliftModel
import Testing

/// Structs that keep their properties in an object are values nonetheless.
struct CopyOnWriteTests {
  private struct Page {
    private struct Contents: Sendable {
      var title: String
      var words: [String]
    }
    @CopyOnWrite private var contents: Contents

    init(title: String) { contents = Contents(title: title, words: []) }

    var title: String {
      get { contents.title }
      set { contents.title = newValue }
    }
    var words: [String] {
      get { contents.words }
      _modify { yield &contents.words }
    }
  }

  @Test func `a change of a copy does not change the original`() {
    let page = Page(title: "one")
    var copy = page
    copy.title = "two"
    copy.words.append("word")
    #expect(page.title == "one" && page.words == [])
    #expect(copy.title == "two" && copy.words == ["word"])
    var third = copy
    third.words.append("other")
    #expect(copy.words == ["word"] && third.words == ["word", "other"])
  }

  @Test func `copies of a model, and their facts, are independent`() {
    let model = ManagedObjectModel(
      name: "one", entities: [EntityDescription(name: "Book", managedObjectClassName: nil)])
    let hashes = model.versionHashes
    var copy = model
    copy.name = "two"
    copy.entities[0].isAbstract = true
    #expect(model.name == "one" && !model.entities[0].isAbstract)
    #expect(model.versionHashes == hashes && copy.versionHashes != hashes)
    #expect(model.entity(named: "Book")?.isAbstract == false && copy.entity(named: "Book")?.isAbstract == true)
  }

  @Test func `equal values in different objects are equal and have one hash`() {
    let (one, other) = (CopyOnWrite(wrappedValue: [1, 2]), CopyOnWrite(wrappedValue: [1, 2]))
    #expect(one == other && one.hashValue == other.hashValue && one != CopyOnWrite(wrappedValue: [2]))
  }
}
