public import Foundation
import HeavyliftArchive
public import HeavyliftModel

extension ObjectGraph {
  /// Reads a graph from a file and checks it against its model.
  ///
  /// - Throws: `DiagnosticList` with every mistake, each with its line and column.
  public init(contentsOf url: URL, model: ManagedObjectModel) throws(DiagnosticList) {
    let text = try Self.text(of: url)
    try self.init(json: text, file: url.relativePath, folder: url.deletingLastPathComponent(), model: model)
  }

  /// Reads a graph from a string and checks it against its model.
  ///
  /// - Parameters:
  ///   - json: The text.
  ///   - file: The file's name in messages.
  ///   - folder: The folder that contains the files with binary values.
  ///   - model: The objects' model.
  public init(
    json: String, file: String? = nil, folder: URL? = nil, model: ManagedObjectModel
  ) throws(DiagnosticList) {
    let root: JSONNode
    do {
      root = try JSONParser.parse(json, file: file)
    } catch {
      throw DiagnosticList([error])
    }
    try self.init(root, folder: folder, model: model)
  }

  init(_ root: JSONNode, folder: URL?, model: ManagedObjectModel) throws(DiagnosticList) {
    var reader = GraphReader(model: model, values: GraphValueReader(model: model, folder: folder))
    self = reader.graph(root)
    guard reader.mistakes.isEmpty else { throw DiagnosticList(reader.mistakes) }
    let mistakes = GraphLinks(self, model: model).mistakes
    guard mistakes.isEmpty else { throw DiagnosticList(mistakes) }
  }

  /// The model that a graph's file names; `nil` if it names none.
  public static func modelName(ofFile url: URL) throws -> String? {
    try JSONParser.parse(text(of: url), file: url.relativePath).members?.first { $0.name == "model" }?.value.string
  }

  static func text(of url: URL) throws(DiagnosticList) -> String {
    do {
      guard let text = String(validating: try RegularFile.read(url, .given), as: UTF8.self) else {
        throw CocoaError(.fileReadInapplicableStringEncoding)
      }
      return text
    } catch {
      throw DiagnosticList([.unreadable("the graph '\(url.path)'", because: error)])
    }
  }
}
