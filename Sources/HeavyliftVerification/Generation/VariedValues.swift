import Foundation
import HeavyliftModel

/// Values of one attribute that are likely to reveal mistakes.
struct VariedValues {
  let attribute: AttributeDescription
  let model: ManagedObjectModel
  /// The entity's number, which keeps values of a unique attribute distinct across a hierarchy; `nil` if the attribute
  /// need not be unique.
  private let entityNumber: Int?
  private var isUnique: Bool { entityNumber != nil }

  init(_ attribute: AttributeDescription, model: ManagedObjectModel, entityNumber: Int? = nil) {
    (self.attribute, self.model, self.entityNumber) = (attribute, model, entityNumber)
  }

  /// Returns the attribute's value for a role; `nil` for the model's default.
  func value(_ part: VariedGraph.Part) -> Value? {
    let mayBeNil = attribute.isOptional
    let hasDefault = mayBeNil || !attribute.defaultValue.isNull
    // The values that a transformer or a pattern accepts are unknown.
    if attribute.type == .transformable || attribute.validation.regularExpression != nil {
      if hasDefault { return .none }
      return attribute.type == .transformable ? .data(Data()) : ""
    }
    switch part {
    case .plain:
      // `.none` rather than `nil`, which could be mistaken for the null value.
      if hasDefault, !isUnique { return .none }
      return plain(part)
    case .empty:
      if mayBeNil { return .null }
      if hasDefault, !isUnique { return .none }
      return plain(part)
    case .least, .most: return isUnique ? plain(part) : extreme(part) ?? plain(part)
    }
  }

  /// An ordinary value, different for each role.
  private func plain(_ part: VariedGraph.Part) -> Value {
    let number = (entityNumber ?? 0) * 4 + (VariedGraph.Part.allCases.firstIndex(of: part) ?? 0) + 1
    return switch attribute.type {
    case .integer16, .integer32, .integer64: .integer(clamped(Int64(number)))
    case .boolean: .bool(part == .most)
    case .double, .float: .double(clamped(Double(number) + 0.5))
    case .decimal: .decimal(clamped(Decimal(number)))
    case .string: .string(fitted(isUnique ? "\(number) \(attribute.name)" : "\(part.rawValue) \(attribute.name)"))
    case .date: .date(clamped(Date(timeIntervalSinceReferenceDate: Double(number) * 86_400)))
    case .uuid:
      .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: number))))
    case .uri: .uri("https://example.org/\(number)")
    case .binaryData: .data(Data([UInt8(truncatingIfNeeded: number)]))
    case .composite: composite(part)
    case .transformable, .undefined, .objectID: .null
    }
  }

  /// One end of the attribute's range; `nil` if its type has none.
  private func extreme(_ part: VariedGraph.Part) -> Value? {
    let isMost = part == .most
    switch attribute.type {
    case .integer16, .integer32, .integer64:
      guard let range = attribute.type.integerRange else { return nil }
      return .integer(clamped(isMost ? range.upperBound : range.lowerBound))
    case .double: return .double(clamped(isMost ? 1e15 + 0.125 : -1e-7))
    case .float: return .double(clamped(isMost ? 16_777_216 : -0.5))
    case .decimal:
      return Decimal(string: isMost ? "99999999999999999.999999999" : "-0.000000001").map { .decimal(clamped($0)) }
    case .string: return .string(fitted(isMost ? "Ærø 東京 🎻 e\u{301}\n\"quoted\"" : ""))
    case .date:
      // Past both ends of 32-bit Unix time.
      return .date(clamped(Date(timeIntervalSinceReferenceDate: isMost ? 1_170_197_648.25 : -3_187_296_000)))
    case .uri: return .uri(isMost ? "https://example.org/%C3%A4?q=1#f" : "file:///")
    case .binaryData: return .data(isMost ? Data(0...255) : Data())
    case .composite: return composite(part)
    case .boolean, .uuid, .transformable, .undefined, .objectID: return nil
    }
  }

  private func composite(_ part: VariedGraph.Part) -> Value {
    let elements = attribute.compositeName.flatMap(model.composite(named:))?.elements ?? []
    return .composite(
      Dictionary(
        elements.map { ($0.name, VariedValues($0, model: model).value(part) ?? $0.defaultValue) },
        uniquingKeysWith: { first, _ in first }))
  }

  func clamped(_ number: Int64) -> Int64 {
    min(max(number, attribute.validation.minimum.integer ?? .min), attribute.validation.maximum.integer ?? .max)
  }

  func clamped(_ number: Double) -> Double {
    min(
      max(number, attribute.validation.minimum.double ?? -.infinity), attribute.validation.maximum.double ?? .infinity)
  }

  func clamped(_ number: Decimal) -> Decimal {
    let raised = max(number, attribute.validation.minimum.decimal ?? number)
    return min(raised, attribute.validation.maximum.decimal ?? raised)
  }

  func clamped(_ date: Date) -> Date {
    let raised = max(date, attribute.validation.minimum.date ?? date)
    return min(raised, attribute.validation.maximum.date ?? raised)
  }

  /// Returns the text cut or padded to the allowed length, in UTF-16 code units, as Core Data counts it.
  func fitted(_ text: String) -> String {
    var fitted = text
    while let most = attribute.validation.maximumLength, fitted.utf16.count > max(0, most) { fitted.removeLast() }
    while let least = attribute.validation.minimumLength, fitted.utf16.count < least { fitted += "x" }
    return fitted
  }
}
