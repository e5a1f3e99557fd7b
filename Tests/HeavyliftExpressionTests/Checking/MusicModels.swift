import HeavyliftModel

/// Two versions of a model of music, with every kind of property.
enum MusicModels {
  static let version1 = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Track",
        attributes: [
          AttributeDescription(name: "title", type: .string),
          AttributeDescription(name: "seconds", type: .integer32, isOptional: false),
          AttributeDescription(name: "rating", type: .integer16),
          AttributeDescription(name: "price", type: .decimal),
          AttributeDescription(name: "loudness", type: .double),
          AttributeDescription(name: "added", type: .date),
          AttributeDescription(name: "isLive", type: .boolean, isOptional: false),
          AttributeDescription(name: "guid", type: .uuid),
          AttributeDescription(name: "page", type: .uri),
          AttributeDescription(name: "image", type: .binaryData),
          AttributeDescription(name: "cover", type: .transformable),
          AttributeDescription(name: "mood", type: .string, isTransient: true),
          AttributeDescription(name: "searchKey", type: .string, derivationExpression: "canonical:(title)"),
          AttributeDescription(name: "position", type: .composite, compositeName: "Point"),
          AttributeDescription(name: "SIZE", type: .integer64),
        ],
        relationships: [
          one("album", "Album"), many("artists", "Artist"), many("genres", "Genre", isOrdered: true),
        ],
        fetchedProperties: [
          FetchedPropertyDescription(
            name: "alike", fetchRequest: FetchRequestDescription(name: "alike", entityName: "Track"))
        ]),
      EntityDescription(
        name: "LiveTrack", superentityName: "Track", attributes: [AttributeDescription(name: "venue", type: .string)]),
      EntityDescription(
        name: "Album",
        attributes: [
          AttributeDescription(name: "name", type: .string, isOptional: false),
          AttributeDescription(name: "year", type: .integer16),
        ],
        relationships: [many("tracks", "Track"), one("cover", "Picture")]),
      EntityDescription(
        name: "Artist", attributes: [AttributeDescription(name: "name", type: .string, isOptional: false)],
        relationships: [many("albums", "Album"), many("tracks", "Track")]),
      EntityDescription(name: "Genre", attributes: [AttributeDescription(name: "name", type: .string)]),
      EntityDescription(name: "Picture", attributes: [AttributeDescription(name: "data", type: .binaryData)]),
    ],
    composites: [
      CompositeDescription(
        name: "Point",
        elements: [AttributeDescription(name: "x", type: .double), AttributeDescription(name: "y", type: .double)])
    ])

  static let version2 = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Track",
        attributes: [
          AttributeDescription(
            name: "title", type: .string, isOptional: false,
            validation: AttributeValidation(minimumLength: 1, maximumLength: 20)),
          AttributeDescription(name: "subtitle", type: .string),
          AttributeDescription(
            name: "code", type: .string, validation: AttributeValidation(regularExpression: "[A-Z]{3}")),
          AttributeDescription(name: "duration", type: .integer16),
          AttributeDescription(name: "count", type: .integer64),
          AttributeDescription(name: "loudness", type: .float),
          AttributeDescription(
            name: "score", type: .double, validation: AttributeValidation(minimum: .double(0), maximum: .double(5))),
          AttributeDescription(name: "price", type: .decimal),
          AttributeDescription(name: "isLive", type: .boolean),
          AttributeDescription(name: "added", type: .date),
          AttributeDescription(name: "guid", type: .uuid),
          AttributeDescription(name: "page", type: .uri),
          AttributeDescription(name: "image", type: .binaryData),
          AttributeDescription(name: "cover", type: .transformable),
          AttributeDescription(name: "mood", type: .string, isTransient: true),
          AttributeDescription(name: "searchKey", type: .string, derivationExpression: "canonical:(title)"),
          AttributeDescription(name: "position", type: .composite, compositeName: "Point"),
        ],
        relationships: [one("album", "Album"), many("artists", "Artist")]),
      EntityDescription(name: "Album", relationships: [many("tracks", "Track")]),
      EntityDescription(name: "Artist", relationships: [many("tracks", "Track")]),
    ],
    composites: [
      CompositeDescription(
        name: "Point",
        elements: [AttributeDescription(name: "x", type: .double), AttributeDescription(name: "y", type: .double)])
    ])

  private static func one(_ name: String, _ entity: String) -> RelationshipDescription {
    RelationshipDescription(name: name, destinationEntityName: entity, maxCount: 1)
  }

  private static func many(_ name: String, _ entity: String, isOrdered: Bool = false) -> RelationshipDescription {
    RelationshipDescription(name: name, destinationEntityName: entity, isOrdered: isOrdered)
  }
}
