/// The functions that `FUNCTION(receiver, "name:with:", …)` may call, by receiver and selector.
///
/// Unlike Objective-C, Swift cannot send any selector to any object: a function that is not registered does not exist.
///
/// ```swift
/// var functions = FunctionRegistry.builtIn
/// try functions.register("seconds:scaledBy:", on: BookPolicy.self) { (policy, seconds: Int, factor: Double) in
///   Double(seconds) * factor
/// }
/// ```
public struct FunctionRegistry: Sendable {
  private var functions: [String: [RegisteredFunction]] = [:]
  private var globals: [String: RegisteredFunction] = [:]

  /// Creates an empty registry; `builtIn` has the functions of strings, numbers and dates.
  public init() {}

  /// Lets `FUNCTION` call a function of an object. If several functions accept the receiver, the last registered wins.
  ///
  /// - Throws: `EvaluationMistake` if the number of colons in the selector differs from the number of arguments.
  public mutating func register<Receiver: ExpressionObject, each Argument: ExpressionConvertible, Result>(
    _ selector: String, on receiver: Receiver.Type,
    _ body: @escaping @Sendable (Receiver, repeat each Argument) throws -> Result
  ) throws where Result: ExpressionConvertible {
    try checkArity(selector, argumentCount((repeat (each Argument).self)))
    functions[selector, default: []].append(
      RegisteredFunction(
        selector: selector, receiverKind: "\(receiver)", isOfObject: true,
        signature: FunctionSignature((repeat (each Argument).self), Result.self),
        accepts: { value in if case .object(let object) = value { object is Receiver } else { false } },
        call: { value, arguments in
          guard case .object(let object) = value, let receiver = object as? Receiver else { return .null }
          var reader = ArgumentReader(selector, arguments)
          return try body(receiver, repeat try reader.next((each Argument).self)).expressionValue
        }))
  }

  /// Lets `FUNCTION` call a function of a value, such as a string, a number, a date or a collection.
  ///
  /// For a type that is also an `ExpressionObject`, the compiler chooses the other overload.
  ///
  /// - Throws: `EvaluationMistake` if the number of colons in the selector differs from the number of arguments.
  @_disfavoredOverload
  public mutating func register<Receiver: ExpressionConvertible, each Argument: ExpressionConvertible, Result>(
    _ selector: String, on receiver: Receiver.Type,
    _ body: @escaping @Sendable (Receiver, repeat each Argument) throws -> Result
  ) throws where Result: ExpressionConvertible {
    try checkArity(selector, argumentCount((repeat (each Argument).self)))
    functions[selector, default: []].append(
      RegisteredFunction(
        selector: selector, receiverKind: receiver.expressionKind,
        signature: FunctionSignature((repeat (each Argument).self), Result.self),
        accepts: { Receiver(expressionValue: $0) != nil },
        call: { value, arguments in
          guard let receiver = Receiver(expressionValue: value) else { return .null }
          var reader = ArgumentReader(selector, arguments)
          return try body(receiver, repeat try reader.next((each Argument).self)).expressionValue
        }))
  }

  /// Lets expressions call a function without a receiver, as if it were built in: `initials:($source.name)`.
  ///
  /// - Throws: `EvaluationMistake` if the number of colons in the name differs from the number of arguments.
  public mutating func register<each Argument: ExpressionConvertible, Result>(
    function name: String, _ body: @escaping @Sendable (repeat each Argument) throws -> Result
  ) throws where Result: ExpressionConvertible {
    try checkArity(name, argumentCount((repeat (each Argument).self)))
    globals[name] = RegisteredFunction(
      selector: name, receiverKind: "", signature: FunctionSignature((repeat (each Argument).self), Result.self),
      accepts: { _ in true },
      call: { _, arguments in
        var reader = ArgumentReader(name, arguments)
        return try body(repeat try reader.next((each Argument).self)).expressionValue
      })
  }

  mutating func register(_ function: RegisteredFunction) {
    functions[function.selector, default: []].append(function)
  }

  /// Marks the functions that are registered so far as built in.
  mutating func markAsBuiltIn() {
    for selector in functions.keys {
      for place in functions[selector, default: []].indices { functions[selector]?[place].isBuiltIn = true }
    }
  }

  /// True if these are exactly the built-in functions.
  package var isBuiltIn: Bool {
    globals.isEmpty && functions.count == Self.builtIn.functions.count
      && functions.values.allSatisfy { $0.allSatisfy(\.isBuiltIn) }
  }

  /// Returns the function that has that name and no receiver.
  func global(_ name: String) -> RegisteredFunction? { globals[name] }

  /// The names of the functions without a receiver.
  public var globalNames: [String] { globals.keys.sorted() }

  /// The selectors of all functions with a receiver.
  public var selectors: [String] { functions.keys.sorted() }

  /// Returns the functions with that selector, in the order in which they are tried.
  func candidates(_ selector: String) -> [RegisteredFunction] { functions[selector, default: []].reversed() }

  /// Returns the selectors that can be called on a receiver.
  func selectors(of receiver: ExpressionValue) -> [String] {
    functions.filter { $0.value.contains { $0.accepts(receiver) } }.keys.sorted()
  }

  /// Calls the function that accepts the receiver, or returns nil if there is none. A message to nil returns nil.
  func call(
    _ selector: String, on receiver: ExpressionValue, _ arguments: [ExpressionValue]
  ) throws -> ExpressionValue? {
    if receiver.isNull { return .null }
    for candidate in candidates(selector) where candidate.accepts(receiver) {
      return try candidate.call(receiver, arguments)
    }
    return nil
  }

  /// Returns the number of arguments of a selector: one per colon.
  static func argumentCount(of selector: String) -> Int { selector.count { $0 == ":" } }

  private func argumentCount<each Argument>(_ types: (repeat (each Argument).Type)) -> Int {
    var count = 0
    for _ in repeat each types { count += 1 }
    return count
  }

  private func checkArity(_ selector: String, _ count: Int) throws(EvaluationMistake) {
    let colons = FunctionRegistry.argumentCount(of: selector)
    if colons != count { throw .wrongArgumentCount(selector, expected: colons, found: count) }
  }
}
