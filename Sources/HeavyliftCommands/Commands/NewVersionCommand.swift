import Foundation
import Heavylift

/// `heavylift schema new-version BUNDLE NAME`: copies a version of a bundle under a new name, to edit it.
package struct NewVersionCommand: Command {
  package static let description = CommandDescription(
    name: "schema new-version", abstract: "Copy a version of a bundle under a new name, to edit it",
    discussion: """
      Copies the current version of BUNDLE, or the one given with --from, byte for byte. The copy becomes the current \
      version only with --current; do that when you have edited it and have a mapping.

      For a schema in Swift, 'schema from-model' writes the classes of a version under a new name.
      """,
    arguments: [
      .init("BUNDLE", help: "An .xcdatamodeld."), .init("NAME", help: "The name of the new version."),
    ],
    options: [
      .init("from", value: "VERSION", help: "The version to copy; by default the current one."),
      .init(flag: "current", help: "Make the new version the current one."),
    ],
    examples: [
      .init("schema new-version Library.xcdatamodeld 'Library 3'", "Copies the current version.")
    ])

  package var bundle: String
  package var name: String
  package var original: String?
  package var makesCurrent: Bool
  package var writesJSON: Bool

  /// Creates the command.
  package init(
    bundle: String, name: String, original: String? = nil, makesCurrent: Bool = false, writesJSON: Bool = false
  ) {
    self.bundle = bundle
    self.name = name
    self.original = original
    self.makesCurrent = makesCurrent
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      bundle: arguments[argument: "BUNDLE"], name: arguments[argument: "NAME"],
      original: arguments.value(ofOption: "from"), makesCurrent: arguments.has("current"),
      writesJSON: arguments.has("json"))
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    let source = try ModelSource(path: bundle, url: io.url(bundle))
    guard source.kind == .bundle else {
      throw Diagnostic(
        .error, code: "schema.not-a-bundle", problem: "\(bundle.quotedName) is not a bundle of models",
        remedy: "pass an .xcdatamodeld")
    }
    let mistakes = source.diagnostics.filter {
      // A new current version replaces one that was deleted.
      $0.severity == .error && !(makesCurrent && $0.code == "model-file.unknown-current-version")
    }
    guard mistakes.isEmpty else { throw DiagnosticList(mistakes) }
    let version = try source.version(named: original, option: "--from")
    var models = try ModelBundle(contentsOf: io.url(bundle), file: bundle)
    // On a file system that ignores case, the copy would overwrite a version whose name differs only in case.
    if let taken = models.versions.first(where: { $0.name.lowercased() == name.lowercased() }) {
      throw Diagnostic(
        .error, code: "schema.version-exists",
        problem: "\(bundle.quotedName) already has a version \(taken.name.quotedName)", remedy: "choose another name")
    }
    if !ChecksumFile.canList(name) {
      throw Diagnostic(
        .error, code: "schema.impossible-version-name", problem: "a version cannot be named \(name.quotedName)",
        remedy: "choose a name that has no line breaks and does not begin with a space")
    }
    models.versions.append(ModelBundle.Version(name: name, model: version.model))
    if makesCurrent { models.currentVersionName = name }
    try models.write(to: io.url(bundle))

    let folder = bundle.hasSuffix("/") ? String(bundle.dropLast()) : bundle
    let file = "\(folder)/\(name).xcdatamodel/contents"
    if writesJSON {
      try io.write(
        JSONValue.object([
          ("file", .string(file)), ("copyOf", .string(version.name)),
          ("current", .optional(models.currentVersionName)),
        ]).indented)
    } else {
      let current = models.currentVersionName.map { "; the current version is '\($0)'" } ?? ""
      try io.write(lines: ["\(file): a copy of '\(version.name)'\(current)".shown])
      if original == nil, let newest = source.versions.last?.name, newest != version.name {
        try io.write(lines: ["to copy another version, such as '\(newest)', use --from".shown])
      }
    }
    return .success
  }
}
