import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

@testable import HeavyliftSQLite
@testable import HeavyliftStore

@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
struct CorpusDumpTests {
  private static let stores = Corpus.isPresent ? Corpus.files(endingWith: ".sqlite").map(Corpus.name) : []
  private static let models: [ManagedObjectModel] =
    Corpus.files(endingWith: ".xcdatamodeld").flatMap { url in
      (try? ModelBundle(contentsOf: url))?.versions.map(\.model) ?? []
    }

  /// A dumped line as an independent JSON parser reads it.
  private struct Line: Decodable {
    var entity: String?
    var relationships: [String: Target]?

    /// The target of a to-one, or the targets of a to-many.
    enum Target: Decodable {
      case one(String?)
      case many([String])

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
          self = .one(nil)
        } else if let list = try? container.decode([String].self) {
          self = .many(list)
        } else {
          self = .one(try container.decode(String.self))
        }
      }
    }
  }

  /// With the contents of its `-wal`, and without.
  @Test(arguments: stores, [true, false])
  func `every row and every relationship is in the dump`(name: String, withLog: Bool) throws {
    let folder = try TemporaryFolder()
    let url = try folder.copyStore(Corpus.root.appending(path: name))
    if !withLog { try? FileManager.default.removeItem(atPath: url.path + "-wal") }
    let file = try StoreFile(url: url)
    let fit = try file.model(among: Self.models)
    let store = try PersistentStore(file: file, model: fit.model, configuration: fit.configuration)
    let lines = try DumpStores.dump(store).split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    for entity in store.layout.entities {
      let objects = lines.filter { $0.entity == entity.name }
      let rows = "FROM \(entity.tableName) WHERE Z_ENT = \(entity.number)"
      #expect(objects.count == (try count("SELECT count(*) \(rows)", store)), "\(entity.name)")
      for toOne in entity.toOnes {
        let targets = objects.count { object in
          if case .one(.some)? = object.relationships?[toOne.name] { true } else { false }
        }
        #expect(targets == (try count("SELECT count(\(toOne.column)) \(rows)", store)), "\(entity.name).\(toOne.name)")
      }
      for toMany in entity.toManys {
        let targets = objects.reduce(0) { sum, object in
          if case .many(let list)? = object.relationships?[toMany.name] { sum + list.count } else { sum }
        }
        let links = "SELECT count(*) FROM \(toMany.tableName) WHERE \(toMany.ownerColumn) IN (SELECT Z_PK \(rows))"
        #expect(targets == (try count(links, store)), "\(entity.name).\(toMany.name)")
      }
    }
    withExtendedLifetime(folder) {}
  }

  private func count(_ sql: String, _ store: PersistentStore) throws -> Int {
    guard case .integer(let count)? = try store.database.firstValue(sql) else { return -1 }
    return Int(count)
  }
}
