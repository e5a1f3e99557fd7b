import Foundation

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

/// SIGINT and SIGTERM of the process. The second of a kind ends it as if nobody had watched.
struct ProcessSignals: InterruptionSource {
  func watching<Result>(
    _ handler: @escaping @Sendable (ExitCode) -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    let sources = [(SIGINT, ExitCode.interrupted), (SIGTERM, .terminated)].map { number, code in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
      source.setEventHandler {
        signal(number, SIG_DFL)
        handler(code)
      }
      source.resume()
      return (number, source)
    }
    defer {
      for (number, source) in sources {
        source.cancel()
        signal(number, SIG_DFL)
      }
    }
    return try body()
  }
}
