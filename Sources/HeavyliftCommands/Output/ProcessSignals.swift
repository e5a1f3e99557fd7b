import Foundation
import Synchronization

/// Interrupts a command if the process receives SIGINT, SIGTERM or SIGHUP. A second signal of the same kind ends the
/// process. A signal that was ignored when the process started, as with nohup, stays ignored.
struct ProcessSignals: InterruptionSource {
  /// The pipe to which the signal handler writes a signal's number. A signal handler cannot capture context, and may
  /// only call async-signal-safe functions.
  private static let bell = Atomic<Int32>(-1)
  private static let codes: [Int32: ExitCode] = [SIGINT: .interrupted, SIGTERM: .terminated, SIGHUP: .hungUp]

  func watching<Result>(
    _ handler: @escaping @Sendable (ExitCode) -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    var ends: [Int32] = [-1, -1]
    // Without a pipe, a signal simply ends the process, which is harmless.
    guard pipe(&ends) == 0 else { return try body() }
    let (output, input) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // The signal handler must not block.
    _ = fcntl(input, F_SETFL, O_NONBLOCK)
    // A thread instead of a dispatch source, which would need more file descriptors, and would trap if it got none.
    Thread.detachNewThread {
      var number: UInt8 = 0
      while read(output, &number, 1) != 0 {
        guard let code = Self.codes[Int32(number)] else { continue }
        handler(code)
        signal(Int32(number), SIG_DFL)
        number = 0
      }
      close(output)
    }
    let outer = Self.bell.exchange(input, ordering: .sequentiallyConsistent)
    let actions = Self.codes.keys.sorted().map { ($0, Self.watch($0)) }
    // The parent process may have blocked these signals.
    var (mask, before) = (sigset_t(), sigset_t())
    sigemptyset(&mask)
    for (number, _) in actions { sigaddset(&mask, number) }
    pthread_sigmask(SIG_UNBLOCK, &mask, &before)
    defer {
      pthread_sigmask(SIG_SETMASK, &before, nil)
      for (number, action) in actions {
        var action = action
        sigaction(number, &action, nil)
      }
      Self.bell.store(outer, ordering: .sequentiallyConsistent)
      close(input)
    }
    return try body()
  }

  /// Installs the handler for a signal, and returns the previous action.
  private static func watch(_ number: Int32) -> sigaction {
    var (action, before) = (sigaction(), sigaction())
    action.__sigaction_handler.sa_handler = { number in
      var byte = UInt8(truncatingIfNeeded: number)
      let error = errno
      write(ProcessSignals.bell.load(ordering: .sequentiallyConsistent), &byte, 1)
      errno = error
    }
    action.sa_flags = SA_RESTART
    sigaction(number, nil, &before)
    guard unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self)
    else { return before }
    sigaction(number, &action, &before)
    return before
  }
}
