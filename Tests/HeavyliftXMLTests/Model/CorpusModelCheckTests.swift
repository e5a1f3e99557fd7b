import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
struct CorpusModelCheckTests {
  @Test func `models that Xcode compiled have no mistakes, and these notes`() throws {
    var told: [String] = []
    for file in Corpus.files(endingWith: "/contents") {
      let reading = try ModelReader.read(contentsOf: file)
      told += (reading.diagnostics + reading.model.check()).map {
        "\(Corpus.name(of: file)): \($0.severity.rawValue)[\($0.code)]"
      }
    }
    let bookMigration = (1...3).map {
      "BookMigration/Model.xcdatamodeld/Model\($0).xcdatamodel/contents: note[model.insecure-transformer]"
    }
    let history =
      "BrowserServicesKit/Sources/History/CoreData/BrowsingHistory.xcdatamodeld/BrowsingHistory.xcdatamodel/contents: "
      + "note[model.transformer-without-effect]"
    #expect(told == bookMigration + [history, history])
  }
}
