import Foundation
import HeavyliftArchive
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// The meaning of Xcode's mapping models.
struct XcodeMappingReaderTests {
  private func read(_ file: XcodeMappingFile) throws -> XcodeMappingReading {
    try XcodeMappingReader.read(text: file.text, file: "xcmapping.xml")
  }

  @Test func `a mapping model becomes what Xcode's compiler makes of it`() throws {
    let value = XcodeMappingFile.archive { $0.function("destinations:", [$0.variable("source")]) }
    var file = XcodeMappingFile()
    file.add(
      "XDDEVENTITYMAPPING", "z2",
      [
        "mappingnumber": "20", "sourcename": "Track", "destinationname": "Song", "name": "Songs",
        "migrationpolicyclassname": "Music.SongPolicy",
        "sourcefilterpredicatestring": #"seconds \u3c00 3 \u2600\u2600 title != nil"#, "autogenerateexpression": "1",
        "sourceexpressiondata": "not even Base64",
        "userinfodata": XcodeMappingFile.dictionary(["modelVersion": "2"]),
      ], ["attributemappings": "z5 z4", "relationshipmappings": "z6 z7 z8 z9"])
    file.add("XDDEVENTITYMAPPING", "z3", ["mappingnumber": "3", "destinationname": "Genre"], [:])
    file.add("XDDEVATTRIBUTEMAPPING", "z4", ["name": "seconds"], [:])
    file.add("XDDEVATTRIBUTEMAPPING", "z5", ["name": "name", "valueexpressiondata": value], [:])
    file.add(
      "XDDEVRELATIONSHIPMAPPING", "z6",
      ["name": "genres", "sourcekeypath": "$source.tags.@distinctUnionOfSets.genres", "sourcemappingname": "Genres"],
      [:])
    file.add("XDDEVRELATIONSHIPMAPPING", "z7", ["name": "band", "sourcemappingname": "Bands"], [:])
    file.add("XDDEVRELATIONSHIPMAPPING", "z8", ["name": "album", "sourcekeypath": "$source.record.album"], [:])
    file.add("XDDEVRELATIONSHIPMAPPING", "z9", ["name": "artist", "autogenerateexpression": "1"], [:])
    file.add("XDDEVATTRIBUTEMAPPING", "z10", ["name": "left over"], [:])
    file.add("XDDEVMAPPINGMODEL", "z1", XcodeMappingFile.paths, ["entitymappings": "z2 z3"])
    let reading = try read(file)
    #expect(
      reading.mappingModel
        == MappingModel(
          source: ModelReference(name: "Music 1"), destination: ModelReference(name: "Music 2"), copying: .listed,
          unmentionedEntities: .dropped,
          entityMappings: [
            EntityMappingDescription(destination: "Genre"),
            EntityMappingDescription(
              name: "Songs", source: "Track", destination: "Song",
              filter: try MappingPredicate(parsing: "seconds < 3 && title != nil"), policy: "Music.SongPolicy",
              properties: [
                .attribute("name", try MappingExpression(parsing: "destinations:($source)")),
                PropertyMappingDescription(.attribute, name: "seconds"),
                .relationship("album", from: try MappingExpression(parsing: "$source.record.album")),
                PropertyMappingDescription(.relationship, name: "artist"),
                .relationship("band", through: "Bands"),
                .relationship(
                  "genres", from: try MappingExpression(parsing: "$source.tags.@distinctUnionOfSets.genres"),
                  through: "Genres"),
              ], userInfo: ["modelVersion": "2"]),
          ]))
    #expect(
      reading.diagnostics.map(\.description) == [
        """
        xcmapping.xml:58:1: note[mapping-file.left-overs]: object 'z10' does not belong to any mapping
          it is left over from a deleted mapping, and ignored
        """
      ])
    #expect(reading.sourceModelPath == "Library/Music.xcdatamodeld/Music 1.xcdatamodel")
  }

  @Test func `the characters of a filter have their locations in the file`() throws {
    var file = XcodeMappingFile()
    file.add(
      "XDDEVENTITYMAPPING", "z2",
      [
        "mappingnumber": "1", "sourcename": "A",
        "sourcefilterpredicatestring": #"a &gt; 1 \u2600\u2600 b < "#
          .replacing("<", with: #"\u3c00"#) + "2",
      ], [:])
    file.add("XDDEVMAPPINGMODEL", "z1", [:], ["entitymappings": "z2"])
    let markup = try read(file).mappingModel.entityMappings[0].markup
    let start = try #require(markup.location(of: "where"))
    // `a > 1 && b < 2`: `&` and `<` take six columns each, `>` four.
    let columns = (0..<14).map { (markup.location(of: "where", scalarAt: $0)?.column ?? 0) - start.column }
    #expect(columns == [0, 1, 2, 6, 7, 8, 9, 15, 21, 22, 23, 24, 30, 31])
  }

  @Test(
    arguments: [
      ("", nil), ("Policy", "Policy"), ("Music.Policy", "Music.Policy"),
    ])
  func `an empty policy class counts as missing`(written: String, policy: String?) throws {
    var file = XcodeMappingFile()
    file.add(
      "XDDEVENTITYMAPPING", "z2",
      ["mappingnumber": "1", "sourcename": "A", "destinationname": "B", "migrationpolicyclassname": written], [:])
    file.add("XDDEVMAPPINGMODEL", "z1", [:], ["entitymappings": "z2"])
    #expect(try read(file).mappingModel.entityMappings[0].policyClassName == policy)
  }

  @Test(
    arguments: [
      (["sourcename": "A", "destinationname": "B"], "AToB"), (["destinationname": "B"], "B"), ([:], "Mapping"),
      (["sourcename": "A", "destinationname": "B", "name": "Other"], "Other"),
      (["sourcename": "A", "destinationname": "B", "name": ""], "AToB"),
    ])
  func `a mapping without a name has the one that Xcode derives`(values: [String: String], name: String) throws {
    var file = XcodeMappingFile()
    file.add("XDDEVENTITYMAPPING", "z2", values.merging(["mappingnumber": "1"]) { $1 }, [:])
    file.add("XDDEVMAPPINGMODEL", "z1", [:], ["entitymappings": "z2"])
    #expect(try read(file).mappingModel.entityMappings[0].name == name)
  }

  @Test func `mappings run in the order of their numbers, as numbers`() throws {
    var file = XcodeMappingFile()
    let numbers = ["10", "9", "-1", "300"]
    for (place, number) in numbers.enumerated() {
      file.add("XDDEVENTITYMAPPING", "z\(place + 2)", ["mappingnumber": number, "sourcename": "N\(number)"], [:])
    }
    file.add("XDDEVMAPPINGMODEL", "z1", [:], ["entitymappings": "z2 z3 z4 z5"])
    #expect(try read(file).mappingModel.entityMappings.map(\.sourceEntityName) == ["N-1", "N9", "N10", "N300"])
  }

  @Test func `a source expression counts where it is not made automatically`() throws {
    let value = XcodeMappingFile.archive { $0.variable("others") }
    var file = XcodeMappingFile()
    file.add(
      "XDDEVENTITYMAPPING", "z2",
      ["mappingnumber": "1", "sourcename": "A", "autogenerateexpression": "0", "sourceexpressiondata": value], [:])
    file.add("XDDEVMAPPINGMODEL", "z1", [:], ["entitymappings": "z2"])
    #expect(
      try read(file).mappingModel.entityMappings[0].sourceExpression == (try MappingExpression(parsing: "$others")))
  }

  @Test func `characters beyond the first plane are two escapes`() throws {
    var file = XcodeMappingFile()
    file.add(
      "XDDEVENTITYMAPPING", "z2", ["mappingnumber": "1", "name": #"\u3dd8\u00de \u3c00\ \u12 \uzzzz \ud83d"#], [:])
    file.add("XDDEVMAPPINGMODEL", "z1", [:], ["entitymappings": "z2"])
    #expect(try read(file).mappingModel.entityMappings[0].name == "😀 <\\ \\u12 \\uzzzz \u{3DD8}")
  }

  @Test(arguments: ["yes", "no"]) func `the document type is never fetched`(standalone: String) throws {
    var file = XcodeMappingFile()
    file.head = """
      <?xml version="1.0" standalone="\(standalone)"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">


      """
    file.add("xddeventitymapping", "z2", ["mappingnumber": "1", "sourcename": "A", "destinationname": "B"], [:])
    file.add("xddevmappingmodel", "z1", [:], ["entitymappings": "z2"])
    let reading = try read(file)
    #expect(reading.mappingModel.entityMappings.map(\.name) == ["AToB"])
    #expect(reading.diagnostics == [])
  }

  @Test func `a damaged byte ends in a mapping model or in mistakes`() throws {
    let value = XcodeMappingFile.archive { $0.function("f:", [$0.variable("source")]) }
    var file = XcodeMappingFile()
    file.add(
      "XDDEVENTITYMAPPING", "z2",
      ["mappingnumber": "1", "sourcename": "A", "sourcefilterpredicatestring": #"a \u3c00 3"#],
      ["attributemappings": "z3"])
    file.add("XDDEVATTRIBUTEMAPPING", "z3", ["name": "a", "valueexpressiondata": value], [:])
    file.add("XDDEVMAPPINGMODEL", "z1", ["sourcemodeldata": value], ["entitymappings": "z2"])
    let bytes = Data(file.text.utf8)
    var random = SeededGenerator(seed: 11)
    for _ in 0..<1500 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<damaged.count, using: &random)
        damaged[place] =
          Bool.random(using: &random) ? UInt8.random(in: 0x20...0x7E, using: &random) : bytes[bytes.count / 2]
      }
      _ = try? XcodeMappingReader.read(data: damaged)
    }
  }
}
