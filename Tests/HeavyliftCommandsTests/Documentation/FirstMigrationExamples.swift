import Foundation
import Heavylift
import HeavyliftCommands

/// Creates one author per distinct name, and connects it to its books.
public final class AuthorsFromNames: EntityMigrationPolicy {
  private var authors: [String: ManagedObject] = [:]

  public override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    // Creates a book with the attributes that the mapping file declares.
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let books = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
    guard let book = books.first, let name = source["authorName"].string, !name.isEmpty else { return }
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

  static func migrate(_ storeURL: URL, models modelURL: URL, mappings mappingsURL: URL) throws {
    let chain = IncrementalMigrationManager(
      versions: try ModelVersions(contentsOf: modelURL),
      mappings: try MappingFolder(contentsOf: mappingsURL).search,
      execution: MappingHopExecution(policies: PolicyRegistry(AuthorsFromNames.self)))
    try chain.migrate(storeURL)
  }
}
