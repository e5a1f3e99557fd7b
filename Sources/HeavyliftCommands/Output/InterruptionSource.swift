/// A source of requests to end a command: signals of the process, or events that a test creates.
public protocol InterruptionSource {
  /// Runs `body`. Calls `handler`, on any thread, when `body` should end.
  func watching<Result>(
    _ handler: @escaping @Sendable (ExitCode) -> Void, _ body: () throws -> Result
  ) rethrows -> Result
}

/// A source without interruptions.
public struct NoInterruptions: InterruptionSource {
  /// Creates a source that never interrupts.
  public init() {}

  public func watching<Result>(
    _ handler: @escaping @Sendable (ExitCode) -> Void, _ body: () throws -> Result
  ) rethrows -> Result { try body() }
}
