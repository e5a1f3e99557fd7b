import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// A dry run with renamed entities and properties.
struct MigrationRenameTests {
  private let library: ToolFixture

  init() throws {
    library = try ToolFixture()
    let (second, third) = (Self.model(title: "label"), Self.model(title: "caption"))
    try FileManager.default.removeItem(at: library.folder.appending("Library.xcdatamodeld"))
    try ModelBundle(
      versions: [
        .init(name: "Library", model: ToolFixture.firstModel), .init(name: "Library 2", model: second),
        .init(name: "Library 3", model: third),
      ], currentVersionName: "Library 3"
    ).write(to: library.folder.appending("Library.xcdatamodeld"))
    func volume(_ source: String, _ destination: String, _ rest: String) -> String {
      "<entity-mapping source=\"\(source)\" destination=\"\(destination)\">\(rest)</entity-mapping>"
    }
    let names = #"<attribute name="label" from="title"/><relationship name="writer" from="$source.author"/>"#
      .replacing("from=\"title\"", with: "value=\"$source.title\"")
    try library.write(
      "<mapping-model source=\"Library\" destination=\"Library 2\">" + volume("Author", "Writer", "")
        + volume("Book", "Volume", names) + volume("Novel", "Novel", names) + "</mapping-model>", to: "1-2.xml")
    let caption = #"<attribute name="caption" value="$source.label"/>"#
    try library.write(
      "<mapping-model source=\"Library 2\" destination=\"Library 3\">" + volume("Writer", "Writer", "")
        + volume("Volume", "Volume", caption)
        + volume("Novel", "Novel", #"<attribute name="caption" value="uppercase:($source.label)"/>"#)
        + "</mapping-model>", to: "2-3.xml")
  }

  /// The fixture's model with other names.
  private static func model(title: String) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Writer", attributes: [AttributeDescription(name: "name", type: .string)],
        relationships: [
          RelationshipDescription(
            name: "books", destinationEntityName: "Volume", inverseName: "writer", inverseEntityName: "Volume")
        ]),
      EntityDescription(
        name: "Volume",
        attributes: [
          AttributeDescription(name: "pages", type: .integer16, defaultValue: .integer(0)),
          AttributeDescription(name: title, type: .string, isOptional: false),
        ],
        relationships: [
          RelationshipDescription(
            name: "writer", destinationEntityName: "Writer", inverseName: "books", inverseEntityName: "Writer",
            maxCount: 1)
        ]),
      EntityDescription(
        name: "Novel", superentityName: "Volume", attributes: [AttributeDescription(name: "genre", type: .string)]),
    ])
  }

  @Test func `renamed parts are compared with their old counterparts`() throws {
    let run = library.run("migrate", "Library.sqlite", "--dry-run", "--samples", "1", "--quiet")
    #expect(run.code == .success && run.errors == "", "\(run)")
    let changes = run.output.components(separatedBy: "what would change\n").last?.components(separatedBy: "\n\n").first
    // A novel's caption is computed, so it is not compared with the title; a writer was an author.
    #expect(
      changes == """
          entity               copied  changed  created  dropped  defaulted
          Novel                     1        0        0        0
          Volume (was Book)         2        0        0        0
          Writer (was Author)       1        0        0        0
          Novel: title → caption
          Novel/p2
            title: "Amerika" → none
            caption: none → "AMERIKA"
        """, "\(run)")
  }

  @Test func `scripts get both names`() throws {
    let run = library.run("migrate", "Library.sqlite", "--dry-run", "--json")
    #expect(
      run.output.contains(
        """
            {
              "entity": "Volume",
              "formerEntity": "Book",
              "copied": 2,
        """), "\(run)")
  }

  @Test func `explain lists the policies and functions that a tool does not have`() throws {
    let music = try MusicFixture()
    #expect(music.run("explain", "Music/1-2.xml").errors == "")
    let text = try String(contentsOf: music.folder.appending("Music/1-2.xml"), encoding: .utf8)
    try music.write(text.replacing("ArtistsFromJSON", with: "ArtistsFromJson"), to: "Music/1-2.xml")
    let run = music.run("explain", "Music/1-2.xml")
    #expect(run.code == .success && run.output.contains("\n  policy ArtistsFromJson\n"))
    #expect(
      run.errors == """
        Music/1-2.xml:5:62: error[mapping.unknown-policy]: entity mapping 'TrackToTrack' names policy 'ArtistsFromJson', \
        which is not registered
          did you mean 'ArtistsFromJSON'?

        """)
    // A tool without code cannot know which code a program registers.
    #expect(music.run(["explain", "Music/1-2.xml"], code: MigrationCode()).errors == "")
  }
}
