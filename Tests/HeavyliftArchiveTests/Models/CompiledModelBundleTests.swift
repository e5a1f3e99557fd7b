import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@Suite struct CompiledModelBundleTests {
  /// A hop leads from each version to the next one in the list. `Library 2.mom` precedes `Library.mom` as text.
  @Test func `versions are in the order in which a person counts`() throws {
    let folder = try TemporaryFolder()
    for name in ["Library", "Library 2", "Library 10"] {
      try CompiledModelWriter.archive(of: SampleModels.library).write(to: folder.appending("\(name).mom"))
    }
    try VersionInfo(currentVersionName: "Library 2").data.write(to: folder.appending("VersionInfo.plist"))
    let bundle = try CompiledModelBundle(contentsOf: folder.url)
    #expect(bundle.versions.map(\.model.name) == ["Library", "Library 2", "Library 10"])
    #expect(bundle.currentVersion?.model.name == "Library 2")
  }
}
