import Foundation
public import Heavylift

/// What the bank's mapping calls of the manager.
public enum BankFunctions {
  /// By selector.
  public static var all: [String: MigrationFunction] {
    [
      "dateFromNumericRepresentation:": MigrationFunction { (seconds: Double?) in
        seconds.map { Date(timeIntervalSince1970: $0) }
      }
    ]
  }
}
