import Foundation
public import Heavylift

/// The functions that the bank's mapping calls on `$manager`.
public enum BankFunctions {
  /// The functions, by selector.
  public static var all: [String: MigrationFunction] {
    [
      "dateFromNumericRepresentation:": MigrationFunction { (seconds: Double?) in
        seconds.map { Date(timeIntervalSince1970: $0) }
      }
    ]
  }
}
