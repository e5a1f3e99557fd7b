import Foundation
import HeavyliftModel
import HeavyliftTestSupport

@testable import HeavyliftSQLite
@testable import HeavyliftStore
import HeavyliftReports

/// Models and stores for the tests of dumps.
enum DumpStores {
  /// A shelf of everything: inheritance, both kinds of to-many, order, a composite, every attribute type.
  static let model = ManagedObjectModel(
    name: "Library",
    entities: [
      EntityDescription(
        name: "Work", isAbstract: true, attributes: [AttributeDescription(name: "title", type: .string)],
        relationships: [
          RelationshipDescription(
            name: "author", destinationEntityName: "Person", inverseName: "works", inverseEntityName: "Person",
            maxCount: 1),
          RelationshipDescription(
            name: "tags", destinationEntityName: "Tag", inverseName: "works", inverseEntityName: "Tag"),
        ]),
      EntityDescription(
        name: "Book", superentityName: "Work", attributes: [AttributeDescription(name: "pages", type: .integer32)]),
      EntityDescription(
        name: "Song", superentityName: "Work", attributes: [AttributeDescription(name: "length", type: .double)]),
      EntityDescription(
        name: "Person",
        attributes: [AttributeDescription(name: "name", type: .string)],
        relationships: [
          RelationshipDescription(
            name: "works", destinationEntityName: "Work", inverseName: "author", inverseEntityName: "Work"),
          RelationshipDescription(
            name: "friends", destinationEntityName: "Person", inverseName: "friends", inverseEntityName: "Person"),
          RelationshipDescription(
            name: "favourites", destinationEntityName: "Tag", inverseName: "fan", inverseEntityName: "Tag",
            isOrdered: true),
        ]),
      EntityDescription(
        name: "Tag", attributes: [AttributeDescription(name: "label", type: .string)],
        relationships: [
          RelationshipDescription(
            name: "works", destinationEntityName: "Work", inverseName: "tags", inverseEntityName: "Work",
            isOrdered: true),
          RelationshipDescription(
            name: "fan", destinationEntityName: "Person", inverseName: "favourites", inverseEntityName: "Person",
            maxCount: 1),
        ]),
      EntityDescription(
        name: "Value",
        attributes: [
          AttributeDescription(name: "big", type: .integer64), AttributeDescription(name: "decimal", type: .decimal),
          AttributeDescription(name: "double", type: .double), AttributeDescription(name: "flag", type: .boolean),
          AttributeDescription(name: "moment", type: .date), AttributeDescription(name: "link", type: .uri),
          AttributeDescription(name: "file", type: .binaryData, allowsExternalBinaryDataStorage: true),
          AttributeDescription(name: "raw", type: .binaryData), AttributeDescription(name: "id", type: .uuid),
          AttributeDescription(name: "text", type: .string),
          AttributeDescription(name: "thing", type: .transformable, valueTransformerName: "NSSecureUnarchiveFromData"),
          AttributeDescription(name: "place", type: .composite, compositeName: "Place"),
          AttributeDescription(name: "ignored", type: .string, isTransient: true),
        ]),
    ],
    composites: [
      CompositeDescription(
        name: "Place",
        elements: [
          AttributeDescription(name: "y", type: .double), AttributeDescription(name: "name", type: .string),
          AttributeDescription(name: "x", type: .double),
        ])
    ])

  /// A new store, and its folder.
  static func make(_ name: String = "Library.sqlite") throws -> (folder: TemporaryFolder, store: PersistentStore) {
    let folder = try TemporaryFolder()
    var options = PersistentStore.CreationOptions()
    options.identifier = "11111111-2222-3333-4444-555555555555"
    return (folder, try PersistentStore.create(at: folder.appending(name), model: model, options: options))
  }

  static func dump(_ store: PersistentStore, _ options: StoreDump.Options = .init()) throws -> String {
    let sink = MemorySink()
    try StoreDump(store, options: options).write(to: sink)
    return sink.text
  }

  /// A store with objects of known keys.
  static func filled() throws -> (folder: TemporaryFolder, store: PersistentStore) {
    let (folder, store) = try make()
    try store.database.execute(
      """
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Ana'), (2, 1, 1, 'Bo');
      INSERT INTO ZWORK (Z_PK, Z_ENT, Z_OPT, ZAUTHOR, ZTITLE, ZPAGES) VALUES (1, 5, 1, 1, 'Cosmos', 7);
      INSERT INTO ZWORK (Z_PK, Z_ENT, Z_OPT, ZAUTHOR, ZTITLE, ZLENGTH) VALUES (2, 6, 1, 1, NULL, 2.5), (3, 6, 1, 2, '', 1);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZFAN, Z_FOK_FAN, ZLABEL)
        VALUES (1, 2, 1, 1, 2048, 'a'), (2, 2, 1, 1, 1024, 'b'), (3, 2, 1, NULL, NULL, 'c');
      """)
    return (folder, store)
  }

  /// A store of any size, created with SQL only: one person with all tags as ordered favorites, in reverse order.
  static func big(tags count: Int) throws -> (folder: TemporaryFolder, store: PersistentStore) {
    let (folder, store) = try make()
    try store.database.execute(
      """
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZFAN, Z_FOK_FAN, ZLABEL)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        SELECT i, 2, 1, 1, -i, 'tag ' || i FROM n;
      """)
    return (folder, store)
  }
}
