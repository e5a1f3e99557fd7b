/// A mapping file that contains everything the format supports.
enum MappingSample {
  static let text = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- From Music 1 to Music 2: größer, schöner 😀. -->
    <?xml-model href="../mapping-model.rng" type="application/xml" schematypens="http://relaxng.org/ns/structure/1.0"?>
    <mapping-model source="Music 1"
        destination="Music 2"
        source-checksum="47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        destination-checksum="n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg="
        copy="same-name">
      <!-- Tracks stay tracks. -->
      <entity-mapping name="TrackToTrack"
          type="transform"
          source="Track"
          destination="Track"
          where="title != nil AND seconds &lt; 600"
          source-expression="FETCH($request, $manager.sourceContext, FALSE)"
          policy="Music.TrackPolicy"
          copy="everything">
        <user-info key="modelVersion" value="2 &amp; more"/>
        <attribute name="duration" value="$source.seconds * 1000"/>
        <attribute name="title" value='TERNARY($source.title == "", "untitled", $source.title)'/>
        <attribute name="kept"/> <!-- copied -->
        <attribute name="rating" copy="no"/> <!-- left alone -->

        <relationship name="artists" from="$source.artists" mapping="ArtistToArtist">
          <user-info key="" value=""/>
          <!-- the end -->
        </relationship>
        <relationship name="albums" mapping="AlbumToAlbum"/>
        <relationship name="labels" copy="no"/>
        <relationship name="cards" value="$source.cards"/>
      </entity-mapping>

      <entity-mapping type="remove" source="Cache"/>
      <entity-mapping destination="Chapter">
        <!-- nothing yet -->
      </entity-mapping>
      <source-entity name="Track" properties="seconds:0b11aa90 title:3fa9c2d1"/>
      <destination-entity name="Track" properties=""/>
      <!-- that is all -->
    </mapping-model>

    """
}
