import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// Questions about renames in the histories of real models: a question about most of their drops would be noise.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))) struct CorpusRenameTests {
  /// The models of all neighboring versions, with the name of the bundle.
  private static func pairs() throws -> [(bundle: String, old: ManagedObjectModel, new: ManagedObjectModel)] {
    try Corpus.files(endingWith: ".xcdatamodeld").flatMap { url in
      let versions = try ModelBundle(contentsOf: url).versions.sorted {
        $0.name.compare($1.name, options: .numeric) == .orderedAscending
      }
      return zip(versions, versions.dropFirst()).map { (Corpus.name(of: url), $0.model, $1.model) }
    }
  }

  @Test func `most removed properties of real models cause no question`() throws {
    var (dropped, asked) = (0, [String]())
    for (_, old, new) in try Self.pairs() {
      let complete = MappingModel.inferring(from: old, to: new).mapping.complete(from: old, to: new)
      dropped += [complete].losses.count { $0.property != nil }
      asked += complete.check().filter { $0.code == "mapping.possible-renaming" }.map { question in
        let names = question.problem.split(separator: "'", omittingEmptySubsequences: false)
        return "\(names[3]).\(names[1]) → \(names[5])"
      }
    }
    #expect(dropped == 34)
    #expect(
      asked == [
        "BookmarkEntity.isFavorite → isPendingDeletion", "Creature.numberOfFlagella → numberOfFlippers",
        "CDChainApi.type → apiType", "CDChain.crowdloanApi → externalApis", "CDChainApi.crowdloanChain → chain",
        "CDChain.governanceApi → externalApis", "CDChainApi.governanceChain → chain",
        "CDChain.stakingApi → externalApis", "CDChainApi.stakingChain → chain",
        // The only one whose type has changed: it was renamed.
        "CDNft.totalIssuance → issuanceTotal", "CDAsset.icon → iconPath",
        "EntityToMigrate.oldProperty → renamedProperty",
      ])
  }
}
