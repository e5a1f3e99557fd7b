import HeavyliftModel
import Testing

/// The order of versions, of which only names are known.
struct VersionOrderTests {
  @Test(arguments: [
    (["Music 10", "Music", "Music 2"], "Music 10", ["Music", "Music 2", "Music 10"]),
    // The current version is the newest.
    (["Beta", "Music", "Music 2"], "Beta", ["Music", "Music 2", "Beta"]),
    (["Shop 5", "Store v2.7"], "Shop 5", ["Store v2.7", "Shop 5"]),
    // A version of the same series may be newer.
    (["Music", "Music 2", "Music 3"], "Music 2", ["Music", "Music 2", "Music 3"]),
    (["Music", "music 2b"], "Music", ["Music", "music 2b"]),
    (["Sample3", "Sample3_v2"], "Sample3", ["Sample3", "Sample3_v2"]),
    (["3", "Music"], "3", ["3", "Music"]),
    (["Music", "Beta"], nil, ["Beta", "Music"]),
    (["Music", "Beta"], "Gamma", ["Beta", "Music"]),
  ])
  func `versions are ordered by name, and those that only seem newer than the current one come first`(
    names: [String], current: String?, order: [String]
  ) {
    #expect(names.orderedAsVersions(current: current) == order)
    #expect(names.reversed().orderedAsVersions(current: current) == order)
  }
}
