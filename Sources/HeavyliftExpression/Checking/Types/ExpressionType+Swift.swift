import Foundation
import HeavyliftModel

/// A Swift type with a known expression type; any other type counts as unknown.
protocol ExpressionTyped {
  static var expressionType: ExpressionType { get }
}

extension ExpressionType {
  /// Creates the expression type of a Swift type.
  init(swift type: any ExpressionConvertible.Type) {
    self = (type as? any ExpressionTyped.Type)?.expressionType ?? .unknown
  }
}

extension Bool: ExpressionTyped { static var expressionType: ExpressionType { ExpressionType(.boolean) } }
extension Int: ExpressionTyped { static var expressionType: ExpressionType { ExpressionType(.integer) } }
extension Int64: ExpressionTyped { static var expressionType: ExpressionType { ExpressionType(.integer) } }
extension Int16: ExpressionTyped { static var expressionType: ExpressionType { ExpressionType(.integer) } }
extension Int32: ExpressionTyped { static var expressionType: ExpressionType { ExpressionType(.integer) } }
extension Float: ExpressionTyped { static var expressionType: ExpressionType { ExpressionType(.double) } }
extension Double: ExpressionTyped { static var expressionType: ExpressionType { ExpressionType(.double) } }
extension Decimal: ExpressionTyped { static var expressionType: ExpressionType { ExpressionType(.decimal) } }
extension Number: ExpressionTyped { static var expressionType: ExpressionType { ExpressionType(.number) } }
extension String: ExpressionTyped { static var expressionType: ExpressionType { ExpressionType(.string) } }
extension Date: ExpressionTyped { static var expressionType: ExpressionType { ExpressionType(.date) } }
extension UUID: ExpressionTyped { static var expressionType: ExpressionType { ExpressionType(.uuid) } }
extension URL: ExpressionTyped { static var expressionType: ExpressionType { ExpressionType(.uri) } }
extension Data: ExpressionTyped { static var expressionType: ExpressionType { ExpressionType(.data) } }

extension Optional: ExpressionTyped where Wrapped: ExpressionConvertible {
  static var expressionType: ExpressionType {
    ExpressionType(ExpressionType(swift: Wrapped.self).kind, isNullable: true)
  }
}

extension Array: ExpressionTyped where Element: ExpressionConvertible {
  static var expressionType: ExpressionType {
    ExpressionType(.collection(.array, of: ExpressionType(swift: Element.self).kind))
  }
}

extension Set: ExpressionTyped where Element: ExpressionConvertible {
  static var expressionType: ExpressionType {
    ExpressionType(.collection(.set, of: ExpressionType(swift: Element.self).kind))
  }
}
