/// Tells when somebody wants a command to end: signals of a process, or what a test makes up.
public protocol InterruptionSource {
  /// Runs a body; what is called when it is to end may be called from any thread.
  func watching<Result>(
    _ handler: @escaping @Sendable (ExitCode) -> Void, _ body: () throws -> Result
  ) rethrows -> Result
}

/// Nobody interrupts.
public struct NoInterruptions: InterruptionSource {
  /// Creates a source that never tells anything.
  public init() {}

  public func watching<Result>(
    _ handler: @escaping @Sendable (ExitCode) -> Void, _ body: () throws -> Result
  ) rethrows -> Result { try body() }
}
