import Foundation

extension ExpressionValue: Hashable {
  /// Compares like `isEqual:`: numbers by value, strings by scalars, objects by identity.
  public static func == (lhs: ExpressionValue, rhs: ExpressionValue) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.string(let left), .string(let right)), (.uri(let left), .uri(let right)): hasSameScalars(left, right)
    case (.date(let left), .date(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.set(let left), .set(let right)): left.hasSameMembers(as: right)
    case (.orderedSet(let left), .orderedSet(let right)): left.elements == right.elements
    case (.dictionary(let left), .dictionary(let right)): left == right
    case (.object(let left), .object(let right)):
      left === right || left.identity.map { $0 == right.identity } ?? false
    default:
      if let left = Number(lhs), let right = Number(rhs) { left.order(to: right) == .same } else { false }
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool, .integer, .double, .decimal: Number(self)?.hash(into: &hasher)
    case .string(let text), .uri(let text): hashScalars(of: text, into: &hasher)
    case .date(let date): hasher.combine(date)
    case .uuid(let uuid): hasher.combine(uuid)
    case .data(let data): hasher.combine(data)
    case .array(let elements): hasher.combine(elements)
    case .set(let values): hasher.combine(values.count)
    case .orderedSet(let values): hasher.combine(values.elements)
    case .dictionary(let values): hasher.combine(values.count)
    case .object(let object):
      if let identity = object.identity {
        hasher.combine(identity)
      } else {
        hasher.combine(ObjectIdentifier(object))
      }
    }
  }
}

/// Returns true if two strings have the same scalars. `==` of `String`, and `isEqual` of Linux's `NSString`, treat a
/// composed letter and its decomposed form as equal; `isEqual:` on Core Data's platforms and SQLite's BINARY collation
/// do not.
func hasSameScalars(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

/// Hashes what `hasSameScalars` compares.
func hashScalars(of text: String, into hasher: inout Hasher) {
  var text = text
  text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
}
