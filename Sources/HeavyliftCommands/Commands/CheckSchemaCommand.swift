import Foundation
import Heavylift

/// `heavylift schema check BUNDLE`: compares the versions of a schema with their frozen models.
package struct CheckSchemaCommand: Command {
  package static let description = CommandDescription(
    name: "schema check", abstract: "Compare versions of a schema with their frozen models",
    discussion: """
      Finds versions that have changed since 'schema freeze', with each property that differs; versions that were \
      never frozen; and frozen models that no longer have their recorded checksum. A difference that does not change a \
      version hash, such as a default value, is a note.

      The versions are those of MODEL, or without MODEL the ones that your own tool registers. If the tool registers \
      none, only the frozen models and their stores are checked.

      Exits with 2 if there are errors, so run it in continuous integration.
      """,
    arguments: SchemaOptions.arguments(),
    options: [
      SchemaOptions.version("Check"),
      .init(flag: "strict", help: "Exit with 2 for notes and warnings, too."),
    ],
    examples: [
      .init("schema check Frozen/Music.xcdatamodeld", "Checks the versions that your own tool registers."),
      .init(
        "schema check Frozen/Music.xcdatamodeld Music.xcdatamodeld", "Checks the versions of a bundle."),
    ])

  package var options: SchemaOptions
  package var isStrict: Bool
  package var writesJSON: Bool

  /// Creates the command.
  package init(_ options: SchemaOptions, isStrict: Bool = false, writesJSON: Bool = false) {
    self.options = options
    self.isStrict = isStrict
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(SchemaOptions(arguments), isStrict: arguments.has("strict"), writesJSON: arguments.has("json"))
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    let frozen = try FrozenVersions(path: options.bundle, io)
    let hasVersions =
      try options.model != nil || options.version != nil || !io.code.versions(frozenAt: frozen.path).isEmpty
    let versions = hasVersions ? try options.versions(io).versions : []
    var findings = FindingList()
    for version in versions { findings.add(diagnostics(for: version, frozen), about: frozen.path) }
    findings.add(try integrity(of: frozen, io), about: frozen.path)
    try findings.write(to: io, asJSON: writesJSON)
    let isNegative = findings.has(.error) || isStrict && !findings.diagnostics.isEmpty
    return isNegative ? .negative : .success
  }

  private func diagnostics(for version: ModelBundle.Version, _ frozen: FrozenVersions) -> [Diagnostic] {
    guard let model = frozen.model(named: version.name) else {
      // A version that has a checksum, but no model, is reported with the checksums.
      guard frozen.checksums.checksums[version.name] == nil else { return [] }
      return [
        Diagnostic(
          .error, code: "schema.not-frozen", problem: "version \(version.name.quotedName) is not frozen",
          remedy: "freeze it before you release it: 'schema freeze'")
      ]
    }
    // Parts that a model file cannot state were reported when the version was frozen.
    do {
      return VersionDrift(of: version.name, from: model, to: try FrozenForm(version).model).diagnostics
    } catch {
      return error.diagnostics
    }
  }

  /// Compares the frozen models with their checksums and stores.
  private func integrity(of frozen: FrozenVersions, _ io: CommandIO) throws -> [Diagnostic] {
    var found: [Diagnostic] = []
    for version in frozen.bundle.versions {
      let name = version.name
      switch frozen.checksums.checksums[name] {
      case nil:
        found.append(
          Diagnostic(
            .error, code: "schema.no-checksum",
            problem: "frozen version \(name.quotedName) has no checksum in "
              + frozen.checksumPath.quotedName,
            remedy: "if 'schema freeze' was interrupted, run it again; otherwise, restore the file from your repository"
          ))
      case version.model.versionChecksum?: break
      default:
        found.append(frozen.disagreement(about: name, version.model))
      }
      let store = frozen.storePath(ofVersion: name)
      guard FileManager.default.fileExists(atPath: io.url(store).path) else { continue }
      do {
        try FrozenStore.check(io.url(store), shownAs: store, version: name, model: version.model)
      } catch {
        found += ErrorReport(error).diagnostics
      }
    }
    for name in frozen.checksums.checksums.keys.sorted() where frozen.model(named: name) == nil {
      found.append(
        Diagnostic(
          .error, code: "schema.missing-version",
          problem: "\(frozen.checksumPath.quotedName) has a checksum of version \(name.quotedName), but there is no "
            + frozen.path(ofVersion: name).quotedName,
          remedy: "restore the model from your repository; stores of this version exist"))
    }
    return found
  }
}
