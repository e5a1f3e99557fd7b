import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift

/// Values that go through several hops: each hop sees the values that the rows of the version before have.
@Suite struct ComputedChainTests {
  private static func song(_ values: [String: String], filter: String? = nil) throws -> EntityMappingDescription {
    EntityMappingDescription(
      source: "Song", destination: "Song", filter: try filter.map { try MappingPredicate(parsing: $0) },
      properties: try values.sorted { $0.key < $1.key }.map {
        .attribute($0.key, try MappingExpression(parsing: $0.value))
      })
  }

  /// Versions of songs that store the same and differ only in a version hash modifier.
  private static func songs(_ attributes: [AttributeDescription], of count: Int = 3) -> [ManagedObjectModel] {
    (0..<count).map { version in
      var song = EntityDescription(name: "Song", attributes: attributes)
      song.versionHashModifier = "\(version)"
      return ManagedObjectModel(entities: [song])
    }
  }

  @Test func `a negative zero loses its sign for the next hop, as in a row`() throws {
    let models = Self.songs([Models.attribute("length", .double), Models.attribute("title", .string)])
    let chain = MigrationCase.chain(
      models,
      [
        [try Self.song(["length": "$source.length * -1"])],
        [try Self.song(["title": #"CAST($source.length, "NSString")"#])],
      ]
    ) { context in
      for length in [0.0, 1.5] { try context.insert("Song")["length"] = .double(length) }
    }
    let both = try HopChain(chain)
    #expect(both.disagreement == nil)
    #expect(both.combined.rows["ZSONG"]?.map { $0.contains("-0") } == [false, false])
  }

  @Test func `a decimal keeps the digits for the next hop that a double cannot hold`() throws {
    let models = Self.songs([Models.attribute("price", .decimal), Models.attribute("title", .string)])
    let chain = MigrationCase.chain(
      models,
      [
        [try Self.song(["price": #"CAST($source.title, "NSDecimalNumber")"#])],
        [try Self.song(["title": #"CAST($source.price, "NSString")"#])],
      ]
    ) { context in
      for title in ["0.1234567890123456789012", "12.5"] { try context.insert("Song")["title"] = .string(title) }
    }
    let both = try HopChain(chain)
    #expect(both.disagreement == nil)
    #expect(both.combined.rows["ZSONG"]?.contains { $0.contains("0.1234567890123456789012") } == true)
  }

  @Test(arguments: [("\"low\"", nil), ("$source.note", "hop 'V0' → 'V1'")] as [(String, String?)])
  func `an expression that may be nil is checked against the rules of a version in between`(
    other: String, broken: String?
  ) throws {
    let title = Models.attribute("title", .string, isOptional: false, default: .string("none"))
    let models = Self.songs([Models.attribute("number", .integer64), Models.attribute("note", .string), title])
    let chain = MigrationCase.chain(
      models,
      [
        [try Self.song(["title": "TERNARY($source.number > 1, \"high\", \(other))"])],
        [try Self.song(["title": "TERNARY($source.title == \"high\", \"very high\", \"other\")"])],
      ]
    ) { context in
      for number in 1...3 {
        let song = try context.insert("Song")
        song["number"] = .integer(Int64(number))
      }
    }
    let both = try HopChain(chain)
    #expect(both.disagreement == nil)
    #expect(both.combined.error.map { $0.contains(broken ?? "nothing") } == (broken == nil ? nil : true))
  }

  @Test func `a value is only known to be set if both mappings of its entity set it`() throws {
    let title = Models.attribute("title", .string, isOptional: false, default: .string("none"))
    let models = Self.songs([Models.attribute("number", .integer64), Models.attribute("note", .string), title])
    func half(_ name: String, _ filter: String, _ title: String) throws -> EntityMappingDescription {
      EntityMappingDescription(
        name: name, source: "Song", destination: "Song", filter: try MappingPredicate(parsing: filter),
        properties: [.attribute("title", try MappingExpression(parsing: title))])
    }
    let chain = MigrationCase.chain(
      models,
      [
        [
          try half("Low", "number < 3", "TERNARY($source.number > 1, \"two\", $source.note)"),
          try half("High", "number > 2", "TERNARY($source.number > 3, \"four\", \"three\")"),
        ],
        [try Self.song(["title": "TERNARY($source.title == \"two\", \"second\", \"other\")"])],
      ]
    ) { context in
      for number in 1...4 { try context.insert("Song")["number"] = .integer(Int64(number)) }
    }
    let both = try HopChain(chain)
    #expect(both.disagreement == nil)
    #expect(both.combined.error?.contains("hop 'V0' → 'V1'") == true)
  }

  @Test func `dates and Booleans have the values for the next hop that a row would hold`() throws {
    let models = Self.songs(
      [
        Models.attribute("made", .date), Models.attribute("live", .boolean), Models.attribute("text", .string),
        Models.attribute("number", .integer64), Models.attribute("seconds", .double),
      ], of: 4)
    let copying = try Self.song([:])
    let last = try Self.song([
      "seconds": #"CAST($source.made, "NSNumber")"#, "text": #"TERNARY($source.live == YES, "yes", "no")"#,
    ])
    let chain = MigrationCase.chain(
      models, [[copying], [copying], [last]]
    ) { context in
      for number in 0..<4 {
        let song = try context.insert("Song")
        song["number"] = .integer(Int64(number))
        song["made"] = number == 0 ? .null : .date(Date(timeIntervalSinceReferenceDate: Double(number) / 2))
        song["live"] = .bool(number == 1)
      }
    }
    // An integer that a double cannot represent, and a true value other than 1.
    let both = try HopChain(
      chain, changingBy: "UPDATE ZSONG SET ZMADE = 9007199254740993, ZLIVE = 7 WHERE ZNUMBER = 3")
    #expect(both.disagreement == nil)
    #expect(both.separate.error == nil)
  }
}
