import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// Reports about objects that filters exclude, and their remedies: applied, they prevent the loss.
struct LosingFilterRemedyTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var filters: [String]
    var remedy: String
    /// The property that is nil in each of the lost objects.
    var nilKey: String?
    var testDescription: String { filters.joined(separator: " | ") }
  }

  @Test(
    arguments: [
      Case(filters: ["rank > 3"], remedy: #"where="NOT (rank > 3)""#),
      Case(filters: ["rank < 3"], remedy: #"where="NOT (rank &lt; 3)""#),
      Case(filters: ["NOT (rank > 3)"], remedy: #"where="rank > 3""#),
      Case(filters: ["NOT (rank > 3 OR title = nil)"], remedy: #"where="rank > 3 OR title == nil""#),
      Case(filters: ["live = YES"], remedy: #"where="live != TRUE""#),
      Case(filters: ["live != YES"], remedy: #"where="live == TRUE""#),
      Case(filters: ["title != nil"], remedy: #"where="title == nil""#, nilKey: "title"),
      Case(filters: ["title = nil"], remedy: #"where="title != nil""#),
      Case(filters: ["NOT title = nil"], remedy: #"where="title == nil""#, nilKey: "title"),
      Case(filters: ["album != nil"], remedy: #"where="album == nil""#, nilKey: "album"),
      Case(filters: ["title = 'a'"], remedy: #"where='title != "a"'"#),
      Case(filters: ["title = \"it's\""], remedy: ""),
      Case(filters: ["title ==[c] 'a'"], remedy: #"where='title !=[c] "a"'"#),
      Case(filters: ["title BEGINSWITH 'a'"], remedy: #"where='NOT (title BEGINSWITH "a")'"#),
      Case(filters: ["rank > 3 AND title != nil"], remedy: #"where="NOT (rank > 3 AND title != nil)""#),
      Case(filters: ["rank > 3 OR title != nil"], remedy: #"where="NOT (rank > 3 OR title != nil)""#),
      Case(filters: ["ANY album.tracks.rank > 3"], remedy: #"where="NOT (ANY album.tracks.rank > 3)""#),
      Case(filters: ["ANY album.tracks.rank = 3"], remedy: #"where="NOT (ANY album.tracks.rank == 3)""#),
      Case(filters: ["FALSEPREDICATE"], remedy: ""),
      Case(filters: ["seconds < 5", "seconds >= 5"], remedy: #"where="seconds == nil""#, nilKey: "seconds"),
      Case(filters: ["rank < 5", "rank > 5"], remedy: #"where="NOT (rank &lt; 5 OR rank > 5)""#),
      Case(
        filters: ["title BEGINSWITH 'something rather long'", "title ENDSWITH 'something rather long'"], remedy: ""),
    ])
  func `objects that filters exclude are reported, and the remedy covers exactly them`(filters: Case) throws {
    let text = Self.text(filters.filters)
    let told = try Self.losses(in: text)
    let names = filters.filters.indices.map { "'Take\($0)'" }
    let subject =
      names.count == 1
      ? "the filter of entity mapping \(names[0]) excludes them"
      : "all filters of entity mappings \(names[0]) and \(names[1]) exclude them"
    let which = filters.nilKey.map { ": those whose '\($0)' is nil" } ?? ""
    #expect(told.map(\.problem) == ["objects of source entity 'Track' are lost if \(subject)\(which)"])
    let remedy = try #require(told.first?.remedy)
    let start = try #require(remedy.range(of: "<entity-mapping "))
    let end = try #require(remedy.range(of: "/>"))
    let element = remedy[start.lowerBound..<end.upperBound]
    let clause = filters.remedy.isEmpty ? "" : " \(filters.remedy)"
    #expect(element == "<entity-mapping source=\"Track\" type=\"remove\"\(clause)/>")
    let mended = text.replacing("</mapping-model>", with: "\(element)</mapping-model>")
    #expect(try Self.losses(in: mended).isEmpty)
    #expect(try MappingReader.read(document: XMLDocument(parsing: mended)).diagnostics.isEmpty)
  }

  @Test(arguments: ["$source.title != nil", "length > 3", "title > 3"])
  func `a filter that is wrong is reported only as that`(filter: String) throws {
    #expect(try Self.losses(in: Self.text([filter])).isEmpty)
  }

  private static func text(_ filters: [String]) -> String {
    let mappings = filters.enumerated().map { place, filter in
      let written = filter.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
      return "<entity-mapping name=\"Take\(place)\" source=\"Track\" destination=\"Track\" where=\"\(written)\"/>"
    }
    return "<mapping-model>\(mappings.joined())</mapping-model>"
  }

  private static func losses(in text: String) throws -> [Diagnostic] {
    let mapping = try MappingReader.read(document: XMLDocument(parsing: text)).validMappingModel()
    return mapping.complete(from: model, to: model).check().filter { $0.code == "mapping.losing-filter" }
  }

  private static let model = ManagedObjectModel(
    name: "Music",
    entities: [
      EntityDescription(
        name: "Album",
        relationships: [
          RelationshipDescription(
            name: "tracks", destinationEntityName: "Track", inverseName: "album", inverseEntityName: "Track")
        ]),
      EntityDescription(
        name: "Track",
        attributes: [
          AttributeDescription(name: "live", type: .boolean, isOptional: false),
          AttributeDescription(name: "rank", type: .integer16, isOptional: false),
          AttributeDescription(name: "seconds", type: .integer32), AttributeDescription(name: "title", type: .string),
        ],
        relationships: [
          RelationshipDescription(
            name: "album", destinationEntityName: "Album", inverseName: "tracks", inverseEntityName: "Album",
            maxCount: 1)
        ]),
    ])
}
