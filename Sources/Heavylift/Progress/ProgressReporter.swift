import Foundation

/// Tells everybody who wants to know how far a migration is.
final class ProgressReporter {
  /// Foundation's object for it: in hundredths, and cancelling it cancels the migration.
  let progress: Progress
  private var streams: [AsyncStream<MigrationProgress>.Continuation] = []

  init(_ cancellation: MigrationCancellation) {
    // Not a child of whatever progress happens to be current.
    progress = Progress(parent: nil)
    progress.totalUnitCount = 100
    progress.cancellationHandler = { cancellation.cancel() }
  }

  deinit { finish() }

  func makeStream() -> AsyncStream<MigrationProgress> {
    // Who is slow gets the newest: nobody waits for a reader.
    let (stream, continuation) = AsyncStream.makeStream(
      of: MigrationProgress.self, bufferingPolicy: .bufferingNewest(64))
    streams.append(continuation)
    return stream
  }

  func tell(_ state: MigrationProgress) {
    progress.completedUnitCount = Int64(state.fraction * 100)
    for stream in streams { stream.yield(state) }
  }

  /// Ends the streams: the migration is over, one way or the other.
  func finish() {
    for stream in streams { stream.finish() }
    streams = []
  }
}
