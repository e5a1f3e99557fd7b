import Foundation
import Heavylift
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

/// Pairs of models and mappings of every kind.
struct MigrationPairTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func model(_ name: String, attribute: String) -> ManagedObjectModel {
    ManagedObjectModel(
      name: name,
      entities: [
        EntityDescription(
          name: "Book", managedObjectClassName: "Book", attributes: [.init(name: attribute, type: .string)])
      ])
  }

  private let old = Self.model("Library", attribute: "title")
  private let new = Self.model("Library 2", attribute: "name")

  /// Writes a mapping model in Xcode's format, which may use outdated names for its models.
  private func writeXcodeMapping(source: String = "Library", destination: String = "Library 2") throws -> URL {
    let url = folder.appending("V1toV2.xcmappingmodel")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try Data(
      """
      <?xml version="1.0" standalone="yes"?>
      <database>
      <object type="XDDEVMAPPINGMODEL" id="z1">
        <attribute name="sourcemodelpath" type="string">Library.xcdatamodeld/\(source).xcdatamodel</attribute>
        <attribute name="destinationmodelpath" type="string">Library.xcdatamodeld/\(destination).xcdatamodel</attribute>
        <relationship name="entitymappings" type="0/0" idrefs="z2"></relationship>
      </object>
      <object type="XDDEVENTITYMAPPING" id="z2">
        <attribute name="mappingnumber" type="int16">1</attribute>
        <attribute name="sourcename" type="string">Book</attribute>
        <attribute name="destinationname" type="string">Book</attribute>
      </object>
      </database>
      """.utf8
    ).write(to: url.appending(path: "xcmapping.xml"))
    return url
  }

  private func compile(_ model: ManagedObjectModel) throws -> URL {
    let url = folder.appending("\(model.name ?? "").mom")
    try CompiledModelWriter.archive(of: model).write(to: url)
    return url
  }

  @Test func `compiled models and an Xcode mapping model make a pair, which migrates`() throws {
    let pair = try MigrationPair(
      models: compile(old), destinationModels: compile(new), mappings: [writeXcodeMapping()])
    #expect(pair.sourceModel.versionHashes == old.versionHashes)
    #expect(pair.destinationModel.versionHashes == new.versionHashes)
    let migration = try pair.migrate(VariedGraph(pair.sourceModel).graph)
    #expect(migration.report.objects == ["Book": 4])
    #expect(migration.failures().map(\.problem) == [])
  }

  @Test func `versions of a bundle are selected by name`() throws {
    let bundle = folder.appending("Library.xcdatamodeld")
    try ModelBundle(
      versions: [.init(name: "Library", model: old), .init(name: "Library 2", model: new)],
      currentVersionName: "Library 2"
    ).write(to: bundle)
    let mapping = try writeXcodeMapping()
    let pair = try MigrationPair(models: bundle, from: "Library", to: "Library 2", mappings: [mapping])
    #expect(pair.sourceModel.versionHashes == old.versionHashes)
    let unnamed = #expect(throws: Diagnostic.self) {
      try MigrationPair(models: bundle, from: "Library", mappings: [mapping])
    }
    #expect(unnamed?.problem == "'\(bundle.relativePath)' has 2 versions, and none was specified")
    #expect(unnamed?.remedy == "available: 'Library', 'Library 2'")
    let unknown = #expect(throws: Diagnostic.self) {
      try MigrationPair(models: bundle, from: "Libary", to: "Library 2", mappings: [mapping])
    }
    #expect(unknown?.problem == "'\(bundle.relativePath)' has no version 'Libary'")
    #expect(unknown?.remedy == "did you mean 'Library'?")
  }

  @Test func `an Xcode mapping model for other models is refused, with the reason`() throws {
    let mapping = try writeXcodeMapping()
    let other = ManagedObjectModel(
      name: "Shop", entities: [EntityDescription(name: "Till", managedObjectClassName: "Till")])
    let error = try #require(throws: DiagnosticList.self) {
      try MigrationPair(models: compile(old), destinationModels: compile(other), mappings: [mapping])
    }
    #expect(
      error.diagnostics.map(\.problem) == [
        """
        no mapping in '\(mapping.relativePath)' leads from model 'Library' to model 'Shop':
          - 'V1toV2.xcmappingmodel': the destination model has no entity 'Book'
        """
      ])
  }

  @Test func `a model with mistakes is refused`() throws {
    let url = folder.appending("Broken.xcdatamodel")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try Data(#"<model><entity name="Book"><attribute name="title" attributeType="Text"/></entity></model>"#.utf8)
      .write(to: url.appending(path: "contents"))
    let error = try #require(throws: DiagnosticList.self) {
      try MigrationPair(models: url, mappings: [])
    }
    #expect(error.diagnostics.map(\.code) == ["model-file.unknown-type"])
  }

  @Test(.enabled(if: Corpus.isPresent, "\(Corpus.comment)"))
  func `a compiled mapping equals its source`() throws {
    let sample = Corpus.root.appending(path: "CoreDataPlus/Tests/Resources/SampleModel")
    let compiled = sample.appending(path: "Fixtures/V2toV3.cdm")
    let bundle = sample.appending(path: "Fixtures/SampleModel.momd")
    let written = try MigrationPair(
      models: sample.appending(path: "SampleModel.xcdatamodeld"), from: "SampleModel2", to: "SampleModel3",
      mappings: [sample.appending(path: "MappingModels/V2toV3.xcmappingmodel")])
    let pair = try MigrationPair(models: bundle, from: "SampleModel2", to: "SampleModel3", mappings: [compiled])
    func said(_ pair: MigrationPair) -> [String] {
      pair.mappings.flatMap { $0.complete(from: pair.sourceModel, to: pair.destinationModel).entityMappings }.map {
        "\($0.name): \($0.sourceEntityName ?? "-") → \($0.destinationEntityName ?? "-"), \($0.policyClassName ?? "-")"
      }
    }
    #expect(said(pair) == said(written) && said(pair).count == 5)
    #expect(pair.sourceModel.versionHashes == written.sourceModel.versionHashes)
    #expect(pair.destinationModel.versionHashes == written.destinationModel.versionHashes)
    let error = try #require(throws: DiagnosticList.self) {
      try MigrationPair(models: bundle, from: "SampleModel", to: "SampleModel2", mappings: [compiled])
    }
    #expect(
      error.diagnostics.map(\.problem) == [
        """
        no mapping in '\(compiled.relativePath)' leads from model 'SampleModel' to model 'SampleModel2':
          - 'V2toV3.cdm': entity 'Car' of the source model has another version hash; the source model has no entity \
        'LuxuryCar'; entity 'Person' of the source model has another version hash; entity 'SportCar' of the source model has \
        another version hash; and 12 more
        """
      ])
  }
}
