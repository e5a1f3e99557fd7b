public import HeavyliftExpression

/// A function that value expressions call by selector: `FUNCTION($entityPolicy, "filename:in:", $source.name,
/// $manager)`.
///
/// ```swift
/// override var functions: [String: MigrationFunction] {
///   ["centimetresFromInches:": MigrationFunction { (inches: Double) in inches * 2.54 }]
/// }
/// ```
///
/// The Swift function can have any parameters that expressions can pass: numbers, strings, dates, data, URLs,
/// `ManagedObject`, arrays and sets of them, optionals, or any `ExpressionValue`. The selector has one colon for each
/// argument.
public struct MigrationFunction {
  let argumentCount: Int
  /// The argument and result types of the Swift function, for checks of the expressions that call it.
  public let signature: FunctionSignature
  private let body: (_ selector: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue

  /// Creates a migration function from a Swift function.
  public init<each Argument: ExpressionConvertible, Result: ExpressionConvertible>(
    _ body: @escaping (repeat each Argument) throws -> Result
  ) {
    var count = 0
    for _ in repeat (each Argument).self { count += 1 }
    argumentCount = count
    signature = FunctionSignature((repeat (each Argument).self), Result.self)
    self.body = { selector, arguments in
      var reader = ArgumentReader(selector, arguments)
      return try body(repeat try reader.next((each Argument).self)).expressionValue
    }
  }

  package func call(_ selector: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue {
    try body(selector, arguments)
  }
}

extension [String: MigrationFunction] {
  /// Reports functions whose selectors do not have one colon for each argument: no expression could call them.
  package func mistakes(of owner: String) -> [Diagnostic] {
    sorted { $0.key < $1.key }.compactMap { selector, function in
      let colons = FunctionRegistry.argumentCount(ofSelector: selector)
      guard colons != function.argumentCount else { return nil }
      return Diagnostic(
        .error, code: "migration.function-arguments",
        problem: "function '\(selector)' of \(owner) takes \(function.argumentCount.arguments), but its selector is "
          + "for \(colons.arguments)",
        remedy: "write one colon for each argument")
    }
  }
}

extension Int {
  fileprivate var arguments: String { self == 1 ? "1 argument" : "\(self) arguments" }
}
