extension FunctionRegistry {
  /// Lets `FUNCTION` call whatever an object of that class says, when it is called, that it does for the selector.
  ///
  /// For objects whose functions are not the same for all of their class: each policy, each manager has its own.
  package mutating func register<Receiver: ExpressionObject>(
    selector: String, ofEach receiver: Receiver.Type, kind: String,
    _ body: @escaping @Sendable (Receiver, [ExpressionValue]) throws -> ExpressionValue
  ) {
    register(
      RegisteredFunction(
        selector: selector, receiverKind: kind, isOfObject: true,
        argumentTypes: [ExpressionType](repeating: .unknown, count: FunctionRegistry.argumentCount(of: selector)),
        accepts: { value in if case .object(let object) = value { object is Receiver } else { false } },
        call: { value, arguments in
          guard case .object(let object) = value, let receiver = object as? Receiver else { return .null }
          return try body(receiver, arguments)
        }))
  }

  /// How many arguments a selector takes.
  package static func argumentCount(ofSelector selector: String) -> Int { argumentCount(of: selector) }
}
