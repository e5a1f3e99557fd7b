import Foundation
import Testing

@testable import HeavyliftSchema

/// Changes of `Codable` types, after which a lightweight stage would leave values that cannot be decoded.
@Suite struct UnreadableValueTests {
  struct Change: CustomTestStringConvertible, Sendable {
    var name: String
    var isReadable: Bool
    var profile: StorageProfile = .coreData
    var old: Entity.Type
    var new: Entity.Type
    var testDescription: String { name }
  }

  enum Old {
    struct Inner: Codable { var a: Int }
    struct Point: Codable {
      var x: Double
      var y: Double?
      var inner: [Inner]
    }
    enum Kind: String, Codable, CaseIterable { case one, two }

    enum Numbers { final class Item: Entity { @Attribute var value: [Int?] = [] } }
    enum Structure { final class Item: Entity { @Attribute var value: Point? } }
    enum Structures { final class Item: Entity { @Attribute var value: [Point] = [] } }
    enum Keyed { final class Item: Entity { @Attribute var value: [String: Inner] = [:] } }
    enum Raw { final class Item: Entity { @Attribute var value: Kind? } }
  }

  enum New {
    struct Inner: Codable { var b: Int }
    /// Has another optional element.
    struct Wider: Codable {
      var x: Double
      var y: Double?
      var z: Double?
      var inner: [Old.Inner]
    }
    /// Requires an element.
    struct Stricter: Codable {
      var x: Double
      var y: Double
      var inner: [Old.Inner]
    }
    /// Has another required element.
    struct Larger: Codable {
      var x: Double
      var y: Double?
      var z: Double
      var inner: [Old.Inner]
    }
    /// Differs in a structure within it.
    struct Deep: Codable {
      var x: Double
      var y: Double?
      var inner: [Inner]
    }
    enum Kind: String, Codable, CaseIterable { case one }
    enum MoreKinds: String, Codable, CaseIterable { case one, two, three }

    enum Numbers { final class Item: Entity { @Attribute var value: [Int] = [] } }
    enum WiderStructures { final class Item: Entity { @Attribute var value: [Wider] = [] } }
    enum Required { final class Item: Entity { @Attribute var value: Stricter? } }
    enum LargerStructure { final class Item: Entity { @Attribute var value: Larger? } }
    enum DeepStructure { final class Item: Entity { @Attribute var value: Deep? } }
    enum Keyed { final class Item: Entity { @Attribute var value: [String: Inner] = [:] } }
    enum Raw { final class Item: Entity { @Attribute var value: Kind? } }
    enum MoreRaw { final class Item: Entity { @Attribute var value: MoreKinds? } }
  }

  static let changes: [Change] = [
    Change(name: "nil in an array", isReadable: false, old: Old.Numbers.Item.self, new: New.Numbers.Item.self),
    Change(name: "nil allowed in an array", isReadable: true, old: New.Numbers.Item.self, new: Old.Numbers.Item.self),
    Change(
      name: "an optional element in an array", isReadable: true, old: Old.Structures.Item.self,
      new: New.WiderStructures.Item.self),
    Change(
      name: "an element less", isReadable: false, old: New.WiderStructures.Item.self, new: Old.Structures.Item.self),
    Change(name: "a stricter element", isReadable: false, old: Old.Structure.Item.self, new: New.Required.Item.self),
    Change(
      name: "a required element", isReadable: false, old: Old.Structure.Item.self, new: New.LargerStructure.Item.self),
    Change(
      name: "a nested structure", isReadable: false, old: Old.Structure.Item.self, new: New.DeepStructure.Item.self),
    Change(name: "a value of a dictionary", isReadable: false, old: Old.Keyed.Item.self, new: New.Keyed.Item.self),
    Change(name: "a case less", isReadable: false, old: Old.Raw.Item.self, new: New.Raw.Item.self),
    Change(name: "another case", isReadable: true, old: Old.Raw.Item.self, new: New.MoreRaw.Item.self),
  ]

  @Test(arguments: changes, StorageProfile.allCases)
  func `only values that can still be decoded are kept`(change: Change, profile: StorageProfile) throws {
    func schema(_ type: Entity.Type, _ major: Int) throws -> Schema {
      try Schema([type], version: Schema.Version(major, 0, 0), profile: profile, versionID: "\(major)")
    }
    let (old, new) = (try schema(change.old, 1), try schema(change.new, 2))
    let unreadable = SchemaComparison(
      old: old, new: new, difference: ModelDifference(from: old.model, to: new.model)
    ).unreadableValues
    #expect(unreadable.isEmpty == change.isReadable, "\(unreadable)")
  }
}
