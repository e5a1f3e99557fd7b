import Heavylift
import HeavyliftConcurrency
import HeavyliftVerification

/// Verifies the hops of a migration as they finish.
final class HopVerification: Sendable {
  private let code: MigrationCode
  private let cancellation: MigrationCancellation
  private let acceptsDamage: Bool
  private let options: MigrationOptions
  /// The width of a line of the report about differences; `nil` for lines of any length.
  private let width: Int?
  /// The reports by hop number, starting at 1.
  var reports: [Int: VerificationReport] { found.withLock { $0 } }
  private let found = Locked<[Int: VerificationReport]>([:])

  /// - Parameter options: The options of each hop.
  init(
    _ code: MigrationCode, _ cancellation: MigrationCancellation, acceptsDamage: Bool, options: MigrationOptions,
    width: Int? = nil
  ) {
    self.options = options
    self.width = width
    self.code = code
    self.cancellation = cancellation
    self.acceptsDamage = acceptsDamage
  }

  /// - Throws: `Diagnostic` if the new store differs from what the mappings declare.
  func verify(_ finished: FinishedHop) throws {
    let hop = finished.hop
    let old = try PersistentStore(url: finished.source, models: [hop.sourceModel], mode: .readOnly)
    defer { try? old.close() }
    let new = try PersistentStore(url: finished.destination, models: [hop.destinationModel], mode: .readOnly)
    defer { try? new.close() }
    // The migration reads the values of missing files as nil, too.
    if acceptsDamage { old.externalData.lostFiles = LostFiles() }
    for store in [old, new] { store.interrupt { [cancellation] in cancellation.isCancelled } }
    var verifier = StoreVerifier(
      source: old, destination: new, mappings: hop.mappings, policies: code.policies, functions: code.functions,
      provenance: try finished.provenance.map { try MigrationProvenance(contentsOf: $0) })
    (verifier.options, verifier.changedEntities) = (options, Set(finished.changedEntities))
    let report: VerificationReport
    do {
      report = try verifier.verify()
    } catch {
      guard cancellation.isCancelled else { throw error }
      throw MigrationError(
        .cancelled, problem: "the verification of \(hop.title) was cancelled", remedy: "nothing was changed",
        underlying: error)
    }
    found.withLock { $0[finished.number] = report }
    guard !report.isClean else { return }
    let lines = VerificationText(report).lines(TextStyle(isOn: false, width: width))
    throw Diagnostic(
      .error, code: "verify.differences",
      problem: "the new store differs from what the mapping declares\n\(lines.joined(separator: "\n"))",
      remedy: "correct the mapping or the policy")
  }
}
