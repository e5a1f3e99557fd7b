import Foundation
import HeavyliftArchive
import HeavyliftExpression
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// The expressions and filters of real mapping models.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.comment)"))
struct CorpusExpressionTests {
  static let files = Corpus.files(endingWith: "xcmapping.xml")

  static let elements: [XMLElement] = files.flatMap { file -> [XMLElement] in
    guard let document = try? XMLDocument(contentsOf: file) else { return [] }
    return document.root.elements(named: "object").flatMap(\.elements)
  }

  /// The texts of filters; the XML store writes some characters as `\u3c00`, UTF-16 in the wrong byte order.
  static let filters = Set(
    elements.filter { $0.attribute(named: "name")?.value == "sourcefilterpredicatestring" }.map {
      $0.textContent.trimmingCharacters(in: .whitespacesAndNewlines)
        .replacing("\\u3c00", with: "<").replacing("\\u3e00", with: ">").replacing("\\u2600", with: "&")
    }
  ).sorted()

  /// The archived expressions, as text.
  static let expressions = Set(
    elements.filter { ["valueexpressiondata", "sourceexpressiondata"].contains($0.attribute(named: "name")?.value) }
      .compactMap { element -> String? in
        guard let data = Data(base64Encoded: element.textContent, options: .ignoreUnknownCharacters),
          let archive = try? KeyedArchive(data: data), let root = archive.root
        else { return nil }
        return try? ArchivedExpression(root, in: archive).description
      }
  ).sorted()

  @Test func `the corpus has mapping models`() {
    #expect(Self.files.count >= 10)
    #expect(Self.expressions.count >= 5)
  }

  @Test(arguments: expressions) func `an archived expression is read and printed back`(text: String) throws {
    let expression = try MappingExpression(parsing: text)
    #expect(try MappingExpression(parsing: expression.text()) == expression)
  }

  @Test(arguments: filters) func `a filter is read and printed back`(text: String) throws {
    let predicate = try MappingPredicate(parsing: text)
    #expect(try MappingPredicate(parsing: predicate.text()) == predicate)
  }
}
