import HeavyliftModel

/// The diagnostics from reading one of Xcode's mapping models.
struct XcodeMappingFindings {
  private(set) var diagnostics: [Diagnostic] = []
  /// Findings that were already reported.
  private var told: Set<String> = []

  mutating func report(
    _ severity: Diagnostic.Severity, _ code: String, _ problem: String, _ remedy: String?,
    at location: DiagnosticLocation?
  ) {
    diagnostics.append(
      Diagnostic(severity, code: "mapping-file.\(code)", problem: problem, remedy: remedy, location: location))
  }

  /// Adds another reader's diagnostic about a part of the file, at the location of that part.
  mutating func report(_ diagnostic: Diagnostic, at location: DiagnosticLocation?) {
    var diagnostic = diagnostic
    diagnostic.location = location
    diagnostics.append(diagnostic)
  }

  mutating func report(_ others: [Diagnostic]) { diagnostics += others }

  /// Notes something that Xcode is not known to write.
  mutating func noteUnknown(_ what: String, at location: DiagnosticLocation?) {
    guard told.insert(what).inserted else { return }
    report(.note, "unknown", "the file has \(what), which is unknown", "it is ignored", at: location)
  }
}
