import Foundation
import HeavyliftModel

extension VariedValues {
  /// Returns a value that the attribute may hold; `nil` for the model's default.
  func random(_ random: inout SeededGenerator, _ includesExtremes: Bool) -> Value? {
    guard attribute.type != .transformable, attribute.validation.regularExpression == nil else { return value(.plain) }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return value(.plain)
    case 1: return value(.empty)
    case 2 where includesExtremes: return value(.least)
    case 3 where includesExtremes: return value(.most)
    default: return any(&random)
    }
  }

  /// Returns a value such as real objects have; `nil` for the model's default.
  ///
  /// - Parameter number: The object's number, for an attribute whose values must differ.
  func ordinary(_ random: inout SeededGenerator, number: Int?) -> Value? {
    guard attribute.type != .transformable, attribute.validation.regularExpression == nil else { return value(.plain) }
    if let number {
      switch attribute.type {
      case .integer16, .integer32, .integer64: return .integer(clamped(Int64(number)))
      case .double, .float: return .double(clamped(Double(number)))
      case .decimal: return .decimal(clamped(Decimal(number)))
      case .string: return .string(fitted("\(number) \(attribute.name)"))
      case .uri: return .uri("https://example.org/\(number)")
      default: break
      }
    }
    if attribute.isOptional, Int.random(in: 0..<8, using: &random) == 0 { return .null }
    if attribute.type == .string, Int.random(in: 0..<8, using: &random) > 0 {
      return .string(fitted("\(attribute.name) \(Int.random(in: 1...5_000, using: &random))"))
    }
    return any(&random)
  }

  private static let texts = ["a", "B", "é", "e\u{301}", "東", "12", " ", "🎻", "\"", "\\", "\n", "x", "-", "."]

  private func any(_ random: inout SeededGenerator) -> Value {
    switch attribute.type {
    case .integer16, .integer32, .integer64: return .integer(clamped(Int64.random(in: -20...1_000, using: &random)))
    case .boolean: return .bool(.random(using: &random))
    case .double: return .double(clamped([0, -0.5, 1 / 3, 7, 2.5e9].randomElement(using: &random) ?? 0))
    case .float: return .double(clamped([0, -0.5, 0.25, 7, 65_536].randomElement(using: &random) ?? 0))
    case .decimal: return .decimal(clamped(Decimal(Int.random(in: -5_000...5_000, using: &random)) / 100))
    case .string:
      let count = Int.random(in: 0..<5, using: &random)
      return .string(fitted((0..<count).compactMap { _ in Self.texts.randomElement(using: &random) }.joined()))
    case .date:
      let seconds = Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &random))
      return .date(clamped(Date(timeIntervalSinceReferenceDate: seconds + (.random(using: &random) ? 0.5 : 0))))
    case .uuid:
      var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      (bytes[6], bytes[8]) = (bytes[6] & 0x0F | 0x40, bytes[8] & 0x3F | 0x80)
      return .uuid(UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
    case .uri: return .uri("https://example.org/\(Int.random(in: 0..<100, using: &random))")
    case .binaryData:
      let count = Int.random(in: 0..<40, using: &random)
      return .data(Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }))
    case .composite:
      let elements = attribute.compositeName.flatMap(model.composite(named:))?.elements ?? []
      var values: [String: Value] = [:]
      for element in elements {
        values[element.name] = VariedValues(element, model: model).random(&random, false) ?? element.defaultValue
      }
      return .composite(values)
    case .transformable, .undefined, .objectID: return .null
    }
  }
}
