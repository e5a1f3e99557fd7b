import Foundation
import HeavyliftArchive
import HeavyliftModel

/// Archives mapping models as Xcode's compiler does, for tests.
struct MappingArchive {
  typealias Reference = KeyedArchiveWriter.Reference
  var expressions = ExpressionArchive()

  mutating func property(_ name: String?, _ value: Reference?, _ others: [String: PropertyList] = [:]) -> Reference {
    var fields: [String: PropertyList] = [
      "NSDestinationPropertyName": text(name), "NSValueExpression": (value ?? KeyedArchiveWriter.null).field,
      "NSPropertyTransforms": KeyedArchiveWriter.null.field, "NSUserInfo": KeyedArchiveWriter.null.field,
    ]
    fields.merge(others) { $1 }
    return expressions.object("NSPropertyMapping", fields)
  }

  mutating func entity(
    _ name: String?, _ source: String?, _ destination: String?, type: Int64 = 5, attributes: [Reference] = [],
    relationships: [Reference] = [], _ others: [String: PropertyList] = [:]
  ) -> Reference {
    var fields: [String: PropertyList] = [
      "NSMappingName": text(name), "NSSourceEntityName": text(source), "NSDestinationEntityName": text(destination),
      "NSMappingType": .integer(type), "NSAttributeMappings": expressions.list(attributes),
      "NSRelationshipMappings": expressions.list(relationships), "NSUserInfo": KeyedArchiveWriter.null.field,
      "NSEntityMigrationPolicyClassName": KeyedArchiveWriter.null.field,
    ]
    fields.merge(others) { $1 }
    return expressions.object("NSEntityMapping", fields)
  }

  /// The fetch request for a mapping's source objects.
  mutating func fetch(_ entity: String, _ predicate: String) -> Reference {
    let manager = expressions.variable("manager")
    let arguments = [expressions.constant(.string(entity)), expressions.constant(.string(predicate))]
    let request = expressions.function(
      "fetchRequestForSourceEntityNamed:predicateString:", arguments, of: manager)
    let context = expressions.keyPath("sourceContext", of: manager)
    return expressions.object(
      "NSFetchRequestExpression",
      ["NSFRExpression": request.field, "NSMOCExpression": context.field, "NSCountOnlyFlag": .boolean(false)])
  }

  mutating func text(_ text: String?) -> PropertyList { expressions.add(text.map { .string($0) } ?? .null) }

  mutating func data(_ mappings: [Reference]) -> Data {
    let root = expressions.object("NSMappingModel", ["NSEntityMappings": expressions.list(mappings)])
    return expressions.writer.archive(root: root)
  }

  /// A mapping model with every supported part.
  static var whole: Data {
    var archive = MappingArchive()
    let title = archive.expressions.keyPath("title", of: archive.expressions.variable("source"))
    let flag = archive.expressions.constant(.bool(true))
    let track = archive.entity(
      "Songs", "Track", "Song", type: 1,
      attributes: [archive.property("isNew", flag), archive.property("name", title), archive.property("rank", nil)],
      relationships: [archive.property("album", nil)],
      [
        "NSSourceExpression": archive.fetch("Track", "seconds > 3").field,
        "NSEntityMigrationPolicyClassName": archive.text("Music.SongPolicy"),
        "NSUserInfo": archive.expressions.dictionary([("stage", archive.expressions.reference(to: "one"))]),
        "NSSourceEntityVersionHash": .data(Data(repeating: 1, count: 32)),
        "NSDestinationEntityVersionHash": .data(Data(repeating: 2, count: 32)),
      ])
    let album = archive.entity(
      "AlbumToAlbum", "Album", "Album", type: 4,
      ["NSSourceExpression": archive.fetch("Album", "TRUEPREDICATE").field])
    let genre = archive.entity("Genre", nil, "Genre", type: 2)
    return archive.data([track, album, genre])
  }
}
