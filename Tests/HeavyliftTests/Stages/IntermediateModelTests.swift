import Foundation
import Heavylift
import HeavyliftTestSupport
import Testing

/// Everything that an intermediate model does about a difference between two versions.
///
/// Each case has its account in a file under `Fixtures/Stages`. After a change,
/// `HEAVYLIFT_UPDATE=1 swift test --filter IntermediateModelTests` rewrites them: read them before you commit them.
@Suite struct IntermediateModelTests {
  private static let cases = StageCase.attributes + StageCase.relationships + StageCase.entities

  @Test(arguments: cases.indices) func `a stage does what its account says`(row: Int) throws {
    let row = Self.cases[row]
    let account = try row.account()
    if ProcessInfo.processInfo.environment["HEAVYLIFT_UPDATE"] != nil {
      try account.write(to: row.file, atomically: true, encoding: .utf8)
    }
    #expect(account == (try String(contentsOf: row.file, encoding: .utf8)), "\(row.name)")
  }

  @Test func `each account belongs to a case`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.cases[0].file.deletingLastPathComponent().path)
    #expect(files.sorted() == Self.cases.map(\.file.lastPathComponent).sorted())
  }

  @Test(arguments: cases.indices) func `an intermediate model and its mappings pass all checks`(row: Int) throws {
    let row = Self.cases[row]
    let (old, new) = row.versions
    let intermediate = try IntermediateModel(from: old, to: new)
    #expect(intermediate.model.check().filter { $0.severity != .note } == [], "\(row.name)")
    let expansion = intermediate.expansion.complete(from: old, to: intermediate.model).check()
    #expect(!expansion.hasErrors, "\(row.name)\n\(DiagnosticList(expansion))")
    let contraction = intermediate.contraction?.complete(from: intermediate.model, to: new).check() ?? []
    #expect(!contraction.hasErrors, "\(row.name)\n\(DiagnosticList(contraction))")
  }
}
