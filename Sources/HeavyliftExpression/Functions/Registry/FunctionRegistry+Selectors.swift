extension FunctionRegistry {
  /// Lets `FUNCTION` call the functions that an object of the class provides for the selector at call time.
  ///
  /// For classes whose objects have different functions: each policy and each manager has its own.
  package mutating func register<Receiver: ExpressionObject>(
    selector: String, ofEach receiver: Receiver.Type, kind: String,
    _ body: @escaping @Sendable (Receiver, [ExpressionValue]) throws -> ExpressionValue
  ) {
    register(
      RegisteredFunction(
        selector: selector, receiverKind: kind, isOfObject: true,
        accepts: { value in if case .object(let object) = value { object is Receiver } else { false } },
        call: { value, arguments in
          guard case .object(let object) = value, let receiver = object as? Receiver else { return .null }
          return try body(receiver, arguments)
        }))
  }

  /// Returns the number of arguments of a selector.
  package static func argumentCount(ofSelector selector: String) -> Int { argumentCount(of: selector) }
}
