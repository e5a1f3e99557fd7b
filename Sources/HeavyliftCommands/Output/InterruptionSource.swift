/// A source of requests to end a command: signals of the process, or events that a test creates.
package protocol InterruptionSource {
  /// Runs `body`. Calls `handler`, on any thread, when `body` should end.
  func watching<Result>(
    _ handler: @escaping @Sendable (ExitCode) -> Void, _ body: () throws -> Result
  ) rethrows -> Result
}

/// A source without interruptions.
package struct NoInterruptions: InterruptionSource {
  /// Creates a source that never interrupts.
  package init() {}

  package func watching<Result>(
    _ handler: @escaping @Sendable (ExitCode) -> Void, _ body: () throws -> Result
  ) rethrows -> Result { try body() }
}
