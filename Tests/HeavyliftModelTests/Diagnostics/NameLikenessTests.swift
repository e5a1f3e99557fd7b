import HeavyliftModel
import Testing

struct NameLikenessTests {
  @Test(arguments: [
    ("issued", "issuedAt"), ("weightText", "weight"), ("room", "roomNumber"), ("birthDate", "dateOfBirth"),
    ("totalIssuance", "issuanceTotal"), ("image_url", "imageURL"), ("imageURL", "imageData"), ("note", "notes"),
    ("colour", "color"), ("desc", "descriptionText"), ("URLString", "url"), ("id", "externalID"), ("line1", "line2"),
    ("numberOfPages", "pageNumber"), ("creationDate", "createdDate"),
  ])
  func `names of what may be the same thing`(old: String, new: String) {
    #expect(NameLikeness(old).resembles(NameLikeness(new)))
    #expect(NameLikeness(new).resembles(NameLikeness(old)))
  }

  @Test(arguments: [
    ("color", "shade"), ("isFavorite", "modifiedAt"), ("createdAt", "expiresAt"), ("isRead", "isPinned"),
    ("id", "idle"),
    ("a", "b"), ("x", "y"), ("key", "day"), ("issuanceMyAmount", "totalIssuance"), ("hasTail", "hasHead"),
    ("", "name"),
    ("startDate", "endDate"), ("productId", "userId"), ("numberOfSeats", "numberOfFloorsAndLevels"),
  ])
  func `names of different things`(old: String, new: String) {
    #expect(!NameLikeness(old).resembles(NameLikeness(new)))
    #expect(!NameLikeness(new).resembles(NameLikeness(old)))
  }
}
