import Foundation
import HeavyliftModel

extension SQLTranslation {
  /// Translates `FUNCTION` on a value: the SQL calls the built-in function.
  mutating func translateCall(
    _ receiver: MappingExpression, _ selector: String, _ arguments: [MappingExpression], in form: NaNForm,
    at range: SourceRange
  ) throws(NotTranslated) -> SQLTerm {
    let functions = translator.functions
    let onObjects = NotTranslated("function '\(selector)' is called on objects", at: range)
    guard functions.candidates(selector).contains(where: { !$0.isOfObject }) else { throw onObjects }
    let target = try translate(receiver, in: .marked)
    guard !target.kind.isObject else { throw onObjects }
    var operands: [SQLTerm] = []
    for argument in arguments { operands.append(try translate(argument, in: .marked)) }
    // If the receiver is nil, the evaluator does not evaluate the arguments.
    if operands.contains(where: \.mayFail) {
      throw NotTranslated("an argument of function '\(selector)' can fail", at: range)
    }
    guard !operands.contains(where: \.kind.isObject) else {
      throw NotTranslated("an object is an argument of function '\(selector)'", at: range)
    }
    let kind = try resultKind(of: selector, on: target.kind, at: range)
    let constants = operands.compactMap(\.constant)
    if let constant = target.constant, constants.count == operands.count {
      return try folded(in: form, at: range) { try functions.call(selector, on: constant, constants) ?? .null }
    }
    // A date that is read from a string is a number of seconds.
    let mayBeNaN = kind.canBeNaN && !(kind == .date && target.kind == .string)
    let called = SQLFunction.registered(
      selector, in: functions, [target.kind] + operands.map(\.kind), marksNaN: mayBeNaN && form == .marked)
    return SQLTerm(
      text: call(called, [target.text] + operands.map(\.text), at: range), kind: kind, mayFail: true,
      mayBeNaN: mayBeNaN)
  }

  /// Returns the kind of values that a function returns if its receiver is of a kind.
  private func resultKind(
    of selector: String, on receiver: SQLKind, at range: SourceRange
  ) throws(NotTranslated) -> SQLKind {
    guard let sample = receiver.sample else {
      throw NotTranslated("function '\(selector)' is called on nil", at: range)
    }
    let accepting = translator.functions.candidates(selector).filter { $0.accepts(sample) }
    guard let function = accepting.first else {
      throw NotTranslated("\(receiver.phrase) has no function '\(selector)'", at: range)
    }
    guard accepting.allSatisfy(\.isBuiltIn) else {
      throw NotTranslated("function '\(selector)' is defined by the program", at: range)
    }
    guard let kind = SQLKind(function.signature.resultType.kind) else {
      throw NotTranslated("the result of function '\(selector)' has no column", at: range)
    }
    return kind
  }
}

extension SQLKind {
  /// A value of the kind, to find the functions that accept it; nil if there is none.
  fileprivate var sample: ExpressionValue? {
    switch self {
    case .null, .object: nil
    case .bool: .bool(false)
    case .integer: .integer(0)
    case .double, .number: .double(0)
    case .decimal: .decimal(0)
    case .string: .string("")
    case .date: .date(.distantPast)
    case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    case .uri: .uri("")
    case .data: .data(Data())
    }
  }

  /// Returns `nil` for types whose values do not fit into one column, or are unknown.
  fileprivate init?(_ type: ExpressionType.Kind) {
    switch type {
    case .boolean: self = .bool
    case .integer: self = .integer
    case .double: self = .double
    case .decimal: self = .decimal
    case .string: self = .string
    case .date: self = .date
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .data: self = .data
    default: return nil
    }
  }
}
