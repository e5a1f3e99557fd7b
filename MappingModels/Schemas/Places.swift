public import HeavyliftSchema

/// Places on a map in three versions: a required attribute is added, and then the points get a third dimension.
public enum PlacesPlan: SchemaMigrationPlan {
  public static var schemas: [any VersionedSchema.Type] { [PlacesV1.self, PlacesV2.self, PlacesV3.self] }

  public static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: PlacesV1.self, toVersion: PlacesV2.self,
        migrate: { (old: PlacesV1.Place, new: PlacesV2.Place) in
          new.category = old.name.hasPrefix("Mount ") ? .mountain : .other
        }),
      .custom(
        fromVersion: PlacesV2.self, toVersion: PlacesV3.self,
        migrate: { (old: PlacesV2.Place, new: PlacesV3.Place) in
          new.point = Point3D(x: old.point.x, y: old.point.y, z: 0)
        }),
    ]
  }
}

struct Point2D: Codable, Equatable {
  var x: Double
  var y: Double
}

struct Point3D: Codable, Equatable {
  var x: Double
  var y: Double
  var z: Double
}

enum Category: String, Codable, CaseIterable { case mountain, other }

public enum PlacesV1: VersionedSchema {
  public static let versionIdentifier = Schema.Version(1, 0, 0)
  public static var models: [Entity.Type] { [Place.self] }

  final class Place: Entity {
    @Attribute var name: String
    @Attribute var point: Point2D
  }
}

/// Adds a required attribute.
public enum PlacesV2: VersionedSchema {
  public static let versionIdentifier = Schema.Version(2, 0, 0)
  public static var models: [Entity.Type] { [Place.self] }

  final class Place: Entity {
    @Attribute var name: String
    @Attribute var category: Category
    @Attribute var point: Point2D
  }
}

/// Gives the points a third dimension.
public enum PlacesV3: VersionedSchema {
  public static let versionIdentifier = Schema.Version(3, 0, 0)
  public static var models: [Entity.Type] { [Place.self] }

  final class Place: Entity {
    @Attribute var name: String
    @Attribute var category: Category
    // A store holds both types of points as bytes, so the type alone would not change the version hash.
    @Attribute(hashModifier: "3D") var point: Point3D
  }
}
