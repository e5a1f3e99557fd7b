// Reports the public symbols without a comment in a folder of symbol graphs. Called by Scripts/documentation.
//
// UndocumentedSymbols FOLDER MODULE…: in these modules, every symbol needs a comment; in others, properties and cases
// can do without. The types that users start with also need an example.
import Foundation

struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable { var identifier: String }
    struct Identifier: Decodable { var precise: String }
    struct Comment: Decodable {
      struct Line: Decodable { var text: String }
      var lines: [Line]
    }
    struct Location: Decodable {
      struct Position: Decodable { var line: Int }
      var uri: String
      var position: Position
    }
    var kind: Kind
    var identifier: Identifier
    var pathComponents: [String]
    var docComment: Comment?
    var location: Location?

    var hasComment: Bool { docComment?.lines.contains { !$0.text.isEmpty } ?? false }
    /// False for symbols from the compiler, which have no place, and for inherited ones, which the protocol documents.
    var isWritten: Bool {
      location != nil && kind.identifier != "swift.extension" && !identifier.precise.contains("::SYNTHESIZED::")
    }
    var place: String {
      guard let location else { return "" }
      let path = location.uri.replacingOccurrences(of: "file://", with: "")
      let short = path.components(separatedBy: "/Sources/").last.map { "Sources/\($0)" } ?? path
      return "\(short):\(location.position.line + 1)"
    }
  }
  struct Relationship: Decodable {
    struct Origin: Decodable { var identifier: String }
    var source: String
    var sourceOrigin: Origin?
  }
  var symbols: [Symbol]
  var relationships: [Relationship]
}

let typesWithExample = [
  "EntityMigrationPolicy", "IncrementalMigrationManager", "MappingModel", "MigrationManager", "MigrationOptions",
  "MigrationTestCase", "PolicyRegistry", "StoreVerifier",
]
var typesWithoutExample = Set(typesWithExample)
let simpleKinds: Set = ["swift.property", "swift.type.property", "swift.enum.case"]
let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let strict = Set(CommandLine.arguments.dropFirst(2))
let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
  .filter { $0.lastPathComponent.hasSuffix(".symbols.json") }
  .sorted { $0.path < $1.path }
var found = 0
var looked = 0
for file in files {
  let name = file.lastPathComponent.replacingOccurrences(of: ".symbols.json", with: "")
  let module = name.components(separatedBy: "@")[0]
  let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file))
  let inherited = Set(graph.relationships.filter { $0.sourceOrigin != nil }.map(\.source))
  for symbol in graph.symbols where symbol.isWritten && !inherited.contains(symbol.identifier.precise) {
    looked += 1
    if symbol.docComment?.lines.contains(where: { $0.text.hasPrefix("```swift") }) ?? false {
      typesWithoutExample.remove(symbol.pathComponents.joined(separator: "."))
    }
    let canDoWithout = !strict.contains(module) && simpleKinds.contains(symbol.kind.identifier)
    guard !symbol.hasComment, !canDoWithout else { continue }
    print("\(symbol.place): error: '\(symbol.pathComponents.joined(separator: "."))' has no comment")
    found += 1
  }
}
for type in typesWithoutExample.sorted() {
  print("error: the comment of '\(type)' has no example")
  found += 1
}
guard looked > 0 else {
  print("error: there are no symbols in \(folder.path)")
  exit(1)
}
print("documentation: \(looked) public symbols, \(found) without a comment or an example")
exit(found == 0 ? 0 : 1)
