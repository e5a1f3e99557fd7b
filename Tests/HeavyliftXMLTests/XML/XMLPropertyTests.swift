import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftXML

struct XMLPropertyTests {
  @Test(arguments: Seeds.some(of: 0..<300)) func `any well-formed text is written back byte for byte`(seed: UInt64)
    throws
  {
    var source = XMLTextSource(seed: seed)
    let text = source.document()
    let document = try XMLDocument(parsing: text)
    #expect(Array(document.text.utf8) == Array(text.utf8), "seed \(seed)")
    var plain = document
    plain.root = document.root.forgettingForm
    #expect(
      XMLCanonicalForm.of(Data(plain.text.utf8)) == XMLCanonicalForm.of(Data(text.utf8)), "seed \(seed): \(text)")
  }

  @Test(arguments: Seeds.some(of: 0..<300)) func `a location points at what it says`(seed: UInt64) throws {
    var source = XMLTextSource(seed: seed)
    let text = source.document()
    let document = try XMLDocument(parsing: text)
    var pending = [document.root]
    while let element = pending.popLast() {
      let start = try #require(element.location)
      #expect(text.from(start)?.hasPrefix("<" + element.name) == true, "seed \(seed)")
      for attribute in element.attributes {
        let name = try #require(attribute.nameLocation)
        #expect(text.from(name)?.hasPrefix(attribute.name) == true, "seed \(seed)")
        for (offset, scalar) in attribute.value.unicodeScalars.enumerated() {
          let place = try #require(attribute.location(ofScalarAt: offset))
          let rest = try #require(text.from(place), "seed \(seed)")
          let isPlain = rest.unicodeScalars.first == scalar
          #expect(isPlain || rest.hasPrefix("&") || scalar == " ", "seed \(seed)")
        }
      }
      pending += element.elements
    }
  }

  @Test(arguments: Seeds.some(of: 0..<300)) func `no damage crashes the reader`(seed: UInt64) {
    var source = XMLTextSource(seed: seed)
    var bytes = Array(source.document().utf8)
    for _ in 0..<Int.random(in: 1...6, using: &source.generator) { source.damage(&bytes) }
    do {
      let document = try XMLDocument(parsing: Data(bytes), file: "x.xml")
      #expect(Array(document.text.utf8) == bytes, "seed \(seed)")
    } catch {
      #expect(!error.diagnostics.isEmpty, "seed \(seed)")
      #expect(error.diagnostics.allSatisfy { $0.location?.file == "x.xml" && $0.remedy != nil }, "seed \(seed)")
      #expect(error.diagnostics.allSatisfy { $0.code != "xml.unexpected" }, "seed \(seed): \(error)")
    }
  }
}

extension String {
  /// The text from a location on, found by slow counting.
  fileprivate func from(_ location: DiagnosticLocation) -> String? {
    var line = 1
    var column = 1
    let scalars = Array(unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      if (line, column) == (location.line, location.column), scalar != "\u{FEFF}" {
        var rest = String.UnicodeScalarView()
        rest.append(contentsOf: scalars[index...])
        return String(rest)
      }
      if scalar == "\u{FEFF}", index == 0 { continue }
      let isInnerReturn = scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
      if scalar == "\n" || (scalar == "\r" && !isInnerReturn) {
        line += 1
        column = 1
      } else {
        column += 1
      }
    }
    return (line, column) == (location.line, location.column) ? "" : nil
  }
}
