import HeavyliftEngine
import HeavyliftModel
import HeavyliftSQLite

extension [Diagnostic] {
  /// The diagnostics that an error of this package consists of; for other errors, one that describes it.
  package init(of error: any Error) {
    switch error {
    case let error as Diagnostic: self = [error]
    case let list as DiagnosticList: self = list.diagnostics
    case let error as MigrationError: self = error.diagnostics
    case let error as StagedMigrationError: self = error.diagnostics
    case let error as HopError: self = [error.diagnostic]
    case let error as SQLiteError:
      self = [
        Diagnostic(.error, code: "sqlite", problem: "\(error.message) (\(error.extendedCode))", remedy: error.remedy)
      ]
    default: self = [Diagnostic(.error, code: "unexpected", problem: "\(error)")]
    }
  }
}
