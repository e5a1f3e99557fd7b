import HeavyliftModel
import Testing

@Suite struct RelationshipEndTests {
  private static func relationship(
    _ name: String, to entity: String, inverse: String? = nil, isToMany: Bool = false, isTransient: Bool = false
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: entity, inverseName: inverse, isTransient: isTransient,
      maxCount: isToMany ? 0 : 1)
  }

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Album",
      relationships: [
        relationship("cover", to: "Image", inverse: "album"),
        relationship("draft", to: "Image", isTransient: true),
        relationship("tags", to: "Tag", inverse: "albums", isToMany: true),
        relationship("tracks", to: "Track", inverse: "album", isToMany: true),
      ]),
    EntityDescription(name: "Image", relationships: [relationship("album", to: "Album", inverse: "cover")]),
    EntityDescription(name: "Live", superentityName: "Track"),
    EntityDescription(
      name: "Tag", relationships: [relationship("albums", to: "Album", inverse: "tags", isToMany: true)]),
    EntityDescription(
      name: "Track",
      relationships: [
        relationship("album", to: "Album", inverse: "tracks"), relationship("twin", to: "Track", inverse: "twin"),
      ]),
  ])

  @Test func `each relationship counts once, at its to-one end or else the first by name`() {
    #expect(
      Self.model.canonicalEnds().map { "\($0.entity).\($0.name)" } == [
        "Album.cover", "Album.draft", "Album.tags", "Track.album", "Track.twin",
      ])
    #expect(
      Self.model.canonicalEnds { !$0.isTransient }.map { "\($0.entity).\($0.name)" } == [
        "Album.cover", "Album.tags", "Track.album", "Track.twin",
      ])
  }

  @Test func `an inherited relationship has the end of the entity that declares it`() {
    #expect(Self.model.end(of: "album", entity: "Live") == RelationshipEnd(entity: "Track", name: "album"))
  }
}
