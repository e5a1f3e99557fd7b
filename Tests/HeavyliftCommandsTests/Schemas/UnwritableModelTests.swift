import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

struct UnwritableModelTests {
  private enum Control: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [Entity.Type] { [Book.self] }

    final class Book: Entity {
      @Attribute var title: String = "a\u{1}"
      @Attribute var pages: Int = 0
    }
  }

  @Test func `characters that a model file cannot contain are reported with their attribute`() throws {
    let fixture = try ToolFixture()
    var code = MigrationCode()
    code.versions = [try ModelBundle.Version(Control.self)]
    let run = fixture.run(["schema", "freeze", "Frozen/Control.xcdatamodeld"], code: code)
    #expect(run.code == .failure)
    #expect(
      run.errors.contains(
        "has characters that a model file cannot state: in attribute 'title' of entity 'Book'"), "\(run)")
  }
}
