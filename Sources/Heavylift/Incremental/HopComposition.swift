import HeavyliftMapping
import HeavyliftModel

/// Composes consecutive inferred hops into one, so that rows move once and are checked once.
///
/// One mapping, inferred from the first version to the last, replaces several hops only if its result is certainly the
/// same as theirs, and if none of them would have reported anything that it does not report.
struct HopComposition {
  private let hops: [MigrationHop]
  private let lineages: VersionLineages
  /// Warnings and errors about each hop, once they have been asked for.
  private var findings: [Int: [Diagnostic]] = [:]

  init(_ hops: [MigrationHop]) {
    self.hops = hops
    lineages = VersionLineages(hops.prefix(1).map(\.sourceModel) + hops.map(\.destinationModel))
  }

  /// The hops of a plan, and for each of them the reason it was not composed with the next one; `nil` for the last hop and
  /// where one of the two is not inferred.
  struct Result: Sendable {
    var hops: [MigrationHop] = []
    var reasons: [String?] = []
  }

  mutating func composed() -> Result {
    var result = Result()
    var start = 0
    while start < hops.count {
      let (hop, end, reason) = longest(from: start)
      result.hops.append(hop)
      result.reasons.append(reason)
      start = end
    }
    return result
  }

  /// Returns the hop that replaces as many hops as possible, the number of the first hop after them, and the reason that
  /// hop is not composed with them.
  private mutating func longest(from start: Int) -> (hop: MigrationHop, end: Int, reason: String?) {
    let run = hops[start...].prefix(while: \.isPlainlyInferred)
    guard run.count > 1 else { return (hops[start], start + 1, nil) }
    var (found, foundEnd) = (hops[start], start + 1)
    var (least, most) = (start + 2, run.endIndex)
    var (next, reason) = (most, String?.none)
    while least <= most {
      switch attempt(start, next) {
      case .success(let hop):
        (found, foundEnd, least) = (hop, next, next + 1)
      case .failure(let cut):
        (reason, most) = (cut.reason, next - 1)
      }
      next = (least + most + 1) / 2
    }
    return (found, foundEnd, foundEnd == run.endIndex ? nil : reason)
  }

  private struct Cut: Error {
    var reason: String
  }

  private mutating func attempt(_ start: Int, _ end: Int) -> Swift.Result<MigrationHop, Cut> {
    do {
      return .success(try composition(start, end))
    } catch {
      return .failure(error)
    }
  }

  private mutating func composition(_ start: Int, _ end: Int) throws(Cut) -> MigrationHop {
    for number in start..<end {
      if number > start, hops[number].sourceModel != hops[number - 1].destinationModel {
        throw Cut(reason: "\(hops[number].title) starts from another version with the same version hashes")
      }
      // The author sees the mistake with the versions that it is about.
      if let error = findings(about: number).first(where: { $0.severity == .error }) {
        throw Cut(reason: error.problem)
      }
    }
    let findingsOfParts = (start..<end).flatMap { findings[$0] ?? [] }
    if let reason = VersionComparison(lineages, start...end).difference { throw Cut(reason: reason) }
    let (source, destination) = (hops[start].sourceModel, hops[end - 1].destinationModel)
    let mapping: MappingModel
    do {
      mapping = try MappingModel.inferred(
        from: source, to: destination, succession: lineages.succession(start...end))
    } catch {
      throw Cut(reason: error.diagnostics.first?.problem ?? "no mapping can be inferred")
    }
    var hop = MigrationHop(
      sourceModel: source, destinationModel: destination, mappings: [mapping], origin: .inferred)
    if let error = hop.findings.first(where: { $0.severity == .error }) { throw Cut(reason: error.problem) }
    hop.versionsBetween = hops[start..<end - 1].map(\.destinationModel.title)
    hop.findingsOfParts = findingsOfParts
    return hop
  }

  /// Returns the warnings and errors about a hop. One that only adds something needs none.
  private mutating func findings(about number: Int) -> [Diagnostic] {
    if let known = findings[number] { return known }
    let hop = hops[number]
    let found = VersionComparison(lineages, number...number + 1).losesProperties ? hop.findings : []
    findings[number] = found
    return found
  }
}

extension MigrationHop {
  fileprivate var findings: [Diagnostic] {
    completedMappings.flatMap { $0.check() }.filter { $0.severity != .note }
  }

  fileprivate var isPlainlyInferred: Bool { origin == .inferred && jump == nil }
}
