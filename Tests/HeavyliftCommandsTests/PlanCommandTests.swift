import Testing

/// `heavylift plan`, as a person meets it.
struct PlanCommandTests {
  @Test func `a plan shows every hop and step, and touches nothing`() throws {
    let music = try MusicFixture()
    let before = try music.listing()
    #expect(
      music.run("plan", "Music.sqlite", "--mappings", "Music")
        == .init(
          code: .success,
          output: """
            Music.sqlite goes from 'Music 1' to 'Music 3', known by its version hashes

            hop 1 of 2: 'Music 1' → 'Music 2', by '1-2.xml'
              entity mapping  from   to      rows  objects     relationships  keys
              AlbumToAlbum    Album  Album      1  SQL         SQL            kept
              TrackToTrack    Track  Track      3  one by one  one by one     kept
              Artist          -      Artist     -  -           -              -
              TrackToTrack, objects: policy 'ArtistsFromJSON' works with objects
              TrackToTrack, relationships: policy 'ArtistsFromJSON' works with objects

            hop 2 of 2: 'Music 2' → 'Music 3', by '2-3.xml'
              entity mapping  from    to         rows  objects             relationships  keys
              AlbumToAlbum    Album   Album   about 1  SQL                 SQL            kept
              ArtistToArtist  Artist  Artist        -  SQL with functions  SQL            kept
              TrackToTrack    Track   Track   about 3  SQL                 SQL            kept

            checked after each hop: mandatory values, ranges, lengths and patterns, links
            that lead nowhere, minimum and maximum counts, uniqueness

            the store has SIZE; about SIZE are needed for a time, SIZE free

            nothing stands in the way

            """, errors: ""))
    #expect(try music.listing() == before)
  }

  @Test func `scripts get the plan as JSON, with what stands in the way`() throws {
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
          "from": "Music 1",
          "to": "Music 3",
          "evidence": "version hashes",
          "isCurrent": false,
          "hops": [
            {
              "title": "'Music 1' → 'Music 2'",
              "mappings": [
                "1-2.xml"
              ],
              "inferred": false,
              "isEstimate": false,
              "steps": [
                {
                  "name": "AlbumToAlbum",
                  "source": "Album",
                  "destination": "Album",
                  "policy": null,
                  "rows": 1,
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
              "problem": "'FOLDER/Before.sqlite' is there already",
              "remedy": "choose another path, or remove it first; nothing was changed",
              "location": null
            }
          ]
        }

        """), "\(run.output)")
  }
}
