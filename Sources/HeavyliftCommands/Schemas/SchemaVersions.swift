import Foundation
import Heavylift

/// The versions that a schema command works on: those at a path, or those that the tool's own code registers.
struct SchemaVersions {
  /// The versions; never empty.
  let versions: [ModelBundle.Version]
  /// The path, or the tool's own code, in words.
  let subject: String

  /// - Parameters:
  ///   - path: A model, a bundle of models, or a store; `nil` for the versions that the tool registers.
  ///   - name: The name of the only version to use; `nil` for all.
  ///   - bundle: The bundle of frozen models, which selects a schema of the tool's.
  init(at path: String?, named name: String?, frozenAt bundle: String? = nil, _ io: CommandIO) throws {
    let (all, subject) = try Self.all(at: path, frozenAt: bundle, io)
    self.subject = subject
    guard let name else {
      versions = all
      return
    }
    guard let version = all.first(where: { $0.name == name }) else {
      throw Diagnostic(
        .error, code: "schema.unknown-version", problem: "\(subject) has no version \(name.quotedName)",
        remedy: all.map(\.name).suggestion(forVersion: name))
    }
    versions = [version]
  }

  private static func all(
    at path: String?, frozenAt bundle: String?, _ io: CommandIO
  ) throws -> ([ModelBundle.Version], subject: String) {
    guard let path else { return (try registered(frozenAt: bundle, io), "the tool's own code") }
    guard ModelSource.isModel(path) else {
      let file = try StoreFile(url: io.url(path), mode: .readOnly)
      let fit = try file.model(among: [])
      let name = io.url(path).deletingPathExtension().lastPathComponent
      return ([ModelBundle.Version(name: name, model: fit.model)], path.quotedName)
    }
    let source = try ModelSource(path: path, url: io.url(path))
    return (
      try source.validVersions().map { ModelBundle.Version(name: $0.name, model: $0.model) }, path.quotedName
    )
  }

  private static func registered(frozenAt bundle: String?, _ io: CommandIO) throws -> [ModelBundle.Version] {
    let versions = try io.code.versions(frozenAt: bundle)
    guard !versions.isEmpty else {
      throw Diagnostic(
        .error, code: "schema.no-versions", problem: "no model was given, and this tool has no versions of its own",
        remedy: "pass a model or a store, or build a tool that registers its versions: "
          + "'tool.code.versions = [try ModelBundle.Version(MusicV1.self)]'")
    }
    var seen: Set<String> = []
    if let twice = versions.map(\.name).first(where: { !seen.insert($0).inserted }) {
      throw Diagnostic(
        .error, code: "schema.duplicate-version", problem: "the tool registers two versions named \(twice.quotedName)",
        remedy: "give one of them another name")
    }
    return versions
  }
}
