import Foundation
import HeavyliftArchive
import HeavyliftMapping
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// Mapping models of released programs.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.comment)"))
struct CorpusXcodeMappingTests {
  static let names = Corpus.files(endingWith: "xcmapping.xml").map { Corpus.name(of: $0) }
  private static let pair = Corpus.root.appending(path: "CoreDataPlus/Tests/Resources/SampleModel")

  private func read(_ name: String) throws -> XcodeMappingReading {
    try XcodeMappingReader.read(contentsOf: Corpus.root.appending(path: name), file: name)
  }

  @Test func `the corpus has mapping models`() {
    #expect(Self.names.count == 10)
  }

  @Test(arguments: names) func `a real mapping model is understood completely`(name: String) throws {
    let told = Set(try read(name).diagnostics.map(\.code))
    #expect(told.isSubset(of: ["mapping-file.left-overs"]))
  }

  /// Every version hash of the models next to a mapping model.
  private func hashes(beside name: String) throws -> Set<VersionHash> {
    let folder = name.prefix { $0 != "/" }
    return try Set(
      Corpus.files(endingWith: ".xcdatamodel/contents").filter { Corpus.name(of: $0).hasPrefix("\(folder)/") }
        .flatMap { try ModelReader.read(contentsOf: $0).model.versionHashes.values })
  }

  @Test(arguments: names) func `the models inside a mapping model have the hashes of those beside it`(name: String)
    throws
  {
    let reading = try read(name)
    let known = try hashes(beside: name)
    for model in [try #require(reading.sourceModel), try #require(reading.destinationModel)] {
      #expect(!model.entities.isEmpty)
      for (entity, hash) in model.versionHashes { #expect(known.contains(hash), "\(entity)") }
    }
  }

  @Test(arguments: names) func `a real mapping model maps what its own models have`(name: String) throws {
    let reading = try read(name)
    let complete = reading.mappingModel.complete(
      from: try #require(reading.sourceModel), to: try #require(reading.destinationModel))
    for mapping in complete.entityMappings {
      for property in mapping.description.propertyMappings {
        #expect(mapping.propertyMapping(named: property.name) != nil, "\(mapping.name).\(property.name)")
      }
    }
  }

  @Test(arguments: names) func `converted, written and read again it says the same`(name: String) throws {
    let reading = try read(name)
    let (source, destination) = (try #require(reading.sourceModel), try #require(reading.destinationModel))
    let converted = try reading.validMappingModel().converted(for: source, destination: destination)
    let again = try MappingReader.read(text: try MappingWriter.text(of: converted)).validMappingModel()
    #expect(again == converted)
    let explicit = reading.mappingModel.writingOutRemovals(from: source, to: destination)
    #expect(
      MappingMeaning(again.complete(from: source, to: destination))
        == MappingMeaning(explicit.complete(from: source, to: destination)))
  }

  @Test(arguments: names) func `converted it is checked with the same outcome`(name: String) throws {
    let reading = try read(name)
    let (source, destination) = (try #require(reading.sourceModel), try #require(reading.destinationModel))
    let converted = reading.mappingModel.converted(for: source, destination: destination)
    func outcome(_ diagnostics: [Diagnostic], without codes: Set<String> = []) -> [String] {
      diagnostics.filter { !codes.contains($0.code) }.map { "\($0.severity) \($0.code)" }.sorted()
    }
    let before = reading.mappingModel.complete(from: source, to: destination).check()
    let complete = converted.complete(from: source, to: destination)
    let after = complete.check()
    #expect(!before.hasErrors)
    // If no mapping takes an entity's objects, only that is reported. If their removal is explicit, the report is
    // about entities that end up without objects.
    #expect(!after.contains { $0.code == "mapping.dropped-entity" })
    let filled = Set(complete.entityMappings.compactMap(\.destinationEntityName))
    let unfilled = destination.entities.filter { !$0.isAbstract && !filled.contains($0.name) }
    #expect(after.filter { $0.code == "mapping.unfilled-entity" }.count == unfilled.count)
    let told: Set = ["mapping.dropped-entity", "mapping.unfilled-entity"]
    #expect(outcome(before, without: told) == outcome(after, without: told))
  }

  @Test func `a mapping model compiles to what its compiled file says`() throws {
    let source = try ModelReader.read(
      contentsOf: Self.pair.appending(path: "SampleModel.xcdatamodeld/SampleModel2.xcdatamodel")
    ).validModel()
    let destination = try ModelReader.read(
      contentsOf: Self.pair.appending(path: "SampleModel.xcdatamodeld/SampleModel3.xcdatamodel")
    ).validModel()
    let reading = try XcodeMappingReader.read(
      contentsOf: Self.pair.appending(path: "MappingModels/V2toV3.xcmappingmodel"))
    let compiled = try CompiledMapping(contentsOf: Self.pair.appending(path: "Fixtures/V2toV3.cdm"))
    #expect(compiled.diagnostics == [])
    #expect(compiled.changes(source: source, destination: destination).filter { $0.severity != .note } == [])
    #expect(reading.changes(source: source, destination: destination).filter { $0.severity != .note } == [])
    let mapping = try compiled.validMappingModel()
    let complete = reading.mappingModel.complete(from: source, to: destination)
    #expect(complete.entityMappings.map(\.name) == mapping.entityMappings.map(\.name))
    for (own, stated) in zip(complete.entityMappings, mapping.entityMappings) {
      #expect(own.type == stated.givenType, "\(own.name)")
      #expect(own.sourceEntityName == stated.sourceEntityName)
      #expect(own.destinationEntityName == stated.destinationEntityName)
      #expect(own.policyClassName == stated.policyClassName)
      #expect(own.userInfo == stated.userInfo)
      #expect(own.filter == stated.filter)
      #expect(own.sourceEntityVersionHash == own.sourceEntityName.flatMap { compiled.sourceEntityVersionHashes[$0] })
      #expect(
        own.destinationEntityVersionHash
          == own.destinationEntityName.flatMap { compiled.destinationEntityVersionHashes[$0] })
      #expect(own.description.propertyMappings.map(\.name) == stated.propertyMappings.map(\.name), "\(own.name)")
      for property in stated.propertyMappings {
        let value = own.propertyMapping(named: property.name)
        #expect(value?.kind == property.kind)
        #expect(
          value?.valueExpression.map { .expression($0) } ?? .unmapped == property.source, "\(own.name).\(property.name)"
        )
      }
    }
    #expect(MappingMeaning(complete) == MappingMeaning(mapping.complete(from: source, to: destination)))
  }

  @Test func `the compiled file converts to the same as its source`() throws {
    let reading = try XcodeMappingReader.read(
      contentsOf: Self.pair.appending(path: "MappingModels/V2toV3.xcmappingmodel"))
    let (source, destination) = (try #require(reading.sourceModel), try #require(reading.destinationModel))
    var compiled = try CompiledMapping(contentsOf: Self.pair.appending(path: "Fixtures/V2toV3.cdm")).mappingModel
    compiled.source = reading.mappingModel.source
    compiled.destination = reading.mappingModel.destination
    #expect(
      compiled.converted(for: source, destination: destination)
        == reading.mappingModel.converted(for: source, destination: destination))
  }

  @Test func `a converted mapping model is as short as it can be`() throws {
    let reading = try read("CoreDataPlus/Tests/Resources/SampleModel/MappingModels/V2toV3.xcmappingmodel/xcmapping.xml")
    let (source, destination) = (try #require(reading.sourceModel), try #require(reading.destinationModel))
    let text = try MappingWriter.text(of: reading.mappingModel.converted(for: source, destination: destination))
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <mapping-model source="SampleModel2" destination="SampleModel3">
          <entity-mapping source="Car" destination="Car" policy="REPLACE_AT_RUNTIME.V2to3MakerPolicy">
            <relationship name="previousOwners" from="$source.owner"/>
          </entity-mapping>
          <entity-mapping source="LuxuryCar" destination="LuxuryCar" policy="REPLACE_AT_RUNTIME.V2to3MakerPolicy">
            <relationship name="previousOwners" from="$source.owner"/>
          </entity-mapping>
          <entity-mapping source="Person" destination="Person">
            <relationship name="previousCars" from="$source.cars"/>
          </entity-mapping>
          <entity-mapping source="SportCar" destination="SportCar" policy="REPLACE_AT_RUNTIME.V2to3MakerPolicy">
            <relationship name="previousOwners" from="$source.owner"/>
          </entity-mapping>
          <entity-mapping destination="Maker"/>
        </mapping-model>

        """)
  }

  @Test func `changes since then are reported down to the property`() throws {
    let reading = try read("BookMigration/Model1_to_Model2.xcmappingmodel/xcmapping.xml")
    var (source, destination) = (try #require(reading.sourceModel), try #require(reading.destinationModel))
    #expect(reading.changes(source: source, destination: destination) == [])
    let book = try #require(source.entities.firstIndex { $0.name == "Book" })
    source.entities[book].attributes.removeAll { $0.name == "title" }
    source.entities[book].attributes.append(AttributeDescription(name: "titel", type: .string))
    destination.entities.removeAll { $0.name == "Author" }
    let file = "BookMigration/Model1_to_Model2.xcmappingmodel/xcmapping.xml"
    #expect(
      reading.changes(source: source, destination: destination).map(\.description) == [
        """
        \(file):90:52: warning[mapping-file.model-changed]: source entity 'Book' has changed since the mapping was \
        edited: attribute 'titel': added
        """,
        """
        \(file):90:52: warning[mapping-file.model-changed]: source entity 'Book' has changed since the mapping was \
        edited: attribute 'title': removed
          did you mean 'titel'?
        """,
        """
        \(file):111:57: warning[mapping-file.model-changed]: destination entity 'Author' is no longer in the model
          available: 'Book', 'User'
        """,
      ])
  }
}
