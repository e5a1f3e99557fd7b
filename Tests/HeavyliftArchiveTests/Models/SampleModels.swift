import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftTestSupport

/// Models for tests: one with every part whose archived form is known, and any number of generated ones.
enum SampleModels {
  static let library = ManagedObjectModel(
    name: "Library", versionIdentifiers: ["1", "beta"],
    entities: [
      EntityDescription(
        name: "Item", managedObjectClassName: "Library.Item", isAbstract: true,
        attributes: [
          AttributeDescription(
            name: "addedAt", type: .date, defaultValue: .date(Date(timeIntervalSinceReferenceDate: 9))),
          AttributeDescription(name: "count", type: .integer16, isOptional: false, defaultValue: 3),
          AttributeDescription(name: "cover", type: .binaryData, defaultValue: .data(Data([1, 2]))),
          AttributeDescription(name: "id", type: .uuid, preservesValueInHistoryOnDeletion: true),
          AttributeDescription(name: "isLent", type: .boolean, defaultValue: false, isIndexed: true),
          AttributeDescription(name: "page", type: .uri, defaultValue: .uri("https://example.org/1")),
          AttributeDescription(
            name: "price", type: .decimal, defaultValue: .decimal(Decimal(string: "9.99") ?? 0),
            userInfo: ["currency": "EUR"]),
          AttributeDescription(name: "rating", type: .double, defaultValue: 0.5, renamingIdentifier: "stars"),
          AttributeDescription(name: "shelf", type: .float, defaultValue: 2.0),
          AttributeDescription(name: "title", type: .string, defaultValue: "", versionHashModifier: "2"),
          AttributeDescription(name: "total", type: .integer64, isTransient: true),
        ],
        relationships: [
          RelationshipDescription(
            name: "authors", destinationEntityName: "Author", inverseName: "items", inverseEntityName: "Author",
            isOrdered: true, minCount: 1, maxCount: 4, deleteRule: .deny, userInfo: ["a": "b"])
        ],
        uniquenessConstraints: [.init(["id"]), .init(["title", "price"])],
        fetchIndexes: [
          FetchIndexDescription(name: "byTitle", elements: [.init(propertyName: "title")]),
          FetchIndexDescription(
            name: "byTwo", elements: [.init(propertyName: "title"), .init(propertyName: "count", isAscending: false)]),
        ],
        compoundIndexes: [["price", "rating"]], renamingIdentifier: "Thing", userInfo: ["k": "v", "l": ""]),
      EntityDescription(
        name: "Book", managedObjectClassName: "Library.Book", superentityName: "Item",
        attributes: [
          AttributeDescription(
            name: "notes", type: .transformable, valueTransformerName: "NotesTransformer",
            attributeValueClassName: "Notes")
        ],
        versionHashModifier: "x"),
      EntityDescription(
        name: "Author",
        attributes: [AttributeDescription(name: "name", type: .string, isOptional: false)],
        relationships: [
          RelationshipDescription(
            name: "items", destinationEntityName: "Item", inverseName: "authors", inverseEntityName: "Item")
        ]),
    ],
    configurations: [ConfigurationDescription(name: "Cloud", entityNames: ["Author", "Item"])])

  /// The archive of the model with changes to every object: an archive that no writer produces.
  static func archive(
    of model: ManagedObjectModel = library, changing change: (_ className: String, inout [String: PropertyList]) -> Void
  ) throws -> Data {
    guard var top = try PropertyList(data: CompiledModelWriter.archive(of: model)).dictionary,
      let objects = top["$objects"]?.array
    else { throw CocoaError(.coderReadCorrupt) }
    top["$objects"] = .array(
      objects.map { object in
        guard var fields = object.dictionary, let reference = fields["$class"]?.uid else { return object }
        change(objects[reference].dictionary?["$classname"]?.string ?? "", &fields)
        return .dictionary(fields)
      })
    return PropertyList.dictionary(top).binaryData
  }

  /// Generates a model from a seed, without parts that cannot be written.
  static func generated(using random: inout SeededGenerator) -> ManagedObjectModel {
    let names = (0..<Int.random(in: 1...8, using: &random)).map { "Entity\($0)" }
    var entities = names.enumerated().map { index, name in
      EntityDescription(
        name: name, managedObjectClassName: Bool.random(using: &random) ? name : nil,
        isAbstract: Bool.random(using: &random),
        superentityName: index > 0 && Bool.random(using: &random)
          ? names[Int.random(in: 0..<index, using: &random)] : nil,
        attributes: attributes(of: index, using: &random),
        renamingIdentifier: Bool.random(using: &random) ? "Old\(name)" : nil,
        versionHashModifier: Bool.random(using: &random) ? "\(index)" : nil,
        userInfo: Bool.random(using: &random) ? ["key": name] : [:])
    }
    for number in 0..<Int.random(in: 0...6, using: &random) {
      let (from, to) = (Int.random(in: names.indices, using: &random), Int.random(in: names.indices, using: &random))
      let (forth, back) = ("forth\(number)", "back\(number)")
      entities[from].relationships.append(
        RelationshipDescription(
          name: forth, destinationEntityName: names[to], inverseName: back, inverseEntityName: names[to],
          isOptional: Bool.random(using: &random), isOrdered: Bool.random(using: &random),
          minCount: Int.random(in: 0...2, using: &random), maxCount: Int.random(in: -1...5, using: &random),
          deleteRule: DeleteRule.allCases.randomElement(using: &random) ?? .nullify))
      entities[to].relationships.append(
        RelationshipDescription(
          name: back, destinationEntityName: names[from], inverseName: forth, inverseEntityName: names[from],
          maxCount: 1))
    }
    return ManagedObjectModel(entities: entities)
  }

  private static func attributes(of entity: Int, using random: inout SeededGenerator) -> [AttributeDescription] {
    (0..<Int.random(in: 0...6, using: &random)).map { number in
      let types: [(AttributeType, Value)] = [
        (.integer32, 1), (.string, "x"), (.boolean, true), (.double, 1.25), (.date, .null), (.transformable, .null),
        (.decimal, .decimal(1)), (.uuid, .null),
      ]
      let (type, value) = types[Int.random(in: types.indices, using: &random)]
      return AttributeDescription(
        name: "attribute\(entity)_\(number)", type: type, isOptional: Bool.random(using: &random),
        isTransient: Bool.random(using: &random), defaultValue: Bool.random(using: &random) ? value : .null,
        preservesValueInHistoryOnDeletion: Bool.random(using: &random), isIndexed: Bool.random(using: &random))
    }
  }
}
