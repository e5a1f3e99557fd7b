import Foundation
import Heavylift
import HeavyliftVerification

/// Two stores, and the versions that mappings expect them to have.
struct VerifiedStores {
  let old: String
  let new: String
  let source: MappedModels.Side
  let destination: MappedModels.Side
  /// The paths of the mappings, in order.
  let mappings: [String]

  /// - Throws: `Diagnostic` if a store has another version that can be named.
  func requireVersions(_ io: CommandIO) throws {
    let (before, after) = (try version(of: old, source, io), try version(of: new, destination, io))
    guard before == nil || after == nil || before != destination.name || after != source.name else {
      throw Self.exchanged(old, new)
    }
    let remedy =
      "give one mapping for each hop between the stores, in order; 'verify OLD NEW -m FOLDER' finds them on its own"
    if let before {
      throw Diagnostic(
        .error, code: "verify.version",
        problem: "store '\(old)' has version '\(before)', but mapping '\(mappings.first ?? "")' starts at version "
          + "'\(source.name)'", remedy: remedy)
    }
    if let after {
      throw Diagnostic(
        .error, code: "verify.version",
        problem: "store '\(new)' has version '\(after)', but mapping '\(mappings.last ?? "")' leads to version "
          + "'\(destination.name)'", remedy: remedy)
    }
  }

  static func exchanged(_ old: String, _ new: String) -> Diagnostic {
    Diagnostic(
      .error, code: "verify.version", problem: "store '\(old)' has the newer version, and '\(new)' the older one",
      remedy: "name the store as it was before the migration first")
  }

  /// Returns the name of a store's version if it is another one of the same models; otherwise `nil`.
  private func version(of store: String, _ side: MappedModels.Side, _ io: CommandIO) throws -> String? {
    let file = try StoreFile(url: io.url(store), mode: .readOnly)
    defer { try? file.close() }
    if (try? file.model(among: [side.model])) != nil { return nil }
    let paths = Set([source.path, destination.path].compactMap(\.self)).sorted()
    let versions = paths.flatMap { path in
      (try? ModelSource(path: path, url: io.url(path)).validVersions()) ?? []
    }
    guard let fit = try? file.model(among: versions.map(\.model)) else { return nil }
    return versions.first { $0.model.versionHashes == fit.model.versionHashes }?.name
  }
}
