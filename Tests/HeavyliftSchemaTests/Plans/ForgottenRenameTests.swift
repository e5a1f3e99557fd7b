import Foundation
import HeavyliftSchema
import Testing

/// Renames that a plan does not state.
@Suite struct ForgottenRenameTests {
  enum Old: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [Entity.Type] { [Song.self, Film.self] }

    final class Song: Entity {
      @Attribute var title: String?
      @Attribute var plays: Int32 = 0
    }

    final class Film: Entity {
      @Attribute var title: String?
      @Attribute var minutes: Int = 0
    }
  }

  /// Renames an entity, which gets another property as well.
  enum RenamedEntity: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [Entity.Type] { [Track.self, Film.self] }

    final class Track: Entity {
      @Attribute var title: String?
      @Attribute var plays: Int32 = 0
      @Attribute var isNew: Bool = false
    }

    final class Film: Entity {
      @Attribute var title: String?
      @Attribute var minutes: Int = 0
    }
  }

  /// Renames an attribute, which gets a wider type.
  enum Wider: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [Entity.Type] { [Song.self, Film.self] }

    final class Song: Entity {
      @Attribute var title: String?
      @Attribute var playCount: Int = 0
    }

    final class Film: Entity {
      @Attribute var title: String?
      @Attribute var minutes: Int = 0
    }
  }

  /// Moves an attribute to a new superclass under another name.
  enum Raised: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [Entity.Type] { [Medium.self, Song.self, Film.self] }

    class Medium: Entity { @Attribute var name: String? }

    final class Song: Medium { @Attribute var plays: Int32 = 0 }

    final class Film: Entity {
      @Attribute var title: String?
      @Attribute var minutes: Int = 0
    }
  }

  private func message(
    _ old: any VersionedSchema.Type, _ new: any VersionedSchema.Type, removing removed: [String] = []
  ) -> String {
    do {
      let history = try SchemaHistory(
        schemas: [old, new], stages: [.lightweight(fromVersion: old, toVersion: new, removing: removed)])
      return "warnings: \(history.warnings)"
    } catch {
      return "\(error)"
    }
  }

  @Test func `an entity that was renamed and changed`() {
    #expect(
      message(Old.self, RenamedEntity.self) == """
        error[plan.renamed]: the schema no longer has entity 'Song', but a new entity with 2 of its 2 properties, 'Track'
          if it was renamed, override 'originalName' in class 'ForgottenRenameTests.RenamedEntity.Track' and return \
        "Song"; otherwise, a migration drops its objects, which lightweight stage 'ForgottenRenameTests.Old → \
        ForgottenRenameTests.RenamedEntity' has to state: 'removing: ["Song"]'
        """)
    #expect(message(Old.self, RenamedEntity.self, removing: ["Song"]) == "warnings: []")
  }

  @Test func `an attribute that was renamed and widened`() {
    #expect(
      message(Old.self, Wider.self) == """
        error[plan.renamed]: class 'ForgottenRenameTests.Wider.Song' no longer has attribute 'plays', but a new attribute \
        of a type that fits, 'playCount'
          if it was renamed, declare the new one with 'originalName: "plays"'; otherwise, a migration drops its values, \
        which lightweight stage 'ForgottenRenameTests.Old → ForgottenRenameTests.Wider' has to state: 'removing: \
        ["Song.plays"]'
        """)
  }

  enum Weights: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [Entity.Type] { [Animal.self] }

    final class Animal: Entity {
      @Attribute var weightText: String?
      @Attribute var owner: String?
    }
  }

  /// Renames an attribute, which gets another type.
  enum Retyped: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [Entity.Type] { [Animal.self] }

    final class Animal: Entity {
      @Attribute var weight: Double?
      @Attribute var born: Date?
    }
  }

  @Test func `an attribute that was renamed and got another type`() throws {
    #expect(
      message(Weights.self, Retyped.self) == """
        error[plan.renamed]: class 'ForgottenRenameTests.Retyped.Animal' no longer has attribute 'weightText', but a new \
        attribute with a similar name, 'weight'
          if it was renamed, declare the new one with 'originalName: "weightText"' and convert its values in a custom \
        stage; otherwise, a migration drops its values, which lightweight stage 'ForgottenRenameTests.Weights → \
        ForgottenRenameTests.Retyped' has to state: 'removing: ["Animal.weightText"]'
        """)
    #expect(message(Weights.self, Retyped.self, removing: ["Animal.weightText"]) == "warnings: []")
    #expect(
      try Schema(versionedSchema: Retyped.self).difference(from: Schema(versionedSchema: Weights.self)).diagnostics.map(
        \.code) == ["schema.renamed"])
  }

  @Test func `attributes that moved to a superclass, and back`() {
    let raised = message(Old.self, Raised.self)
    #expect(
      raised.contains(
        "class 'ForgottenRenameTests.Raised.Song' no longer has attribute 'title', but a new attribute of the same type, "
          + "'name'"))
    #expect(message(Old.self, Raised.self, removing: ["Song.title"]) == "warnings: []")
    enum Lowered: VersionedSchema {
      static let versionIdentifier = Schema.Version(3, 0, 0)
      static var models: [Entity.Type] { Old.models }
    }
    let lowered = message(Raised.self, Lowered.self)
    #expect(lowered.contains("no longer has attribute 'name', but a new attribute of the same type, 'title'"))
    #expect(message(Raised.self, Lowered.self, removing: ["Medium.name"]) == "warnings: []")
  }

  @Test func `a custom stage warns, unless it states the removal`() throws {
    for removed in [[], ["Song"]] {
      let history = try SchemaHistory(
        schemas: [Old.self, RenamedEntity.self],
        stages: [
          .custom(fromVersion: Old.self, toVersion: RenamedEntity.self, removing: removed) { _ in }
        ])
      #expect(history.warnings.map(\.code) == (removed.isEmpty ? ["schema.renamed"] : []))
    }
  }
}
