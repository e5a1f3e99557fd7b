extension FunctionRegistry {
  /// Lets `FUNCTION` call a selector on any object of a class; at each call, the object finds its own function for the
  /// selector.
  ///
  /// For classes whose objects have different functions, such as policies and managers.
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
