import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

struct OwnModelTests {
  @Test func `a dump says when the model that is given is not the one that is used`() throws {
    let fixture = try ToolFixture()
    var options = PersistentStore.CreationOptions()
    options.carriesModel = true
    try PersistentStore.create(
      at: fixture.folder.appending("Own.sqlite"), model: ToolFixture.firstModel, options: options
    ).close()
    let fitting = fixture.run("dump", "Own.sqlite", "--model", "Library.xcdatamodeld")
    #expect(fitting == .init(code: .success, output: "", errors: ""))
    let run = fixture.run("dump", "Own.sqlite", "--model", "Library.xcdatamodeld/Library 2.xcdatamodel")
    #expect(run.code == .success)
    #expect(
      run.errors == """
        warning[store.own-model]: store 'Own.sqlite' was not written with any of the given models: it is read with its \
        own model
          see how they differ: 'heavylift inspect "Own.sqlite" --model "Library.xcdatamodeld/Library 2.xcdatamodel"'

        """)
  }

  @Test func `a hop from a store's own model is not named after its file`() throws {
    let fixture = try ToolFixture()
    var options = PersistentStore.CreationOptions()
    options.carriesModel = true
    try PersistentStore.create(
      at: fixture.folder.appending("Own.sqlite"), model: ToolFixture.firstModel, options: options
    ).close()
    let run = fixture.run("plan", "Own.sqlite", "-m", "Library.xcdatamodeld/Library 2.xcdatamodel", "--infer")
    #expect(
      run.output.hasPrefix(
        """
        Own.sqlite migrates from 'own model of Own.sqlite' to 'Library 2'; the store was identified by its own model

        hop 1 of 1: 'own model of Own.sqlite' → 'Library 2', inferred, because it has no mapping file

        """), "\(run)")
    #expect(
      fixture.run("migrate", "Own.sqlite", "-m", "Library.xcdatamodeld/Library 2.xcdatamodel", "--infer").code
        == .success)
  }
}
