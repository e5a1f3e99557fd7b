extension MappingGrammar {
  /// The grammar's text, generated from `MappingModels/mapping-model.rng`. Do not edit.
  public static let text = #"""
    <?xml version="1.0" encoding="UTF-8"?>
    <!--
      The grammar of Heavylift's mapping files, in RELAX NG.

      A mapping file says how the stores of one version of a data model become stores of another. This grammar says what may
      go where; `heavylift check` also checks that the entities and properties exist in the two models.

      An editor that supports RELAX NG completes and checks a mapping file that names this grammar before its root
      element:

        <?xml-model href="../mapping-model.rng" type="application/xml" schematypens="http://relaxng.org/ns/structure/1.0"?>

      From a shell: jing mapping-model.rng 1-2.xml, or xmllint with its option "relaxng".
    -->
    <grammar xmlns="http://relaxng.org/ns/structure/1.0"
        datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes">

      <start>
        <ref name="mapping-model"/>
      </start>

      <!--
        The root: the versions of the model to migrate from and to. The parts can be in any order; entity mappings run in
        the order of the file.
      -->
      <define name="mapping-model">
        <element name="mapping-model">
          <!-- The names of the two versions. -->
          <optional><attribute name="source"><ref name="name"/></attribute></optional>
          <optional><attribute name="destination"><ref name="name"/></attribute></optional>
          <!-- Their checksums, if the mapping is for exactly these versions and not for later edits of them. -->
          <optional><attribute name="source-checksum"><ref name="checksum"/></attribute></optional>
          <optional><attribute name="destination-checksum"><ref name="checksum"/></attribute></optional>
          <!-- The position of this file, if several files fill one store in turn. Each of these files needs it. -->
          <optional><attribute name="pass"><ref name="pass"/></attribute></optional>
          <!-- What happens to entities and properties that are not mentioned. -->
          <optional><attribute name="copy"><ref name="copying"/></attribute></optional>
          <zeroOrMore>
            <choice>
              <ref name="entity-mapping"/>
              <ref name="source-entity"/>
              <ref name="destination-entity"/>
            </choice>
          </zeroOrMore>
        </element>
      </define>

      <!-- How the objects of one source entity become objects of one destination entity. -->
      <define name="entity-mapping">
        <element name="entity-mapping">
          <!-- The name that other mappings and policies use. The default is derived from the entities: TrackToSong. -->
          <optional><attribute name="name"><ref name="name"/></attribute></optional>
          <optional><attribute name="type"><ref name="type"/></attribute></optional>
          <!-- Without a source, the mapping adds objects; without a destination, it removes them. -->
          <optional><attribute name="source"><ref name="name"/></attribute></optional>
          <optional><attribute name="destination"><ref name="name"/></attribute></optional>
          <!-- A predicate that selects source objects. The default is all. -->
          <optional><attribute name="where"><ref name="expression"/></attribute></optional>
          <!-- An expression for the source objects, instead of a fetch of the source entity. -->
          <optional><attribute name="source-expression"><ref name="expression"/></attribute></optional>
          <!-- The class of an entity migration policy. -->
          <optional><attribute name="policy"><ref name="name"/></attribute></optional>
          <!-- Overrides the root's 'copy'. -->
          <optional><attribute name="copy"><ref name="copying"/></attribute></optional>
          <!-- On purpose, another entity mapping also creates objects of the destination entity from these source objects. -->
          <optional><attribute name="duplicates"><value type="string">intended</value></attribute></optional>
          <optional><attribute name="losses"><value type="string">intended</value></attribute></optional>
          <zeroOrMore>
            <choice>
              <ref name="user-info"/>
              <ref name="attribute"/>
              <ref name="relationship"/>
              <ref name="drop"/>
            </choice>
          </zeroOrMore>
        </element>
      </define>

      <!-- An attribute of the destination entity. With only a name, it is copied. -->
      <define name="attribute">
        <element name="attribute">
          <attribute name="name"><ref name="name"/></attribute>
          <optional>
            <choice>
              <ref name="value"/>
              <ref name="left-alone"/>
            </choice>
          </optional>
          <zeroOrMore><ref name="user-info"/></zeroOrMore>
        </element>
      </define>

      <!-- A relationship of the destination entity. With only a name, it refers to the counterparts of the old objects. -->
      <define name="relationship">
        <element name="relationship">
          <attribute name="name"><ref name="name"/></attribute>
          <choice>
            <!-- The counterparts of source objects: which ones, and by which entity mapping. Both are optional. -->
            <group>
              <optional><attribute name="from"><ref name="expression"/></attribute></optional>
              <optional><attribute name="mapping"><ref name="name"/></attribute></optional>
            </group>
            <!-- The destination objects themselves. -->
            <ref name="value"/>
            <ref name="left-alone"/>
          </choice>
          <!-- If several objects refer to a target that can have only one owner in the new model, the last one keeps it. -->
          <optional><attribute name="shared"><value type="string">last</value></attribute></optional>
          <zeroOrMore><ref name="user-info"/></zeroOrMore>
        </element>
      </define>

      <!-- A property of the source entity whose values are deleted on purpose. -->
      <define name="drop">
        <element name="drop">
          <attribute name="name"><ref name="name"/></attribute>
        </element>
      </define>

      <define name="value">
        <attribute name="value"><ref name="expression"/></attribute>
      </define>

      <!-- The property keeps its default, or stays empty. -->
      <define name="left-alone">
        <attribute name="copy"><value type="string">no</value></attribute>
      </define>

      <!-- Values for a policy to read. -->
      <define name="user-info">
        <element name="user-info">
          <attribute name="key"/>
          <attribute name="value"/>
        </element>
      </define>

      <!-- The properties of an entity when the mapping was written. Generated by the tool. -->
      <define name="source-entity">
        <element name="source-entity"><ref name="fingerprint"/></element>
      </define>
      <define name="destination-entity">
        <element name="destination-entity"><ref name="fingerprint"/></element>
      </define>
      <define name="fingerprint">
        <attribute name="name"><ref name="name"/></attribute>
        <attribute name="properties">
          <list>
            <zeroOrMore>
              <!-- A space in a name is written %20, a percent sign %25. -->
              <data type="string"><param name="pattern">([^%]|%[01][0-9A-Fa-f]|%2[05])+:[0-9a-f]{8,64}</param></data>
            </zeroOrMore>
          </list>
        </attribute>
      </define>

      <!-- Keywords. -->
      <define name="copying">
        <choice>
          <!-- Copied from the property of the same name or renaming identifier, if the types are compatible. -->
          <value type="string">everything</value>
          <!-- Copied from the property of the same name. -->
          <value type="string">same-name</value>
          <!-- Not copied. -->
          <value type="string">listed</value>
        </choice>
      </define>
      <define name="type">
        <choice>
          <value type="string">add</value>
          <value type="string">remove</value>
          <value type="string">copy</value>
          <value type="string">transform</value>
          <value type="string">custom</value>
          <!-- The type that Xcode writes before it has determined one. -->
          <value type="string">undefined</value>
        </choice>
      </define>

      <!-- At least one character that is not white space. -->
      <define name="name">
        <data type="token"><param name="minLength">1</param></data>
      </define>
      <define name="expression">
        <data type="token"><param name="minLength">1</param></data>
      </define>
      <!-- Passes are numbered from 1. -->
      <define name="pass">
        <data type="string"><param name="pattern">[1-9][0-9]{0,8}</param></data>
      </define>
      <!-- SHA-256 in base64. -->
      <define name="checksum">
        <data type="string"><param name="pattern">[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=</param></data>
      </define>
    </grammar>

    """#
}
