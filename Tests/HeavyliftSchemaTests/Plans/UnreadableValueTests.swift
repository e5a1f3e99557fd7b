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

    enum Level: String, Codable, CaseIterable { case low, high }
    struct Graded: Codable { var level: Level }
    struct Narrow: Codable {
      var count: Int32
      var weight: Float
      var tags: [String]
    }
    enum Grades { final class Item: Entity { @Attribute var value: [Graded] = [] } }
    enum Narrows { final class Item: Entity { @Attribute var value: [Narrow] = [] } }
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
    enum Level: Codable, CaseIterable { case low, high }
    struct Graded: Codable { var level: Level }
    enum NumberedLevel: Int, Codable, CaseIterable { case low, high }
    struct Numbered: Codable { var level: NumberedLevel }
    enum TextLevel: String, Codable, CaseIterable { case low = "0", high = "1" }
    struct Textual: Codable { var level: TextLevel }
    struct Wide: Codable {
      var count: Int
      var weight: Double
      var tags: Set<String>
    }
    enum Grades { final class Item: Entity { @Attribute var value: [Graded] = [] } }
    enum NumberedGrades { final class Item: Entity { @Attribute var value: [Numbered] = [] } }
    enum TextGrades { final class Item: Entity { @Attribute var value: [Textual] = [] } }
    enum Wides { final class Item: Entity { @Attribute var value: [Wide] = [] } }
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
    Change(name: "cases by name", isReadable: false, old: Old.Grades.Item.self, new: New.Grades.Item.self),
    Change(
      name: "texts like numbers", isReadable: false, old: New.NumberedGrades.Item.self, new: New.TextGrades.Item.self),
    Change(name: "wider elements", isReadable: true, old: Old.Narrows.Item.self, new: New.Wides.Item.self),
    Change(name: "narrower elements", isReadable: false, old: New.Wides.Item.self, new: Old.Narrows.Item.self),
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

  @Test func `encoded values agree with the comparison`() throws {
    let narrow = try JSONEncoder().encode(Old.Narrow(count: -7, weight: 0.5, tags: ["a"]))
    let wide = try JSONDecoder().decode(New.Wide.self, from: narrow)
    #expect(wide.count == -7 && wide.weight == 0.5 && wide.tags == ["a"])
    let list = try PropertyListEncoder().encode(Old.Narrow(count: -7, weight: 0.5, tags: ["a"]))
    #expect(try PropertyListDecoder().decode(New.Wide.self, from: list).count == -7)
    let graded = try JSONEncoder().encode(Old.Graded(level: .high))
    #expect((try? JSONDecoder().decode(New.Graded.self, from: graded)) == nil)
    let numbered = try JSONEncoder().encode(New.Numbered(level: .high))
    #expect((try? JSONDecoder().decode(New.Textual.self, from: numbered)) == nil)
  }
}
