import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftSQLite
@testable import HeavyliftStore
import HeavyliftReports

struct StoreDumpPropertyTests {
  /// Statements that create a random library, in any order.
  private func statements(_ random: inout SeededGenerator) -> [String] {
    var statements: [String] = []
    func reference(_ count: Int) -> String {
      Int.random(in: 0..<4, using: &random) == 0 ? "NULL" : "\(Int.random(in: 0...count + 1, using: &random))"
    }
    let (people, works, tags) = (
      Int.random(in: 1...12, using: &random), Int.random(in: 1...20, using: &random),
      Int.random(in: 1...15, using: &random)
    )
    for key in 1...people {
      statements.append("INSERT INTO ZPERSON (Z_PK, Z_ENT, ZNAME) VALUES (\(key), 1, 'n\(key)')")
    }
    for key in 1...works {
      let isBook = Bool.random(using: &random)
      statements.append(
        "INSERT INTO ZWORK (Z_PK, Z_ENT, ZAUTHOR, ZTITLE, \(isBook ? "ZPAGES" : "ZLENGTH")) "
          + "VALUES (\(key), \(isBook ? 5 : 6), \(reference(people)), 't\(key % 3)', \(key))")
    }
    var places = Array(1...tags + 1).shuffled(using: &random)
    for key in 1...tags {
      statements.append(
        "INSERT INTO ZTAG (Z_PK, Z_ENT, ZFAN, Z_FOK_FAN) VALUES (\(key), 2, \(reference(people)), \(places.removeLast()))"
      )
    }
    var links: Set<[Int]> = []
    for _ in 0..<30 {
      links.insert([.random(in: 0...tags, using: &random), .random(in: 1...works + 1, using: &random)])
    }
    for link in links.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      // Equal positions occur, too: then the key decides.
      let place = Int.random(in: 1...5, using: &random)
      statements.append("INSERT INTO Z_4TAGS VALUES (\(link[1]), \(link[0]), \(place))")
    }
    return statements
  }

  @Test(arguments: Seeds.some(of: 1..<26))
  func `the same content gives the same dump in whatever order it was written`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let statements = statements(&random)
    let (folder, store) = try DumpStores.make()
    for statement in statements { try store.database.execute(statement) }
    let dump = try DumpStores.dump(store)
    #expect(dump.split(separator: "\n").count >= 3)

    let (otherFolder, other) = try DumpStores.make()
    for statement in statements.shuffled(using: &random) { try other.database.execute(statement) }
    // Rewrites pages that held other data before.
    try other.database.execute("DELETE FROM ZVALUE; REINDEX; VACUUM")
    #expect(try DumpStores.dump(other) == dump, "seed \(seed)")
    #expect(try StoreDifference(from: store, to: other).isEmpty, "seed \(seed)")
    withExtendedLifetime((folder, otherFolder)) {}
  }

  @Test(arguments: Seeds.some(of: 1..<26))
  func `the dump has every object's own values`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (folder, store) = try DumpStores.make()
    for statement in statements(&random) { try store.database.execute(statement) }
    // Dangling keys have no object to ask.
    try store.database.execute(
      """
      DELETE FROM Z_4TAGS WHERE Z_4WORKS NOT IN (SELECT Z_PK FROM ZWORK) OR Z_2TAGS NOT IN (SELECT Z_PK FROM ZTAG);
      UPDATE ZTAG SET ZFAN = NULL WHERE ZFAN NOT IN (SELECT Z_PK FROM ZPERSON);
      UPDATE ZWORK SET ZAUTHOR = NULL WHERE ZAUTHOR NOT IN (SELECT Z_PK FROM ZPERSON)
      """)
    #expect(try DumpStores.dump(store) == (try ReferenceDump(store).text()), "seed \(seed)")
    withExtendedLifetime(folder) {}
  }
}

/// Dumps through managed objects: slow, obvious, and independent of the streams.
private struct ReferenceDump {
  let context: ManagedObjectContext

  init(_ store: PersistentStore) { context = ManagedObjectContext(store: store) }

  func text() throws -> String {
    var text = ""
    for entity in context.store.model.entities where !entity.isAbstract {
      var request = FetchRequest(entityName: entity.name)
      request.includesSubentities = false
      for object in try context.fetch(request).sorted(by: { $0.objectID.key < $1.objectID.key }) {
        text += try line(object, entity) + "\n"
      }
    }
    return text
  }

  private func line(_ object: ManagedObject, _ entity: EntityDescription) throws -> String {
    let model = context.store.model
    let attributes = try model.allAttributes(of: entity).filter { !$0.isTransient }
      .map { "\"\($0.name)\":\(try json(object[$0.name]))" }
    let relationships = model.allRelationships(of: entity).map { relationship in
      guard relationship.isToMany else {
        return "\"\(relationship.name)\":\(object[toOne: relationship.name].map(reference) ?? "null")"
      }
      let found = object[toMany: relationship.name]
      let targets = relationship.isOrdered ? found : found.sorted { $0.objectID.key < $1.objectID.key }
      return "\"\(relationship.name)\":[\(targets.map(reference).joined(separator: ","))]"
    }
    return "{\"entity\":\"\(entity.name)\",\"key\":\(object.objectID.key),"
      + "\"attributes\":{\(attributes.joined(separator: ","))},"
      + "\"relationships\":{\(relationships.joined(separator: ","))}}"
  }

  private func reference(_ object: ManagedObject) -> String { "\"\(object.description)\"" }

  private func json(_ value: Value) throws -> String {
    switch value {
    case .null: "null"
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text): "\"\(text)\""
    default: throw Diagnostic(.error, code: "test", problem: "no such value is in these stores")
    }
  }
}
