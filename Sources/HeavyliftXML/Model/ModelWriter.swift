public import Foundation
public import HeavyliftModel

/// Writes object models as Xcode writes them.
///
/// A model that was read and not changed is written byte for byte as it was. In one that was changed, only the lines of
/// what was changed differ. One that was made in code looks as if Xcode had made it.
public enum ModelWriter {
  /// The text of the model's `contents` file.
  public static func text(of model: ManagedObjectModel) -> String {
    let layout = ModelLayout(of: model.markup)
    return (model.markup.form.prologue ?? XMLDocument.declaration)
      + layout.element("model", model, line: layout.newline, groups: model.groups(layout))
      + (model.markup.form.epilogue ?? "")
  }

  /// Writes a model as a `.xcdatamodel` folder, which is made if it is not there, or as a plain file if the URL has
  /// another extension. The file is the old one or the new one, whole, at any instant.
  public static func write(_ model: ManagedObjectModel, to url: URL) throws(DiagnosticList) {
    var file = url
    if url.pathExtension == "xcdatamodel" {
      do {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      } catch {
        throw DiagnosticList([
          Diagnostic(
            .error, code: "file.unwritable", problem: "the folder '\(url.relativePath)' cannot be made",
            remedy: "check that you may write there, and that no file is in its place")
        ])
      }
      file = url.appending(path: "contents", directoryHint: .notDirectory)
    }
    try FileReplacement.write(Data(text(of: model).utf8), to: file)
  }
}
