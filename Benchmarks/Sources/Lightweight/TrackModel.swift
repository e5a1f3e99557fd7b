import Foundation
import Heavylift
import Measuring

/// The attribute that the new version adds.
enum Addition: String, CaseIterable {
  /// An optional attribute without a default: no row changes.
  case empty
  /// A mandatory attribute with a default: every row changes.
  case filled
  /// An optional attribute that code sets in every row.
  case handled

  var title: String {
    switch self {
    case .empty: "an optional attribute"
    case .filled: "an attribute with a default"
    case .handled: "an attribute that code sets"
    }
  }
}

/// Two versions of a model with one large entity.
enum TrackModel {
  static func model(isNew: Bool, _ addition: Addition) -> ManagedObjectModel {
    var attributes = [
      AttributeDescription(name: "count", type: .integer64), AttributeDescription(name: "added", type: .date),
      AttributeDescription(name: "rating", type: .double), AttributeDescription(name: "name", type: .string),
      AttributeDescription(name: "note", type: .string),
    ]
    if isNew {
      attributes.append(
        addition != .filled
          ? AttributeDescription(name: "sortName", type: .string)
          : AttributeDescription(name: "plays", type: .integer64, isOptional: false, defaultValue: .integer(0)))
    }
    return ManagedObjectModel(
      name: isNew ? "2" : "1",
      entities: [
        EntityDescription(
          name: "Track", attributes: attributes,
          relationships: [
            RelationshipDescription(
              name: "album", destinationEntityName: "Album", inverseName: "tracks", inverseEntityName: "Album",
              maxCount: 1)
          ]),
        EntityDescription(
          name: "Album", attributes: [AttributeDescription(name: "title", type: .string)],
          relationships: [
            RelationshipDescription(
              name: "tracks", destinationEntityName: "Track", inverseName: "album", inverseEntityName: "Track")
          ]),
      ])
  }

  /// Creates the store with plain SQL, because a million objects would take long.
  static func fill(_ url: URL, rows: Int) throws {
    try PersistentStore.create(at: url, model: model(isNew: false, .empty)).close()
    let connection = PlainConnection(url.path)
    let albums = max(rows / 10, 1)
    connection.execute(
      """
      PRAGMA synchronous = OFF; BEGIN;
      WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < \(albums))
      INSERT INTO ZALBUM (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT n, 1, 1, 'Album ' || n FROM r;
      WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < \(rows))
      INSERT INTO ZTRACK (Z_PK, Z_ENT, Z_OPT, ZCOUNT, ZALBUM, ZADDED, ZRATING, ZNAME, ZNOTE)
        SELECT n, 2, 1, n % 1000, (n * 48271) % \(albums) + 1, n * 1013.25, n % 50 / 10.0, 'Name ' || n,
          'a note of moderate length with number ' || n FROM r;
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(albums) WHERE Z_ENT = 1;
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows) WHERE Z_ENT = 2;
      COMMIT; PRAGMA wal_checkpoint(TRUNCATE)
      """)
  }
}
