import Foundation
public import HeavyliftModel

/// Finds among mapping files the one that leads from one model to another.
///
/// ```swift
/// let search = MappingSearch(candidates)
/// let mapping = try search.mapping(from: music1, to: music2)
/// ```
///
/// A file is for a pair of models if it pins them, or carries them, or states their version hashes; or else names them;
/// or else, where it says nothing of its models, if they have all that it names. Better evidence goes before worse: a
/// file that merely could be meant is passed over for one that says so.
public struct MappingSearch: Sendable {
  /// The files, in the order in which a person counts: `2`, `10`.
  public let candidates: [MappingCandidate]
  /// What is searched, as messages call it: `'MappingModels'`.
  private let place: String

  /// Creates a search.
  public init(_ candidates: [MappingCandidate], in place: String = "what was given") {
    self.candidates = candidates.sorted { Self.precedesAsCounted($0.file, $1.file) }
    self.place = place
  }

  /// The only mapping from one model to the other.
  ///
  /// Throws if there is none, or several; says of each file that was looked at why it was refused.
  public func mapping(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(DiagnosticList) -> MappingCandidate {
    let found = try mappings(from: source, to: destination)
    if found.count == 1 { return found[0] }
    throw DiagnosticList([
      Diagnostic(
        .error, code: "mapping.several-mappings",
        problem: "\(found.count) mappings in \(place) lead \(Self.way(source, destination)): "
          + found.map(\.file).quotedList,
        remedy:
          "name the one that is meant, or ask for all of them as passes of one migration; if only one is for these "
          + "models, pin the models of each")
    ])
  }

  /// Every mapping from one model to the other, in order of file name: the passes of one migration.
  ///
  /// Throws if there is none, or if one of them has mistakes.
  ///
  /// - Parameter mustNameThem: Whether only those count that say which two models they are for. Between versions that do
  ///   not follow each other, one that merely could be meant is not: what it names is in many versions.
  public func mappings(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, mustNameThem: Bool = false
  ) throws(DiagnosticList) -> [MappingCandidate] {
    var fits: [(candidate: MappingCandidate, evidence: MappingEvidence)] = []
    var refusals: [(file: String, reasons: [String])] = []
    for candidate in candidates {
      guard let mapping = candidate.mappingModel else {
        refusals.append((candidate.file, ["it cannot be read"]))
        continue
      }
      let trial = MappingTrial(
        candidate: candidate, mapping: mapping, source: source, destination: destination)
      switch trial.verdict() {
      case .fits(let evidence) where mustNameThem && evidence < .modelName:
        refusals.append((candidate.file, ["it does not say that it is for these models"]))
      case .fits(let evidence): fits.append((candidate, evidence))
      case .refused(let reasons): refusals.append((candidate.file, reasons))
      }
    }
    let unreadable = candidates.filter { $0.mappingModel == nil }.flatMap(\.diagnostics)
    guard let best = fits.map(\.evidence).max() else {
      throw DiagnosticList([refusal(source, destination, refusals)] + unreadable.filter { $0.severity == .error })
    }
    let found = fits.filter { $0.evidence == best }.map(\.candidate)
    let mistakes = found.flatMap(\.diagnostics).filter { $0.severity == .error }
    if !mistakes.isEmpty { throw DiagnosticList(mistakes) }
    return found
  }

  private func refusal(
    _ source: ManagedObjectModel, _ destination: ManagedObjectModel, _ refusals: [(file: String, reasons: [String])]
  ) -> Diagnostic {
    let start = "no mapping in \(place) leads \(Self.way(source, destination))"
    guard !refusals.isEmpty else {
      return Diagnostic(
        .error, code: "mapping.no-mapping", problem: "\(start): there is no mapping file at all",
        remedy: "write one, or have one inferred")
    }
    let most = 4
    let lines = refusals.map { refusal in
      let more = refusal.reasons.count > most ? "; and \(refusal.reasons.count - most) more" : ""
      return "\n  - \(refusal.file.quotedName): \(refusal.reasons.prefix(most).joined(separator: "; "))\(more)"
    }
    return Diagnostic(
      .error, code: "mapping.no-mapping", problem: "\(start):\(lines.joined())",
      remedy: "write one, or carry one that was written for earlier versions of these models over with rebase")
  }

  /// `from model 'Music 1' to model 'Music 2'`.
  private static func way(_ source: ManagedObjectModel, _ destination: ManagedObjectModel) -> String {
    func shown(_ model: ManagedObjectModel) -> String {
      model.name.map { "model \($0.quotedName)" } ?? "a model without a name"
    }
    return "from \(shown(source)) to \(shown(destination))"
  }

  private static func precedesAsCounted(_ left: String, _ right: String) -> Bool {
    let order = left.compare(right, options: [.numeric, .caseInsensitive])
    return order == .orderedSame ? left < right : order == .orderedAscending
  }
}
