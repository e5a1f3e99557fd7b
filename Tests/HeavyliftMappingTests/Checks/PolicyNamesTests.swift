import HeavyliftExpression
import Testing

@testable import HeavyliftMapping

@Suite struct PolicyNamesTests {
  @Test(
    arguments: [
      ("TrackPolicy", ["a"]), ("Music.TrackPolicy", ["a"]), ("AlbumPolicy", ["b"]), ("Music.AlbumPolicy", ["b"]),
      ("Shop.AlbumPolicy", nil), ("Other", nil),
    ])
  func `a policy is found with or without its module`(name: String, selectors: [String]?) {
    let names = PolicyNames(["TrackPolicy": ["a": .unknown], "Music.AlbumPolicy": ["b": .unknown]])
    #expect(names.functions(of: name)?.keys.sorted() == selectors)
  }
}
