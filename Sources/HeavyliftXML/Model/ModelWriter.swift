public import Foundation
public import HeavyliftModel

/// Writes object models as Xcode writes them.
///
/// An unchanged model is written byte for byte as it was read. In a changed model, only the lines of the changed
/// parts differ. A model made in code looks as if Xcode had written it.
public enum ModelWriter {
  /// Returns the text of the model's `contents` file.
  public static func text(of model: ManagedObjectModel) -> String {
    let layout = ModelLayout(of: model.markup)
    return (model.markup.form.prologue ?? XMLDocument.declaration)
      + layout.element("model", model, line: layout.newline, groups: model.groups(layout))
      + (model.markup.form.epilogue ?? "")
  }

  /// Writes a model as an `.xcdatamodel` folder, which is created if needed, or as a plain file if the URL has
  /// another extension. The file is replaced atomically.
  public static func write(_ model: ManagedObjectModel, to url: URL) throws(DiagnosticList) {
    let text = text(of: model)
    try refuseUnwritable(text, of: url)
    var file = url
    if url.pathExtension == "xcdatamodel" {
      do {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      } catch {
        throw DiagnosticList([
          Diagnostic(
            .error, code: "file.unwritable", problem: "the folder '\(url.relativePath)' cannot be created",
            remedy: "check that you have permission to write there, and that no file has that name")
        ])
      }
      file = url.appending(path: "contents", directoryHint: .notDirectory)
    }
    try FileReplacement.write(Data(text.utf8), to: file)
  }

  /// Returns the first character that XML cannot represent.
  package static func unwritableCharacter(in text: String) -> Unicode.Scalar? {
    text.unicodeScalars.first { scalar in
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: false
      case 0..<0x20, 0xFFFE, 0xFFFF: true
      default: false
      }
    }
  }

  /// XML cannot represent some control characters, not even as references. A model read from XML has none; one made
  /// in code, or read from a compiled file, might.
  private static func refuseUnwritable(_ text: String, of url: URL) throws(DiagnosticList) {
    guard let unwritable = unwritableCharacter(in: text) else { return }
    let code = String(unwritable.value, radix: 16, uppercase: true)
    throw DiagnosticList([
      Diagnostic(
        .error, code: "model-file.unwritable-character",
        problem: "the model contains the character U+\(String(repeating: "0", count: 4 - code.count))\(code), "
          + "which XML cannot represent",
        remedy: "remove it from the names, defaults and user info; '\(url.relativePath)' is unchanged")
    ])
  }
}
