import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// One step from a version to another, through one mapping model or several, one after the other.
public struct MigrationHop: Hashable, Sendable {
  /// Where the mapping models come from.
  public enum Origin: Hashable, Sendable {
    /// Somebody wrote them: the names of their files.
    case files([String])
    /// They were inferred from the difference of the models, as nobody wrote one.
    case inferred
  }

  /// The version that the hop begins with.
  public var sourceModel: ManagedObjectModel
  /// The version that it ends with.
  public var destinationModel: ManagedObjectModel
  /// In the order in which they run; each has all of its passes before the next begins.
  public var mappings: [MappingModel]
  /// Who says what it does.
  public var origin: Origin
  /// Everything the hop skips, if it was inferred across several versions.
  public var jump: MigrationJump?

  /// Creates a hop.
  public init(
    sourceModel: ManagedObjectModel, destinationModel: ManagedObjectModel, mappings: [MappingModel],
    origin: Origin = .files([]), jump: MigrationJump? = nil
  ) {
    self.jump = jump
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
    self.mappings = mappings
    self.origin = origin
  }

  /// `'Music 1' → 'Music 2'`.
  public var title: String { "'\(sourceModel.name ?? "unnamed")' → '\(destinationModel.name ?? "unnamed")'" }

  /// Where its mappings come from, in words.
  public var reason: String {
    switch origin {
    case .inferred where jump != nil: "a jump over \((jump?.skippedVersions ?? []).quotedList), inferred"
    case .inferred: "inferred, because no mapping file is for it"
    case .files(let names) where names.count > 1: "by \(names.quotedList), one after the other"
    case .files(let names): names.isEmpty ? "by a mapping that was given" : "by \(names.quotedList)"
    }
  }

  /// A digest of all that decides what the hop does, but for policies.
  var digest: String {
    var parts = [ModelWriter.text(of: sourceModel), ModelWriter.text(of: destinationModel)]
    parts += [sourceModel, destinationModel].map(\.versionChecksum)
    // One that has no text was made in code; its description is as good.
    parts += mappings.map { mapping in
      let explicit = mapping.writingOutRemovals(from: sourceModel, to: destinationModel)
      return (try? MappingWriter.text(of: explicit)) ?? "\(explicit)"
    }
    return parts.joined(separator: "\u{0}").digestText
  }
}

extension String {
  /// The SHA-256 of its UTF-8 in hexadecimal digits.
  var digestText: String {
    SHA2<UInt32>.digest(of: utf8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
