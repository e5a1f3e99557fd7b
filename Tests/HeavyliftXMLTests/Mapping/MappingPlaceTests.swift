import HeavyliftMapping
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// Every part of a mapping model has its location.
struct MappingPlaceTests {
  @Test func `a mapping model keeps the places of its parts`() throws {
    let mapping = try MappingReader.read(text: MappingSample.text, file: "1-2.xml").mappingModel
    let entity = try #require(mapping.entityMappings.first)
    let title = try #require(entity.propertyMapping(named: "title"))
    let artists = try #require(entity.propertyMapping(named: "artists"))
    #expect(mapping.markup.location(of: "source")?.description == "1-2.xml:4:24")
    #expect(mapping.markup.location(of: "copy")?.description == "1-2.xml:8:11")
    #expect(entity.markup.location?.description == "1-2.xml:10:3")
    #expect(entity.markup.attributes["where"]?.name.description == "1-2.xml:14:7")
    // After `&lt;`, which is one character of the predicate.
    #expect(entity.markup.location(of: "where", scalarAt: 27)?.description == "1-2.xml:14:44")
    #expect(title.markup.location(of: "value", scalarAt: 8)?.description == "1-2.xml:20:44")
    #expect(artists.markup.location(of: "mapping")?.description == "1-2.xml:24:66")
    // A missing attribute has the location of its element.
    #expect(artists.markup.location(of: "value")?.description == "1-2.xml:24:5")
    let parts = mapping.markup.form.parts
    #expect(parts[.sourceEntity("Track")]?.location(of: "properties")?.description == "1-2.xml:37:43")
    #expect(entity.markup.form.parts[.userInfo("modelVersion")]?.location?.description == "1-2.xml:18:5")
    #expect(mapping.entityMappings[1].markup.form.blankLines == [0])
  }

  /// One pass over a value yields the same places as separate passes to each of its characters.
  @Test(arguments: Seeds.some(of: 1..<21)) func `the places of a value are those of its characters`(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "a", "é", "😀", "e\u{301}", "&quot;", "&#x1F600;", "&#10;", "\n", "\r\n", "\r", "\t", "&amp;", "'", " ",
    ]
    for _ in 0..<30 {
      let parts = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      let text = "<!-- é -->\n <a b=\"" + parts.joined() + "\"/>"
      let attribute = try #require(try XMLDocument(parsing: text).root.attribute(named: "b"))
      let places = try #require(attribute.valuePlaces)
      var (line, column, offset, wasReturn) = (2, 8, 0, false)
      for part in parts {
        // A line feed after a carriage return belongs to it.
        if wasReturn, part == "\n" {
          wasReturn = false
          continue
        }
        wasReturn = part == "\r"
        let scalars = part.hasPrefix("&") || part == "\r\n" ? [part] : part.unicodeScalars.map { String($0) }
        for scalar in scalars {
          try #require(
            places.location(ofScalarAt: offset) == DiagnosticLocation(line: line, column: column),
            "seed \(seed): \(text.debugDescription), character \(offset)")
          try #require(attribute.location(ofScalarAt: offset) == places.location(ofScalarAt: offset))
          offset += 1
          if scalar.contains(where: \.isNewline) {
            (line, column) = (line + 1, 1)
          } else {
            column += scalar.unicodeScalars.count
          }
        }
      }
      try #require(offset == attribute.value.unicodeScalars.count, "seed \(seed): \(text.debugDescription)")
      try #require(places.location(ofScalarAt: offset) == DiagnosticLocation(line: line, column: column))
      try #require(attribute.location(ofScalarAt: offset + 9) == places.location(ofScalarAt: offset))
    }
  }
}
