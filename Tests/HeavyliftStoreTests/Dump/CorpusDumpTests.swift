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

  /// What a dumped line says, as JSON's own reader understands it.
  private struct Line: Decodable {
    var entity: String?
    var relationships: [String: Target]?

    /// A to-one's target or a to-many's.
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

  @Test(arguments: stores)
  func `every row and every relationship is in the dump`(name: String) throws {
    let folder = try TemporaryFolder()
    let file = try StoreFile(url: folder.copyStore(Corpus.root.appending(path: name)))
    let fit = try file.model(among: Self.models)
    let store = try PersistentStore(file: file, model: fit.model, configuration: fit.configuration)
    let lines = try DumpStores.dump(store).split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    // Those stores are empty.
    #expect(!lines.isEmpty || name.hasPrefix("FreezeRay/"))
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
