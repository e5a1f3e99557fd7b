import Foundation
import HeavyliftModel

/// `CAST(value, "Type")`.
///
/// A value that cannot be converted is an error: a non-numeric string must not become 0 in a migrated store, and a
/// number with many digits must not become another number.
enum Cast: String, CaseIterable, Sendable {
  case date = "NSDate"
  case number = "NSNumber"
  case string = "NSString"
  case decimal = "NSDecimalNumber"
  case array = "NSArray"
  case set = "NSSet"
  case orderedSet = "NSOrderedSet"
  case uuid = "NSUUID"
  case uri = "NSURL"
  case data = "NSData"

  init(typeName: String) throws(EvaluationMistake) {
    if typeName == "Class" { throw .classLookup }
    guard let cast = Cast(rawValue: typeName) else {
      throw .unknownType(typeName, known: Cast.allCases.map(\.rawValue))
    }
    self = cast
  }

  func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    if operand.isNull { return .null }
    guard let converted = try convert(operand) else { throw .notCastable(operand.kind, to: rawValue) }
    return converted
  }

  private func convert(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue? {
    switch self {
    case .date:
      if case .date = operand { return operand }
      if case .string(let text) = operand { return try? .date(DateFormat.description.get().date(text)) }
      return Number(operand).map { .date(Date(timeIntervalSinceReferenceDate: $0.double)) }
    case .number:
      if case .bool = operand { return operand }
      if case .date(let date) = operand { return .double(date.timeIntervalSinceReferenceDate) }
      if case .string(let text) = operand { return try number(text) }
      return Number(operand)?.value
    case .string: return text(operand).map(ExpressionValue.string)
    case .decimal:
      if case .string(let text) = operand { return try decimal(text).map(ExpressionValue.decimal) }
      if case .date(let date) = operand {
        return Decimal(shortest: date.timeIntervalSinceReferenceDate).map(ExpressionValue.decimal)
      }
      return Decimal(expressionValue: operand).map(ExpressionValue.decimal)
    case .array: return operand.elements.map(ExpressionValue.array)
    case .set: return operand.elements.map { .set(DistinctValues($0)) }
    case .orderedSet: return operand.elements.map { .orderedSet(DistinctValues($0)) }
    case .uuid:
      if case .string(let text) = operand { return UUID(uuidString: text).map(ExpressionValue.uuid) }
      if case .uuid = operand { return operand }
      return nil
    case .uri:
      if case .string(let text) = operand { return .uri(text) }
      if case .uri = operand { return operand }
      return nil
    case .data:
      if case .data = operand { return operand }
      return nil
    }
  }

  private func number(_ text: String) throws(EvaluationMistake) -> ExpressionValue? {
    if let number = Int64(text) { return .integer(number) }
    guard let digits = DecimalText(text), let number = Double(text), number.isFinite else { return nil }
    guard digits.isKept(by: number) else { throw .inexactCast(to: rawValue) }
    return .double(number)
  }

  private func decimal(_ text: String) throws(EvaluationMistake) -> Decimal? {
    guard let digits = DecimalText(text), let decimal = Decimal(string: text), !decimal.isNaN else { return nil }
    guard digits.isKept(by: decimal) else { throw .inexactCast(to: rawValue) }
    return decimal
  }

  /// Returns `nil` for very distant dates, which Foundation cannot format, and for NaN, on which it crashes.
  private func text(_ date: Date) -> String? {
    guard date.timeIntervalSinceReferenceDate.isFinite else { return nil }
    if let text = try? DateFormat.description.get().string(date) { return text }
    let text = date.description
    return text.first?.isNumber == true ? text : nil
  }

  private func text(_ operand: ExpressionValue) -> String? {
    switch operand {
    case .string(let text), .uri(let text): text
    case .uuid(let uuid): uuid.uuidString
    case .date(let date): self.text(date)
    default: Number(operand)?.text
    }
  }
}

extension MappingExpression {
  /// The type named by the second argument of `CAST`: a string, or the bare name of a known type as in Xcode's mapping
  /// models; `nil` for anything else.
  package var castTypeName: String? {
    switch kind {
    case .constant(.value(.string(let text))): return text
    case .keyPath(let base, let path):
      guard case .object = base.kind, path.keys.count == 1, case .name(let word)? = path.keys.first else { return nil }
      return Cast(rawValue: word).map(\.rawValue)
    default: return nil
    }
  }
}

extension Number {
  /// The text as `NSNumber` writes it: the shortest that reads back as the same number, with 2.0 as "2".
  var text: String {
    switch self {
    case .integer(let value): return "\(value)"
    case .decimal(let value): return "\(value)"
    // The sign of NaN differs between processors.
    case .double(let value) where value.isNaN: return "nan"
    case .double(let value):
      let text = "\(value)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
  }
}
