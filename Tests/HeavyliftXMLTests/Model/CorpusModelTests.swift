import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftXML

@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
struct CorpusModelTests {
  static let contents = Corpus.files(endingWith: "/contents").map(Corpus.name)
  static let bundles = Corpus.files(endingWith: ".xcdatamodeld").map(Corpus.name)

  @Test func `the corpus has models`() {
    #expect(Self.contents.count >= 48)
    #expect(Self.bundles.count >= 24)
  }

  @Test(arguments: contents) func `reading and writing changes no byte`(name: String) throws {
    let data = try Data(contentsOf: Corpus.root.appending(path: name))
    let reading = try ModelReader.read(data: data, file: name)
    #expect(reading.diagnostics == [])
    let text = ModelWriter.text(of: reading.model)
    #expect(text == String(decoding: data, as: UTF8.self))
    #expect(XMLCanonicalForm.of(Data(text.utf8)) == XMLCanonicalForm.of(data))
    #expect(try ModelReader.read(text: text).model == reading.model)
  }

  @Test(arguments: contents) func `Heavylift writes the same facts as Xcode wrote them`(name: String) throws {
    let data = try Data(contentsOf: Corpus.root.appending(path: name))
    let model = try ModelReader.read(data: data, file: name).model
    #expect(try ModelReader.read(text: ModelWriter.text(of: model.forgettingMarkup)).model == model)
  }

  /// Removes the parts that only Xcode uses: positions, and options for generated classes.
  private func withoutToolsFacts(_ text: String) -> [String] {
    var lines = text.split(separator: "\n").map(String.init)
    lines.removeAll { $0.contains("<model ") || $0.contains("elements>") || $0.contains("<element ") }
    return lines.map { line in
      var line = line.replacing(#/ (usesScalarValueType|codeGenerationType)="[A-Za-z]+"/#, with: "")
      if !line.contains("<entity ") { line = line.replacing(" syncable=\"YES\"", with: "") }
      return line.replacing("defaultValueString=\"0\"", with: "defaultValueString=\"0.0\"")
    }
  }

  @Test(arguments: contents) func `the same facts stated in code look as Xcode wrote them`(name: String) throws {
    let text = try String(contentsOf: Corpus.root.appending(path: name), encoding: .utf8)
    let model = try ModelReader.read(text: text).model
    #expect(withoutToolsFacts(ModelWriter.text(of: model.forgettingMarkup)) == withoutToolsFacts(text))
  }

  @Test(arguments: bundles) func `a bundle is read with all its versions`(name: String) throws {
    let url = Corpus.root.appending(path: name)
    let folders = try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0.hasSuffix(".xcdatamodel") }
    let bundle = try ModelBundle(contentsOf: url, file: name)
    #expect(Set(bundle.versions.map { $0.name + ".xcdatamodel" }) == Set(folders))
    #expect(bundle.versions.allSatisfy { $0.model.name == $0.name })
    // Each has two versions, and an `.xccurrentversion` that names none or is missing.
    let isUndecided = ["Advanced.EvolutionDemo.xcdatamodeld", "CareKitStore.xcdatamodeld"]
      .contains(url.lastPathComponent)
    #expect((bundle.currentVersion == nil) == isUndecided)
    #expect(bundle.diagnostics.map(\.code) == (isUndecided ? ["model-file.no-current-version"] : []))
  }
}
