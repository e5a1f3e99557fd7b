import Foundation
import Heavylift
import HeavyliftCommands

/// Creates one author per distinct name, and connects it to its books.
public final class AuthorsFromNames: EntityMigrationPolicy {
  private var authors: [String: ManagedObject] = [:]

  public override func populate(_ book: ManagedObject, from old: ManagedObject, in manager: MigrationManager) throws {
    guard let name = old["authorName"].string, !name.isEmpty else { return }
    let author = try authors[name] ?? manager.destinationContext.insert("Author")
    author["name"] = .string(name)
    authors[name] = author
    book[toOne: "author"] = author
  }
}

/// The rest of the Swift code of "Write your first migration"; `FirstMigrationTests` follows that page.
enum FirstMigrationExamples {
  /// The tool's `main.swift`, compiled here; the test also uses its first lines as a tool.
  static func main() -> Never {
    var tool = CommandLineTool.heavylift
    tool.name = "bookshelf"
    tool.code = MigrationCode(policies: PolicyRegistry(AuthorsFromNames.self))
    exit(tool.run(Array(CommandLine.arguments.dropFirst()), .standard).rawValue)
  }

  static var tool: CommandLineTool {
    var tool = CommandLineTool.heavylift
    tool.name = "bookshelf"
    tool.code = MigrationCode(policies: PolicyRegistry(AuthorsFromNames.self))
    return tool
  }

  static func migrate(_ storeURL: URL, models modelURL: URL, mappings mappingsURL: URL) async throws {
    let migrations = IncrementalMigrationManager(
      models: modelURL, mappings: mappingsURL, code: MigrationCode(policies: PolicyRegistry(AuthorsFromNames.self)))
    let store = try await migrations.open(storeURL)

    try store.close()
  }
}
