import HeavyliftExpression
import HeavyliftMapping
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// A written mapping is read back equal, and writing it again yields the same text.
struct MappingRoundTripTests {
  @Test(arguments: Seeds.some(of: 1..<41)) func `a mapping model that was written is read back equal`(seed: UInt64)
    throws
  {
    var source = MappingSource(seed: seed)
    for round in 0..<10 {
      let mapping = source.mapping()
      let text = try MappingWriter.text(of: mapping)
      let reading = try MappingReader.read(text: text)
      try #require(reading.diagnostics.isEmpty, "seed \(seed), round \(round):\n\(text)\n\(reading.diagnostics)")
      try #require(reading.mappingModel == mapping, "seed \(seed), round \(round):\n\(text)")
      let again = try MappingWriter.text(of: reading.mappingModel)
      try #require(again == text, "seed \(seed), round \(round):\n\(text)\n\(again)")
      let refusals = try MappingGrammar.validate(XMLDocument(parsing: text))
      try #require(refusals.isEmpty, "seed \(seed), round \(round):\n\(text)\n\(refusals)")
    }
  }

  @Test func `the canonical text is what the format says`() throws {
    let messy = """
      <?xml version='1.0' encoding='UTF-8' standalone='yes'?>

      <!-- From Music 1 to Music 2. -->
      <?xml-model href="../mapping-model.rng" type="application/xml"?>

      <mapping-model destination = 'Music 2' source='Music 1' copy="everything">


      <!-- Tracks
           stay tracks. -->
      <entity-mapping policy="TrackPolicy" destination="Track" name="Tracks" source="Track" where='title!=nil&amp;&amp;seconds&gt;0'> <!-- not empty ones -->
      <attribute value="$source.seconds*1000" name="duration" /> <!-- milliseconds -->
        <user-info value="2" key="version"/>

        <relationship name="artists" value='FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "ArtistToArtist", $source.artists)'/>
        <attribute copy="no" name="rating"></attribute>
        <!-- the end -->
      </entity-mapping>

      <!-- one -->

      <!-- two -->
      <source-entity properties="  seconds:0b11aa90
        added:3fa9c2d1" name="Track"/>
      <entity-mapping type="remove" source="Cache"><!-- gone --></entity-mapping> <!-- for good -->
      </mapping-model> <!-- of version 1 -->

      <!-- after -->
      """
    let canonical = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- From Music 1 to Music 2. -->
      <?xml-model href="../mapping-model.rng" type="application/xml"?>

      <mapping-model source="Music 1" destination="Music 2">
        <!-- Tracks
           stay tracks. -->
        <entity-mapping name="Tracks"
            source="Track"
            destination="Track"
            where="title != nil AND seconds > 0"
            policy="TrackPolicy">
          <user-info key="version" value="2"/>
          <!-- not empty ones -->
          <attribute name="duration" value="$source.seconds * 1000"/> <!-- milliseconds -->

          <relationship name="artists"
              value='FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "ArtistToArtist", $source.artists)'/>
          <attribute name="rating" copy="no"/>
          <!-- the end -->
        </entity-mapping>
        <entity-mapping type="remove" source="Cache">
          <!-- gone -->
        </entity-mapping> <!-- for good -->

        <!-- one -->

        <!-- two -->
        <source-entity name="Track" properties="added:3fa9c2d1 seconds:0b11aa90"/>
      </mapping-model> <!-- of version 1 -->
      <!-- after -->

      """
    let reading = try MappingReader.read(text: messy)
    #expect(reading.diagnostics.isEmpty)
    #expect(try MappingWriter.text(of: reading.mappingModel) == canonical)
    let again = try MappingReader.read(text: canonical)
    #expect(again.mappingModel == reading.mappingModel)
    #expect(try MappingWriter.text(of: again.mappingModel) == canonical)
  }

  @Test func `a declaration in any spelling stays one declaration`() throws {
    let mapping = try MappingReader.read(text: "<?xml\n version='1.0'?><mapping-model/>").validMappingModel()
    #expect(try MappingWriter.text(of: mapping) == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<mapping-model/>\n")
  }
}
