import Foundation

/// Tells everybody who wants to know how far a migration is.
final class ProgressReporter<Event: Sendable> {
  /// Foundation's object for it: in hundredths, and cancelling it cancels the migration.
  let progress: Progress
  /// Called with each event before the streams get it.
  var observer: ((Event) -> Void)?
  private var streams: [AsyncStream<Event>.Continuation] = []

  init(_ cancellation: MigrationCancellation) {
    // Not a child of whatever progress happens to be current.
    progress = Progress(parent: nil)
    progress.totalUnitCount = 100
    progress.cancellationHandler = { cancellation.cancel() }
  }

  deinit { finish() }

  func makeStream() -> AsyncStream<Event> {
    // Who is slow gets the newest: nobody waits for a reader.
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(64))
    streams.append(continuation)
    return stream
  }

  func tell(_ event: Event, fraction: Float) {
    progress.completedUnitCount = Int64(fraction * 100)
    observer?(event)
    for stream in streams { stream.yield(event) }
  }

  /// Ends the streams: the migration is over, one way or the other.
  func finish() {
    for stream in streams { stream.finish() }
    streams = []
  }
}
