import Foundation
import HeavyliftConcurrency
public import HeavyliftModel

/// Finds the mapping file that leads from one model to another.
///
/// ```swift
/// let search = MappingSearch(candidates)
/// let mapping = try search.mapping(from: music1, to: music2)
/// ```
///
/// A file is for a pair of versions if it pins them, embeds them, contains their version hashes or names them. If an
/// Xcode file names a model that does not exist, the version hashes of the entities that it maps decide, as in Core Data.
/// A file that is for other versions is never used. A file without any information about its models is used only if no
/// other file is for these models and the models have every name that the file uses.
public struct MappingSearch: Sendable {
  /// The files, sorted by name with numbers in numeric order: `2` before `10`.
  public var candidates: [MappingCandidate] { contents.value.candidates }
  /// The names of the files, which are not read for this.
  package let files: [String]
  /// The name of the searched location for messages: `'MappingModels'`.
  private let place: String
  /// The files are read when they are first needed: most stores are current.
  private let contents: Deferred<Contents>
  /// Other versions that a file may be for.
  private(set) var versions = KnownVersions([])
  /// The names of further versions, whose models were not read because no file is for them and one of `versions`.
  private var unreadNames: [String] = []
  /// Files that take precedence for their pair of versions, in the order in which they run.
  private var chosen: [String] = []
  /// The candidates that claim to be for a version, for each version that was looked at.
  private var claims = Locked<[VersionSide: Set<Int>]>([:])

  /// The contents of the files.
  private struct Contents: Sendable {
    let candidates: [MappingCandidate]
    let carried: [CarriedHashes]

    init(_ candidates: [MappingCandidate]) {
      self.candidates = candidates.sorted { $0.file.precedesAsCounted($1.file) }
      carried = self.candidates.map(CarriedHashes.init)
    }
  }

  /// Creates a search.
  public init(_ candidates: [MappingCandidate], in place: String = "the given files") {
    self.init(candidates.map(\.file), in: place) { candidates }
  }

  /// Creates a search that reads the files when it first needs them.
  package init(_ files: [String], in place: String, read: @escaping @Sendable () -> [MappingCandidate]) {
    self.files = files
    self.place = place
    contents = Deferred { Contents(read()) }
  }

  /// Returns a search that knows these model versions, so that a file for one of them is not used for another.
  public func knowing(_ versions: [ManagedObjectModel]) -> MappingSearch { knowing(versions, unread: []) }

  /// Returns a search that knows these model versions, and further ones by name.
  package func knowing(_ versions: [ManagedObjectModel], unread names: [String]) -> MappingSearch {
    var search = self
    search.versions = KnownVersions(versions)
    search.claims = Locked([:])
    search.unreadNames = names
    return search
  }

  /// The names of all versions that a file may be for.
  var versionNames: [String] { versions.models.compactMap(\.name) + unreadNames }

  /// Returns a search in which these files take precedence over all others for their pair of versions.
  ///
  /// Several files for one pair run as passes, in this order. Use this for Xcode's files, which cannot declare that
  /// they are passes:
  ///
  /// ```swift
  /// let search = try MappingSearch(contentsOf: folder).choosing([
  ///   "Model2_to_Model3_User.xcmappingmodel", "Model2_to_Model3.xcmappingmodel",
  /// ])
  /// ```
  ///
  /// Throws if one of the files is not among the candidates.
  public func choosing(_ files: [String]) throws(DiagnosticList) -> MappingSearch {
    let known = self.files
    let missing = files.filter { !known.contains($0) }
    guard missing.isEmpty else {
      throw DiagnosticList(
        missing.map {
          Diagnostic(
            .error, code: "mapping.no-such-file", problem: "there is no mapping file \($0.quotedName) in \(place)",
            remedy: known.suggestion(for: $0, kind: "file"))
        })
    }
    var search = self
    search.chosen = files
    return search
  }

  /// Returns the only mapping from one model to the other.
  ///
  /// Throws if there is none or more than one, with the reason why each file was refused.
  public func mapping(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(DiagnosticList) -> MappingCandidate {
    let found = try mappings(from: source, to: destination)
    if found.count == 1 { return found[0] }
    throw DiagnosticList([
      Diagnostic(
        .error, code: "mapping.several-mappings",
        problem: "\(found.count) mappings in \(place) lead \(Self.way(source, destination)), as passes: "
          + found.map(\.file).quotedList,
        remedy: "use 'mappings(from:to:)' to get all of them")
    ])
  }

  /// Returns every mapping from one model to the other: the passes of one migration, in order.
  ///
  /// Throws if there is none, if one of them has mistakes, or if there are several that do not declare that they are
  /// passes.
  ///
  /// - Parameters:
  ///   - source: The model of the old stores.
  ///   - destination: The model of the new stores.
  ///   - mustNameThem: True to consider only files that identify their two models. Between versions that are not
  ///     consecutive, a file that merely might fit is not enough: many versions contain the same names.
  public func mappings(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, mustNameThem: Bool = false
  ) throws(DiagnosticList) -> [MappingCandidate] {
    let tried = trials(from: source, to: destination, mustNameThem: mustNameThem)
    return try found(among: tried, from: source, to: destination).candidates
  }

  /// The mappings that were found, and whether they claim to be for these versions.
  package typealias Found = (candidates: [MappingCandidate], areStated: Bool)

  /// Returns the same as `mappings(from:to:)`, and whether the files claim to be for these versions.
  package func found(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(DiagnosticList) -> Found {
    try found(among: trials(from: source, to: destination, mustNameThem: false), from: source, to: destination)
  }

  /// Returns the mappings that claim to be for these versions; `nil` if there are none.
  ///
  /// Creates no message in that case: with many versions, nearly all pairs have no mapping.
  package func stated(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(DiagnosticList) -> Found? {
    let claiming = candidates(claiming: source, as: .source)
    guard !claiming.isDisjoint(with: candidates(claiming: destination, as: .destination)) else {
      return nil
    }
    let tried = trials(from: source, to: destination, mustNameThem: true)
    if tried.best == nil, !tried.refusals.contains(where: \.isMeant) { return nil }
    return try found(among: tried, from: source, to: destination)
  }

  /// The result of trying each candidate for a pair of models.
  private struct Trials {
    var fits: [(candidate: MappingCandidate, evidence: MappingEvidence)] = []
    var refusals: [Refusal] = []

    /// The best evidence; nil if it is not strong enough to justify using a file.
    var best: MappingEvidence? {
      guard let best = fits.map(\.evidence).max(), best >= .notedName || !refusals.contains(where: \.isMeant) else {
        return nil
      }
      return best
    }
  }

  private struct VersionSide: Hashable {
    var name: String?
    var state: ManagedObjectModel.State
    var side: MappingSide
  }

  /// Returns the numbers of the candidates that say that a version is the one that they are for, even if they do not match
  /// it any more.
  ///
  /// Each version is compared with each candidate once, rather than each pair of versions: a candidate that says nothing
  /// about one of them is not for the pair.
  private func candidates(claiming version: ManagedObjectModel, as side: MappingSide) -> Set<Int> {
    let key = VersionSide(name: version.name, state: version.state, side: side)
    if let known = claims.withLock({ $0[key] }) { return known }
    let (candidates, carried) = (contents.value.candidates, contents.value.carried)
    let found = candidates.indices.filter { number in
      guard let mapping = candidates[number].mappingModel else { return false }
      return MappingTrial(
        candidate: candidates[number], mapping: mapping, carried: carried[number], source: version,
        destination: version, known: versions
      ).isClaim(side)
    }
    claims.withLock { $0[key] = Set(found) }
    return Set(found)
  }

  private func trials(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, mustNameThem: Bool
  ) -> Trials {
    var trials = Trials()
    for (candidate, carried) in zip(contents.value.candidates, contents.value.carried) {
      guard let mapping = candidate.mappingModel else {
        trials.refusals.append(Refusal(file: candidate.file, reasons: { ["it cannot be read"] }))
        continue
      }
      let trial = MappingTrial(
        candidate: candidate, mapping: mapping, carried: carried, source: source, destination: destination,
        known: versions)
      switch trial.verdict() {
      case .fits(let evidence) where mustNameThem && evidence < .notedName:
        trials.refusals.append(
          Refusal(file: candidate.file, reasons: { ["it does not say that it is for these models"] }))
      case .fits(let evidence): trials.fits.append((candidate, evidence))
      case .refused(let reasons, let isMeant):
        trials.refusals.append(Refusal(file: candidate.file, reasons: reasons, isMeant: isMeant))
      }
    }
    return trials
  }

  private func found(
    among trials: Trials, from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(DiagnosticList) -> Found {
    guard let best = trials.best else {
      let unreadable = candidates.filter { $0.mappingModel == nil }.flatMap(\.diagnostics)
      throw DiagnosticList(
        [refusal(source, destination, trials.refusals)] + unreadable.filter { $0.severity == .error })
    }
    // A file that names both versions counts as much as one that pins or embeds them; any weaker evidence counts less.
    let rank = min(best, .modelName)
    let found = trials.fits.filter { min($0.evidence, .modelName) == rank }.map(\.candidate)
    let mistakes = found.flatMap(\.diagnostics).filter { $0.severity == .error }
    if !mistakes.isEmpty { throw DiagnosticList(mistakes) }
    let explicit = chosen.compactMap { file in trials.fits.first { $0.candidate.file == file }?.candidate }
    let passes = MappingPasses(explicit.isEmpty ? found : explicit, areChosen: !explicit.isEmpty)
    let ordered = try passes.ordered(leading: Self.way(source, destination), in: place)
    return (ordered.map { $0.named(like: source, destination) }, best >= .notedName)
  }

  // MARK: Refusals

  private struct Refusal {
    var file: String
    var reasons: () -> [String]
    var isMeant = false
  }

  private func refusal(
    _ source: ManagedObjectModel, _ destination: ManagedObjectModel, _ refusals: [Refusal]
  ) -> Diagnostic {
    let start = "no mapping in \(place) leads \(Self.way(source, destination))"
    guard !refusals.isEmpty else {
      return Diagnostic(
        .error, code: "mapping.no-mapping", problem: "\(start): no mapping files were found",
        remedy: "write one, or infer one")
    }
    let most = 4
    let lines = refusals.map { refusal in
      let reasons = refusal.reasons()
      let more = reasons.count > most ? "; and \(reasons.count - most) more" : ""
      return "\n  - \(refusal.file.quotedName): \(reasons.prefix(most).joined(separator: "; "))\(more)"
    }
    let meant = refusals.filter(\.isMeant).map(\.file)
    return Diagnostic(
      .error, code: meant.isEmpty ? "mapping.no-mapping" : "mapping.outdated-mapping",
      problem: "\(start):\(lines.joined())",
      remedy: meant.isEmpty
        ? "write one, or use 'heavylift rebase' to update one that was written for earlier versions of these models"
        : "update \(meant.quotedList) for these models with 'heavylift rebase', or remove "
          + (meant.count == 1 ? "it" : "them"))
  }

  /// The pair of models in words: `from model 'Music 1' to model 'Music 2'`.
  private static func way(_ source: ManagedObjectModel, _ destination: ManagedObjectModel) -> String {
    func shown(_ model: ManagedObjectModel) -> String {
      model.name.map { "model \($0.quotedName)" } ?? "a model without a name"
    }
    return "from \(shown(source)) to \(shown(destination))"
  }
}
