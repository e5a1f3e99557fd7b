import Foundation
import Heavylift
import Testing

/// `heavylift plan`, as a user runs it.
struct PlanCommandTests {
  @Test func `a plan shows every hop and step, and changes nothing`() throws {
    let music = try MusicFixture()
    let before = try music.listing()
    #expect(
      music.run("plan", "Music.sqlite", "--mappings", "Music")
        == .init(
          code: .success,
          output: """
            Music.sqlite migrates from 'Music 1' to 'Music 3'; the store was identified by its version hashes

            hop 1 of 2: 'Music 1' → 'Music 2', by '1-2.xml'
              not one hop with the next: entity mapping 'TrackToTrack' has policy 'ArtistsFromJSON', and what it does is not in the file
              entity mapping  from   to      rows  objects     relationships  keys
              AlbumToAlbum    Album  Album      1  SQL         SQL            kept
              TrackToTrack    Track  Track      3  one by one  one by one     kept by 'super'
              Artist          -      Artist     -  -           -              -
              TrackToTrack, objects: policy 'ArtistsFromJSON' works with objects
              TrackToTrack, relationships: policy 'ArtistsFromJSON' works with objects

            hop 2 of 2: 'Music 2' → 'Music 3', by '2-3.xml'
              entity mapping  from    to         rows  objects             relationships  keys
              AlbumToAlbum    Album   Album   about 1  SQL                 SQL            kept
              ArtistToArtist  Artist  Artist        -  SQL with functions  SQL            kept
              TrackToTrack    Track   Track   about 3  SQL                 SQL            kept
              about 3 values of 'json' of entity 'Track' are not migrated: the destination does not have it

            checked after each hop (in advance, with 'migrate --dry-run'): mandatory values,
            ranges, lengths and patterns, dangling links, minimum and maximum counts,
            uniqueness

            the store is SIZE; about SIZE is needed temporarily, SIZE free

            nothing else would stop the migration

            """, errors: ""))
    #expect(try music.listing() == before)
  }

  @Test func `a later hop says which keys will shift, though its store does not exist yet`() throws {
    let library = try ToolFixture()
    var born = ToolFixture.firstModel
    born.entities[0].attributes.insert(AttributeDescription(name: "born", type: .integer16), at: 0)
    var newest = born
    newest.entities[0].attributes.insert(AttributeDescription(name: "died", type: .integer16), at: 1)
    try FileManager.default.removeItem(at: library.folder.appending("Library.xcdatamodeld"))
    try ModelBundle(
      versions: [
        .init(name: "Library", model: ToolFixture.firstModel), .init(name: "Library 2", model: born),
        .init(name: "Library 3", model: newest),
      ], currentVersionName: "Library 3"
    ).write(to: library.folder.appending("Library.xcdatamodeld"))
    try library.write(
      """
      <mapping-model source="Library 2" destination="Library 3">
        <entity-mapping source="Author" destination="Author"/>
        <entity-mapping source="Book" destination="Book"/>
        <entity-mapping source="Novel" destination="Novel"/>
        <entity-mapping name="Biographies" source="Author" destination="Book" where="name != nil">
          <attribute name="title" value="TERNARY($source.name != nil, $source.name, '')"/>
          <relationship name="author" copy="no"/>
        </entity-mapping>
      </mapping-model>
      """, to: "2-3.xml")
    let run = library.run("plan", "Library.sqlite", "--infer")
    let table = run.output.split(separator: "\n").drop { !$0.hasPrefix("hop 2") }.prefix(6).joined(separator: "\n")
    #expect(
      table == """
        hop 2 of 2: 'Library 2' → 'Library 3', by '2-3.xml'
          entity mapping  from    to         rows  objects  relationships  keys
          AuthorToAuthor  Author  Author  about 1  SQL      SQL            kept
          BookToBook      Book    Book    about 2  SQL      SQL            kept
          NovelToNovel    Novel   Novel   about 1  SQL      SQL            kept
          Biographies     Author  Book    about 1  SQL      -              shifted
        """, "\(run)")
    #expect(library.run("plan", "Library.sqlite", "--infer", "--json").output.contains("\"keysAreKept\": false"))
  }

  @Test func `scripts get the plan as JSON, with its obstacles`() throws {
    let music = try MusicFixture()
    try music.write("mine", to: "Before.sqlite")
    let run = music.run("plan", "Music.sqlite", "--mappings", "Music", "--backup", "Before.sqlite", "--json")
    #expect(run.code == .negative && run.errors == "")
    #expect(
      run.output.hasPrefix(
        """
        {
          "store": "Music.sqlite",
          "destination": null,
          "model": null,
          "from": "Music 1",
          "sameVersions": [],
          "to": "Music 3",
          "evidence": "version hashes",
          "configuration": null,
          "isCurrent": false,
          "hops": [
            {
              "title": "'Music 1' → 'Music 2'",
              "mappings": [
                "1-2.xml"
              ],
              "inferred": false,
              "stage": null,
              "handlers": [],
              "overriddenStage": null,
              "changes": [],
              "jumpsOver": null,
              "versionsBetween": [],
              "reasonNotComposed": "entity mapping 'TrackToTrack' has policy 'ArtistsFromJSON', and what it does is not in the file",
              "isEstimate": false,
              "startsFromCopy": false,
              "steps": [
                {
                  "name": "AlbumToAlbum",
                  "source": "Album",
                  "destination": "Album",
                  "policy": null,
                  "rows": 1,
                  "sourceObjects": 1,
                  "objects": "sql",
        """), "\(run.output)")
    #expect(
      run.output.hasSuffix(
        """
          "storeBytes": SIZE,
          "neededBytes": SIZE,
          "availableBytes": SIZE,
          "warnings": [],
          "obstacles": [
            {
              "severity": "error",
              "code": "migration.destination-exists",
              "problem": "'FOLDER/Before.sqlite' already exists",
              "remedy": "choose another path, or remove it first; nothing was changed",
              "location": null
            }
          ]
        }

        """), "\(run.output)")
  }
}
