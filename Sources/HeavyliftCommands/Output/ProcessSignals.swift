import Foundation
import Synchronization

/// SIGINT, SIGTERM and SIGHUP of the process. The second of a kind ends it as if nobody had watched; one that was ignored
/// when the process began, as by nohup, stays ignored.
struct ProcessSignals: InterruptionSource {
  /// Where a signal's number is written to: a handler knows nothing but what the process knows, and may do no more.
  private static let bell = Atomic<Int32>(-1)
  private static let codes: [Int32: ExitCode] = [SIGINT: .interrupted, SIGTERM: .terminated, SIGHUP: .hungUp]

  func watching<Result>(
    _ handler: @escaping @Sendable (ExitCode) -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    var ends: [Int32] = [-1, -1]
    // Without a pipe a signal ends the process, which harms nothing.
    guard pipe(&ends) == 0 else { return try body() }
    let (output, input) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A handler must not wait.
    _ = fcntl(input, F_SETFL, O_NONBLOCK)
    // A thread of its own: a dispatch source needs more open files, and without them it ends the process.
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
    // Whoever has started the process may have left it with a mask of its own.
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

  /// Has a signal told; gives back what it did before.
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
