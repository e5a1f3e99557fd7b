/// Returns the elements for a statistical function; nil if the operand is nil.
func collected(
  _ operand: ExpressionValue, _ name: String
) throws(EvaluationMistake) -> [ExpressionValue]? {
  if operand.isNull { return nil }
  guard let elements = operand.elements else {
    throw .wrongOperand(of: name, expected: "a collection", found: operand.kind)
  }
  return elements
}

/// Returns the numbers among elements, skipping nil. Anything else is an error.
func numbers(in elements: [ExpressionValue], of name: String) throws(EvaluationMistake) -> [Number] {
  var numbers: [Number] = []
  for element in elements where !element.isNull {
    guard let number = Number(element) else {
      throw .wrongOperand(of: name, expected: "numbers", found: element.kind)
    }
    numbers.append(number)
  }
  return numbers
}

/// The number of elements in a collection, including nil.
enum Count: UnaryFunction {
  static let function = BuiltinFunction.count

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    if case .dictionary(let values) = operand { return .integer(Int64(values.count)) }
    guard let elements = try collected(operand, name) else { return .null }
    return .integer(Int64(elements.count))
  }
}

/// The sum of a collection of numbers; 0 for an empty collection.
enum Sum: UnaryFunction {
  static let function = BuiltinFunction.sum

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let elements = try collected(operand, name) else { return .null }
    return try total(elements, of: name)
  }

  /// Returns the sum. `@sum` passes its own name, for messages.
  static func total(_ elements: [ExpressionValue], of name: String) throws(EvaluationMistake) -> ExpressionValue {
    var sum = ExpressionValue.integer(0)
    for number in try numbers(in: elements, of: name) {
      do {
        sum = try Addition.call(sum, number.value)
      } catch .overflow {
        throw .overflow(name)
      }
    }
    return sum
  }
}

/// The mean of a collection of numbers; 0 for an empty collection, as in KVC.
enum Average: UnaryFunction {
  static let function = BuiltinFunction.average

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let elements = try collected(operand, name) else { return .null }
    return try mean(elements, of: name)
  }

  /// Returns the mean. `@avg` passes its own name, for messages.
  static func mean(_ elements: [ExpressionValue], of name: String) throws(EvaluationMistake) -> ExpressionValue {
    let counted = elements.filter { !$0.isNull }
    if counted.isEmpty { return .integer(0) }
    let sum = try Sum.total(counted, of: name)
    if case .decimal = sum { return try Division.call(sum, .integer(Int64(counted.count))) }
    return .double((Number(sum)?.double ?? .nan) / Double(counted.count))
  }
}

/// The median of a collection: the middle number, or the mean of the two in the middle; an error if there are no
/// numbers.
enum Median: UnaryFunction {
  static let function = BuiltinFunction.median

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let elements = try collected(operand, name) else { return .null }
    let numbers = try numbers(in: elements, of: name)
    if numbers.contains(where: \.isNaN) { return .double(.nan) }
    let sorted = numbers.sorted { $0.order(to: $1) == .less }
    if sorted.isEmpty { throw .emptyCollection(name) }
    let middle = sorted.count / 2
    if sorted.count % 2 == 1 { return sorted[middle].value }
    return try Average.mean([sorted[middle - 1].value, sorted[middle].value], of: name)
  }
}

/// All numbers that occur most often in a collection, as an array.
enum Mode: UnaryFunction {
  static let function = BuiltinFunction.mode

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let elements = try collected(operand, name) else { return .null }
    var occurrences: [Number: Int] = [:]
    var distinct: [Number] = []
    for number in try numbers(in: elements, of: name) {
      if occurrences[number] == nil { distinct.append(number) }
      occurrences[number, default: 0] += 1
    }
    let most = occurrences.values.max()
    return .array(distinct.filter { occurrences[$0] == most }.map(\.value))
  }
}

/// The population standard deviation of a collection of numbers; an error if there are none.
enum StandardDeviation: UnaryFunction {
  static let function = BuiltinFunction.stddev

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let elements = try collected(operand, name) else { return .null }
    let values = try numbers(in: elements, of: name).map(\.double)
    if values.isEmpty { throw .emptyCollection(name) }
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.map { ($0 - mean) * ($0 - mean) }
    return .double((squares.reduce(0, +) / Double(values.count)).squareRoot())
  }
}

/// Returns the least value if `wanted` is `.less`, the greatest if it is `.greater`; nil if there is no value.
///
/// Ignores nil, and also NaN unless there is no other number.
func extreme(
  of elements: [ExpressionValue], wanted: ValueOrder, _ name: String
) throws(EvaluationMistake) -> ExpressionValue? {
  var best: ExpressionValue?
  for element in elements where !element.isNull {
    guard let current = best else {
      best = element
      continue
    }
    if Number(current)?.isNaN == true, Number(element) != nil {
      best = element
    } else if try order(element, current, options: [], for: name) == wanted {
      best = element
    }
  }
  return best
}

/// The least non-nil element of a collection; an error if there is none.
enum Minimum: UnaryFunction {
  static let function = BuiltinFunction.min

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let elements = try collected(operand, name) else { return .null }
    guard let least = try extreme(of: elements, wanted: .less, name) else { throw .emptyCollection(name) }
    return least
  }
}

/// The greatest non-nil element of a collection; an error if there is none.
enum Maximum: UnaryFunction {
  static let function = BuiltinFunction.max

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let elements = try collected(operand, name) else { return .null }
    guard let greatest = try extreme(of: elements, wanted: .greater, name) else { throw .emptyCollection(name) }
    return greatest
  }
}

/// The distinct elements of a collection, in the order of their first occurrence.
enum Distinct: UnaryFunction {
  static let function = BuiltinFunction.distinct

  static func call(_ operand: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    guard let elements = try collected(operand, name) else { return .null }
    return .array(DistinctValues(elements).elements)
  }
}
