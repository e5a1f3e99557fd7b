import Foundation
import Heavylift
import Measuring

/// Two versions of a model with 20 entities, of which one changes, and a store of the first one.
enum LargeModel {
  static let entities = 20

  static func name(_ place: Int) -> String { "Entity\(String(place + 10))" }

  static func model(isNew: Bool) -> ManagedObjectModel {
    ManagedObjectModel(
      name: isNew ? "2" : "1",
      entities: (0..<entities).map { place in
        var attributes = [
          AttributeDescription(name: "count", type: .integer64), AttributeDescription(name: "added", type: .date),
          AttributeDescription(name: "rating", type: .double), AttributeDescription(name: "name", type: .string),
          AttributeDescription(name: "note", type: .string),
        ]
        if isNew, place == 0 { attributes.append(AttributeDescription(name: "sortName", type: .string)) }
        let next = (place + 1) % entities
        let previous = (place + entities - 1) % entities
        return EntityDescription(
          name: name(place), attributes: attributes,
          relationships: [
            RelationshipDescription(
              name: "owner", destinationEntityName: name(next), inverseName: "members", inverseEntityName: name(next),
              maxCount: 1),
            RelationshipDescription(
              name: "members", destinationEntityName: name(previous), inverseName: "owner",
              inverseEntityName: name(previous)),
          ])
      })
  }

  static func mapping() throws -> MappingModel {
    MappingModel(
      entityMappings: try (0..<entities).map { place in
        EntityMappingDescription(
          source: name(place), destination: name(place),
          properties: place == 0
            ? [.attribute("sortName", try MappingExpression(parsing: "uppercase:($source.name)"))] : [])
      })
  }

  /// Creates the store with plain SQL, because a million objects would take long.
  static func fill(_ url: URL, rows: Int) throws {
    try PersistentStore.create(at: url, model: model(isNew: false)).close()
    let connection = PlainConnection(url.path)
    connection.execute("PRAGMA synchronous = OFF; BEGIN")
    for place in 0..<entities {
      let table = "Z\(name(place).uppercased())"
      connection.execute(
        """
        WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < \(rows))
        INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT, ZCOUNT, ZOWNER, ZADDED, ZRATING, ZNAME, ZNOTE)
          SELECT n, \(place + 1), 1, n % 1000, (n * 48271) % \(rows) + 1, n * 1013.25, n % 50 / 10.0,
            'Name ' || n || ' of entity \(place)', 'a note of moderate length with number ' || n FROM r;
        UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows) WHERE Z_ENT = \(place + 1)
        """)
    }
    connection.execute("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
