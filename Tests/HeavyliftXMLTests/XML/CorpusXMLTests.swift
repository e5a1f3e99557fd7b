import Foundation
import HeavyliftTestSupport
import Testing

@testable import HeavyliftXML

/// Xcode's mapping models name a document type in a `file:` URL, which is never fetched.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
struct CorpusXMLTests {
  static let mappings = Corpus.files(endingWith: "/xcmapping.xml").map(Corpus.name)

  @Test func `the corpus has mapping models`() {
    #expect(!Self.mappings.isEmpty)
  }

  @Test(arguments: mappings) func `a mapping model is read, and written back byte for byte`(name: String) throws {
    let data = try Data(contentsOf: Corpus.root.appending(path: name))
    let document = try XMLDocument(parsing: data, file: name)
    #expect(document.prologue.contains("file:///"))
    #expect(document.root.name == "database")
    #expect(Data(document.text.utf8) == data)
    var plain = document
    plain.root = document.root.forgettingForm
    #expect(XMLCanonicalForm.of(Data(plain.text.utf8)) == XMLCanonicalForm.of(data))
  }
}
