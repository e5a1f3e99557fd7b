import Foundation

/// Reports the progress of a migration to all observers.
final class ProgressReporter<Event: Sendable> {
  /// The Foundation progress, in hundredths; cancelling it cancels the migration.
  let progress: Progress
  /// Called with each event before the streams receive it.
  var observer: ((Event) -> Void)?
  private var streams: [AsyncStream<Event>.Continuation] = []

  init(_ cancellation: MigrationCancellation) {
    // No parent: it must not become a child of the current progress.
    progress = Progress(parent: nil)
    progress.totalUnitCount = 100
    progress.cancellationHandler = { cancellation.cancel() }
  }

  deinit { finish() }

  func makeStream() -> AsyncStream<Event> {
    // A slow reader gets only the newest events; the migration never waits for a reader.
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(64))
    streams.append(continuation)
    return stream
  }

  func report(_ event: Event, fraction: Float) {
    progress.completedUnitCount = Int64(fraction * 100)
    observer?(event)
    for stream in streams { stream.yield(event) }
  }

  /// Ends the streams after the migration has succeeded or failed.
  func finish() {
    for stream in streams { stream.finish() }
    streams = []
  }
}
