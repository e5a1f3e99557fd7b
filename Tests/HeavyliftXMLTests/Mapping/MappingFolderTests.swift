import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// Finds the mapping for a pair of models among the files of a folder.
@Suite struct MappingFolderTests {
  private static func model(_ name: String, _ attributes: String...) -> ManagedObjectModel {
    ManagedObjectModel(
      name: name,
      entities: [
        EntityDescription(
          name: "Track", attributes: attributes.map { AttributeDescription(name: $0, type: .string) })
      ])
  }

  private let one = Self.model("Music 1", "title")
  private let two = Self.model("Music 2", "title", "year")
  private let three = Self.model("Music 3", "title", "year", "rank")

  /// Creates a folder of files with these texts.
  private func folder(_ files: [String: String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, text) in files { try Data(text.utf8).write(to: folder.appending(name)) }
    return folder
  }

  private func text(
    _ names: String, _ content: String = #"<entity-mapping source="Track" destination="Track"/>"#
  ) -> String { "<mapping-model \(names)>\n  \(content)\n</mapping-model>\n" }

  /// The names of the mappings found, or the error.
  private func found(
    _ files: [String: String], all: Bool = false, from source: ManagedObjectModel? = nil,
    to destination: ManagedObjectModel? = nil
  ) throws -> String {
    let temporary = try folder(files)
    let folder = try MappingFolder(contentsOf: temporary.url, file: "Mappings")
    let (source, destination) = (source ?? one, destination ?? two)
    do {
      let mappings =
        all ? try folder.mappings(from: source, to: destination) : [try folder.mapping(from: source, to: destination)]
      return mappings.map { $0.name ?? "unnamed" }.joined(separator: ", ")
    } catch {
      return error.description
    }
  }

  @Test func `a mapping is found by the names of its models`() throws {
    let files = [
      "1-2.xml": text(#"source="Music 1" destination="Music 2""#),
      "2-3.xml": text(#"source="Music 2" destination="Music 3""#), "notes.txt": "no mapping",
    ]
    #expect(try found(files) == "1-2")
    #expect(try found(files, from: two, to: three) == "2-3")
    #expect(
      try found(files, from: one, to: three) == """
        error[mapping.no-mapping]: no mapping in 'Mappings' leads from model 'Music 1' to model 'Music 3':
          - '1-2.xml': the mapping was written for destination model 'Music 2', not for 'Music 3'
          - '2-3.xml': the mapping was written for source model 'Music 2', not for 'Music 1'
          write one, or use 'heavylift rebase' to update one that was written for earlier versions of these models
        """)
  }

  @Test func `two files for the same versions are an error, whatever each says about them`() throws {
    let pinned =
      #"source="Old" source-checksum="\#(one.versionChecksum)" destination="Music 2" destination-checksum="\#(two.versionChecksum)""#
    let named = #"source="Music 1" destination="Music 2""#
    #expect(
      try found(["a.xml": text(pinned), "b.xml": text(named)]) == """
        Mappings/b.xml:1:1: error[mapping.several-mappings]: 2 mappings in 'Mappings' lead from model 'Music 1' to model \
        'Music 2': 'a.xml' and 'b.xml'
          keep one of them; or, if they are passes that fill one store, write pass="1", pass="2" … on the <mapping-model> \
        of 'a.xml' and 'b.xml'
        """)
    #expect(
      try found(["a.xml": text(pinned + #" pass="2""#), "b.xml": text(named + #" pass="1""#)], all: true) == "b, a")
    // A file that merely fits is skipped.
    #expect(try found(["a.xml": text(""), "b.xml": text(named)]) == "b")
  }

  @Test func `a mapping of an edited model is refused down to the property`() throws {
    let mapping = MappingModel(
      source: ModelReference(pinning: one), destination: ModelReference(pinning: two),
      entityMappings: [EntityMappingDescription(source: "Track", destination: "Track")])
    let written = try MappingWriter.text(of: mapping)
    #expect(try found(["1-2.xml": written]) == "1-2")
    let edited = Self.model("Music 2", "title", "yaer")
    #expect(
      try found(["1-2.xml": written], to: edited) == """
        error[mapping.outdated-mapping]: no mapping in 'Mappings' leads from model 'Music 1' to model 'Music 2':
          - '1-2.xml': destination model 'Music 2' is not the one that the mapping was written for: property 'yaer' of \
        entity 'Track' was added; property 'year' of entity 'Track' was removed, perhaps renamed to 'yaer'
          update '1-2.xml' for these models with 'heavylift rebase', or remove it
        """)
  }

  @Test func `with only a checksum, the missing parts of the models are reported`() throws {
    let pinned = #"source="Music 1" source-checksum="\#(one.versionChecksum)" destination="Music 2""#
    let edited = Self.model("Music 1", "name")
    #expect(
      try found(
        ["1-2.xml": text(pinned, #"<entity-mapping source="Track" destination="Track" where="title != nil"/>"#)],
        from: edited) == """
          error[mapping.outdated-mapping]: no mapping in 'Mappings' leads from model 'Music 1' to model 'Music 2':
            - '1-2.xml': source model 'Music 1' is not the one that the mapping was written for: this model's checksum is \
          '\(edited.versionChecksum)', not '\(one.versionChecksum)'; the mapping has no fingerprints to show what \
          changed; the mapping refers to parts that this model lacks: property 'title' of entity 'Track'
            update '1-2.xml' for these models with 'heavylift rebase', or remove it
          """)
  }

  @Test func `leftovers of editors and other systems are skipped`() throws {
    let names = #"source="Music 1" destination="Music 2""#
    let temporary = try folder(["1-2.xml": text(names), "._1-2.xml": "\u{0}\u{5}", ".old.xml": text(names)])
    try FileManager.default.createSymbolicLink(
      atPath: temporary.appending(".#1-2.xml").path, withDestinationPath: "somebody@somewhere.1")
    let folder = try MappingFolder(contentsOf: temporary.url, file: "Mappings")
    #expect(folder.candidates.map(\.file) == ["1-2.xml"])
    #expect(folder.diagnostics == [])
    #expect(try folder.mapping(from: one, to: two).name == "1-2")
  }

  @Test func `a link is followed, a dangling one and a folder are reported, and subfolders are not searched`() throws {
    let names = #"source="Music 1" destination="Music 2""#
    let temporary = try folder(["real.txt": text(names)])
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: temporary.appending("1-2.xml").path, withDestinationPath: "real.txt")
    try manager.createSymbolicLink(atPath: temporary.appending("gone.xml").path, withDestinationPath: "nothing.xml")
    for name in ["folder.xml", "empty.xcmappingmodel", "below"] {
      try manager.createDirectory(at: temporary.appending(name), withIntermediateDirectories: false)
    }
    try Data(text(names).utf8).write(to: temporary.appending("below").appending(path: "1-2.xml"))
    let folder = try MappingFolder(contentsOf: temporary.url, file: "Mappings")
    #expect(try folder.mapping(from: one, to: two).name == "1-2")
    #expect(folder.candidates.map(\.file) == ["1-2.xml", "empty.xcmappingmodel", "folder.xml", "gone.xml"])
    #expect(
      folder.candidates.map { $0.diagnostics.map(\.code) }
        == [[], ["mapping-file.no-contents"], ["file.is-folder"], ["file.missing"]])
  }

  @Test func `a mapping without model names is found by the entities that it names`() throws {
    let files = [
      "a.xml": text("", #"<entity-mapping source="Track" destination="Track" where="rank != nil"/>"#),
      "b.xml": text("", #"<entity-mapping source="Track" destination="Track" where="title != nil"/>"#),
    ]
    #expect(try found(files) == "b")
    #expect(
      try found(files, from: three, to: three) == """
        Mappings/b.xml:1:1: error[mapping.several-mappings]: 2 mappings in 'Mappings' lead from model 'Music 3' to model \
        'Music 3': 'a.xml' and 'b.xml'
          keep one of them; or, if they are passes that fill one store, write pass="1", pass="2" … on the <mapping-model> \
        of 'a.xml' and 'b.xml'
        """)
    let none = ManagedObjectModel(name: "Other")
    #expect(
      try found(files, from: none, to: none) == """
        error[mapping.no-mapping]: no mapping in 'Mappings' leads from model 'Other' to model 'Other':
          - 'a.xml': the source model has no entity 'Track'; the destination model has no entity 'Track'
          - 'b.xml': the source model has no entity 'Track'; the destination model has no entity 'Track'
          write one, or use 'heavylift rebase' to update one that was written for earlier versions of these models
        """)
  }

  @Test func `passes come in the order that they state`() throws {
    let names = #"source="Music 1" destination="Music 2""#
    let files = (1...10).map { ("\(11 - $0).xml", text(names + " pass=\"\($0)\"")) }
    #expect(
      try found(Dictionary(uniqueKeysWithValues: files), all: true) == "10, 9, 8, 7, 6, 5, 4, 3, 2, 1")
  }

  @Test func `an unreadable file is reported`() throws {
    let files = ["1-2.xml": text(#"source="Music 1" destination="Music 2""#), "bad.xml": "<mapping-model>"]
    #expect(try found(files) == "1-2")
    let temporary = try folder(files)
    let folder = try MappingFolder(contentsOf: temporary.url, file: "Mappings")
    #expect(folder.diagnostics.map { "\($0.location?.file ?? "") \($0.severity)" } == ["Mappings/bad.xml error"])
    #expect(try found(["bad.xml": "<mapping-model>"]).contains("- 'bad.xml': it cannot be read"))
  }

  @Test func `a mapping with mistakes is not passed over for another`() throws {
    let names = #"source="Music 1" destination="Music 2""#
    let broken = text(names, #"<entity-mapping source="Track" destination="Track" where="title !="/>"#)
    #expect(try found(["a.xml": broken, "b.xml": text(names)], all: true).hasPrefix("Mappings/a.xml:2:"))
  }

  @Test func `an empty folder and a missing one are reported`() throws {
    #expect(
      try found([:]) == """
        error[mapping.no-mapping]: no mapping in 'Mappings' leads from model 'Music 1' to model 'Music 2': no mapping \
        files were found
          write one, or infer one
        """)
    #expect(
      throws: DiagnosticList([
        Diagnostic(
          .error, code: "file.missing", problem: "there is no folder 'nowhere'",
          remedy: "pass a folder that contains mapping files")
      ])
    ) { try MappingFolder(contentsOf: URL(filePath: "/nowhere/at/all"), file: "nowhere") }
  }
}
