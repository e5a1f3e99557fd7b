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
          see how they differ: heavylift inspect 'Own.sqlite' --model 'Library.xcdatamodeld/Library 2.xcdatamodel'

        """)
  }
}
