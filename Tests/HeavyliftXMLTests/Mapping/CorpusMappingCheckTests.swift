import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// Mapping models of released programs are right: a check that says otherwise is wrong.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.comment)"))
struct CorpusMappingCheckTests {
  static let names = Corpus.files(endingWith: "xcmapping.xml").map { Corpus.name(of: $0) }

  @Test(arguments: names) func `a real mapping model has no errors`(name: String) throws {
    let reading = try XcodeMappingReader.read(contentsOf: Corpus.root.appending(path: name), file: name)
    let (source, destination) = (try #require(reading.sourceModel), try #require(reading.destinationModel))
    let complete = reading.mappingModel.complete(from: source, to: destination)
    #expect(complete.check().filter { $0.severity == .error } == [])
    #expect(!complete.explanation().description.isEmpty)
  }

  /// All warnings of the check about these models.
  @Test func `the warnings about real mapping models are known`() throws {
    let codes = try Self.names.flatMap { name -> [String] in
      let reading = try XcodeMappingReader.read(contentsOf: Corpus.root.appending(path: name), file: name)
      let (source, destination) = (try #require(reading.sourceModel), try #require(reading.destinationModel))
      let complete = reading.mappingModel.complete(from: source, to: destination)
      return complete.check().map { "\(URL(filePath: name).deletingLastPathComponent().lastPathComponent) \($0.code)" }
    }
    // Book 2→3 has two passes: each takes the entities that the other one skips.
    #expect(
      codes == [
        "Model2_to_Model3.xcmappingmodel mapping.dropped-entity",
        "Model2_to_Model3_User.xcmappingmodel mapping.dropped-entity",
        "Model2_to_Model3_User.xcmappingmodel mapping.dropped-entity",
        "Model2_to_Model3_User.xcmappingmodel mapping.unfilled-entity",
        "Advanced.EvolutionDemo.V1.FromV2.xcmappingmodel mapping.unread-property",
      ])
  }
}
