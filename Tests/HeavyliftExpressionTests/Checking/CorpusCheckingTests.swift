import Foundation
import HeavyliftArchive
import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// The expressions and filters of real mapping models, checked against their models.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.comment)"))
struct CorpusCheckingTests {
  /// An expression or filter, and its use.
  struct Use: Sendable, CustomTestStringConvertible {
    var file: String
    var folder: String
    var place: ExpressionPlace
    var property: String?
    var source: String?
    var destination: String?
    var text: String
    var testDescription: String { "\(file): \(property ?? "") \(text)" }
  }

  private static let models: [String: [ManagedObjectModel]] = {
    var models: [String: [ManagedObjectModel]] = [:]
    for file in Corpus.files(endingWith: ".xcdatamodel/contents") {
      guard let model = try? ModelReader.read(contentsOf: file).model else { continue }
      models[folder(of: file), default: []].append(model)
    }
    return models
  }()

  static let uses: [Use] = Corpus.files(endingWith: "xcmapping.xml").flatMap { file -> [Use] in
    guard let document = try? XMLDocument(contentsOf: file) else { return [] }
    let objects = document.root.elements(named: "object")
    func text(_ name: String, of object: XMLElement) -> String? {
      object.elements.first { $0.attribute(named: "name")?.value == name }?.textContent
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    var mappings: [String: XMLElement] = [:]
    for object in objects where object.attribute(named: "type")?.value == "XDDEVENTITYMAPPING" {
      mappings[object.attribute(named: "id")?.value ?? ""] = object
    }
    return objects.flatMap { object -> [Use] in
      let type = object.attribute(named: "type")?.value
      let owner = object.elements.first { $0.attribute(named: "name")?.value == "entitymapping" }?
        .attribute(named: "idrefs")?.value
      let mapping = type == "XDDEVENTITYMAPPING" ? object : owner.flatMap { mappings[$0] }
      guard let mapping else { return [] }
      var use = Use(
        file: Corpus.name(of: file), folder: folder(of: file), place: .sourceFilter,
        property: text("name", of: object), source: text("sourcename", of: mapping),
        destination: text("destinationname", of: mapping), text: "")
      if type == "XDDEVENTITYMAPPING" {
        guard let filter = text("sourcefilterpredicatestring", of: object) else { return [] }
        use.text = filter.replacing("\\u3c00", with: "<").replacing("\\u3e00", with: ">").replacing(
          "\\u2600", with: "&")
        return [use]
      }
      use.place = type == "XDDEVATTRIBUTEMAPPING" ? .attribute : .relationship
      guard let encoded = text("valueexpressiondata", of: object),
        let data = Data(base64Encoded: encoded, options: .ignoreUnknownCharacters),
        let archive = try? KeyedArchive(data: data), let root = archive.root,
        let expression = try? ArchivedExpression(root, in: archive)
      else { return [] }
      use.text = expression.description
      return [use]
    }
  }

  private static func folder(of file: URL) -> String { String(Corpus.name(of: file).prefix { $0 != "/" }) }

  @Test func `the corpus uses expressions`() {
    #expect(Self.uses.count >= 5)
  }

  @Test(arguments: uses) func `an expression of the corpus is accepted with its models`(use: Use) throws {
    var best: [Diagnostic]?
    for source in Self.models[use.folder] ?? [] where use.source.map({ source.entity(named: $0) != nil }) ?? true {
      for destination in Self.models[use.folder] ?? []
      where use.destination.map({ destination.entity(named: $0) != nil }) ?? true {
        let found = try Self.check(use, source, destination).filter { $0.severity == .error }
        if found.count < best?.count ?? .max { best = found }
      }
    }
    #expect(best == [], "\(use.testDescription)")
  }

  private static func check(
    _ use: Use, _ source: ManagedObjectModel, _ destination: ManagedObjectModel
  ) throws -> [Diagnostic] {
    var environment = CheckingEnvironment(source: source, destination: destination)
    environment.enter(use.place, source: use.source, destination: use.destination)
    if use.place == .sourceFilter {
      return ExpressionChecker(environment).check(try MappingPredicate(parsing: use.text)).diagnostics()
    }
    if let entity = use.destination.flatMap({ destination.entity(named: $0) }) {
      environment.wanted =
        destination.allAttributes(of: entity).first { $0.name == use.property }.map { .attribute($0) }
        ?? destination.allRelationships(of: entity).first { $0.name == use.property }.map { .relationship($0) }
    }
    return ExpressionChecker(environment).check(try MappingExpression(parsing: use.text)).diagnostics()
  }
}
