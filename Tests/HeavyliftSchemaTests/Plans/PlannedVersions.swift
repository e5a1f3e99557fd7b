import Foundation
import HeavyliftSchema

/// Versions of a small schema, for plans with and without mistakes.
enum Notes {
  enum V1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [Entity.Type] { [Note.self, Draft.self] }

    final class Note: Entity {
      @Attribute var text: String
      @Attribute var json: String?
    }

    final class Draft: Entity { @Attribute var text: String }
  }

  /// Renames an attribute and an entity without saying so.
  enum V2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [Entity.Type] { [Note.self, Sketch.self] }

    final class Note: Entity {
      @Attribute var text: String
      @Attribute var legacy: String?
    }

    final class Sketch: Entity { @Attribute var text: String }
  }

  /// Adds a required attribute.
  enum V3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [Entity.Type] { [Note.self, Sketch.self] }

    final class Note: Entity {
      @Attribute var text: String
      @Attribute var legacy: String?
      @Attribute var addedAt: Date
    }

    final class Sketch: Entity { @Attribute var text: String }
  }

  /// Adds an attribute whose initial value differs each time.
  enum V4: VersionedSchema {
    static let versionIdentifier = Schema.Version(4, 0, 0)
    static var models: [Entity.Type] { [Note.self, Sketch.self] }

    final class Note: Entity {
      @Attribute var text: String
      @Attribute var legacy: String?
      @Attribute var addedAt: Date
      @Attribute var id = UUID()
    }

    final class Sketch: Entity { @Attribute var text: String }
  }

  /// Changes a type so that no lightweight stage can convert it.
  enum V5: VersionedSchema {
    static let versionIdentifier = Schema.Version(5, 0, 0)
    static var models: [Entity.Type] { [Note.self, Sketch.self] }

    final class Note: Entity {
      @Attribute var text: String
      @Attribute var legacy: String?
      @Attribute var addedAt: String
      @Attribute var id = UUID()
    }

    final class Sketch: Entity { @Attribute var text: String }
  }

  static var versions: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self, V4.self] }
}

/// Two versions that a store cannot distinguish, and one that adds a hash modifier.
enum Shapes {
  struct Flat: Codable { var x: Double }
  struct Deep: Codable { var z: Double }

  enum V1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [Entity.Type] { [Shape.self] }
    final class Shape: Entity { @Attribute var point: Flat }
  }

  enum V2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [Entity.Type] { [Shape.self] }
    final class Shape: Entity { @Attribute var point: Deep }
  }

  enum V3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [Entity.Type] { [Shape.self] }
    final class Shape: Entity { @Attribute(hashModifier: "deep") var point: Deep }
  }
}

/// A version with the identifier of another one.
enum Copied: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [Entity.Type] { [Note.self] }
  final class Note: Entity { @Attribute var text: String }
}

/// A version with a mistake in its classes.
enum Mistaken: VersionedSchema {
  static let versionIdentifier = Schema.Version(9, 0, 0)
  static var models: [Entity.Type] { [Note.self] }
  final class Note: Entity { var text = "" }
}
