import Foundation
import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport
import Testing

/// An expression or predicate, its use, and the checker's complete output.
struct CheckingCase: CustomTestStringConvertible, Sendable {
  /// `attribute title`, `relationship album`, `filter`, `source`, `fetch`; with `add` before it, without a source.
  var place: String
  var text: String
  var expected: String

  var testDescription: String { "\(place): \(text)" }

  /// Reads the cases of a file, separated by empty lines.
  static func read(_ name: String) throws -> [CheckingCase] {
    let file = Corpus.project.appending(path: "Fixtures/Malformed/expression-checks/\(name).txt")
    let blocks = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n\n")
    return blocks.compactMap { block in
      let lines = block.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
      guard lines.count >= 2, lines[0].hasPrefix("= ") else { return nil }
      return CheckingCase(
        place: String(lines[0].dropFirst(2)), text: lines[1], expected: lines.dropFirst(2).joined(separator: "\n"))
    }
  }

  /// Returns the checker's output, each finding with its place and a mark below it.
  func actual() throws -> String {
    let words = place.split(separator: " ").map(String.init)
    let isAdding = words.first == "add"
    let (kind, name) = (words[isAdding ? 1 : 0], words.last ?? "")
    var environment = MusicChecks.environment
    let source = isAdding ? nil : "Track"
    let track = MusicModels.version2.entity(named: "Track")
    let checked: CheckedExpression
    switch kind {
    case "filter", "fetch":
      environment.enter(kind == "fetch" ? .fetch : .sourceFilter, source: source, destination: nil)
      checked = ExpressionChecker(environment).check(try MappingPredicate(parsing: text))
    default:
      environment.enter(
        kind == "source" ? .sourceExpression : kind == "attribute" ? .attribute : .relationship, source: source,
        destination: "Track")
      if kind == "attribute" { environment.wanted = track?.attribute(named: name).map { .attribute($0) } }
      if kind == "relationship" { environment.wanted = track?.relationship(named: name).map { .relationship($0) } }
      checked = ExpressionChecker(environment).check(try MappingExpression(parsing: text))
    }
    let diagnostics = checked.diagnostics { DiagnosticLocation(file: "music.xml", line: 1, column: $0 + 1) }
    return zip(diagnostics, checked.findings).map { diagnostic, finding in
      let excerpt = SourceExcerpt(text, marking: finding.range).description
      return "\(diagnostic)\n"
        + excerpt.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
        .joined(separator: "\n")
    }.joined(separator: "\n")
  }
}

/// The environment of the cases: two models, a policy and its functions, entity mappings.
enum MusicChecks {
  static let environment: CheckingEnvironment = {
    var environment = CheckingEnvironment(source: MusicModels.version1, destination: MusicModels.version2)
    environment.policyFunctions = [
      "minutesOfSeconds:": FunctionSignature((Double.self), Double.self), "coverForTrack:manager:": .unknown,
    ]
    environment.managerFunctions = ["dateFromNumericRepresentation:": FunctionSignature((Double.self), Date.self)]
    environment.entityMappings = [
      "TrackToTrack": .init(source: "Track", destination: "Track"),
      "AlbumToAlbum": .init(source: "Album", destination: "Album"),
      "ArtistToArtist": .init(source: "Artist", destination: "Artist"),
    ]
    return environment
  }()
}
