import Foundation
import HeavyliftConcurrency

/// The progress of a migration.
public struct MigrationProgress: Hashable, Sendable {
  /// The passes. Each runs through all entity mappings, one after another.
  public enum Pass: String, Hashable, Sendable, CaseIterable {
    /// Objects are created.
    case instances
    /// Relationships are set.
    case relationships
    /// Policies validate the result.
    case validation
  }

  /// The current pass.
  public var pass: Pass
  /// The name of the entity mapping that is running.
  public var entityMapping: String
  /// An estimate of the progress over all passes, from 0 to 1. It is 1 only after the destination is in place.
  public var fraction: Float
  /// The number of objects done; an object counts once in each pass.
  public var objectsDone: Int
  /// The maximum number of objects expected; an object counts once in each pass. Filters and policies may skip some.
  public var objectsExpected: Int

  /// Creates a progress value.
  public init(
    pass: Pass, entityMapping: String, fraction: Float, objectsDone: Int = 0, objectsExpected: Int = 0
  ) {
    self.pass = pass
    self.entityMapping = entityMapping
    self.fraction = fraction
    self.objectsDone = objectsDone
    self.objectsExpected = objectsExpected
  }
}

/// Reports the progress of a migration to all observers.
package final class ProgressReporter<Event: Sendable>: Sendable {
  /// The Foundation progress, in hundredths; cancelling it cancels the migration.
  package let progress: Progress
  /// Called with each event before the streams receive it.
  private let observer: (@Sendable (Event) -> Void)?
  private let streams = Locked<[AsyncStream<Event>.Continuation]>([])

  package init(_ cancellation: MigrationCancellation, observer: (@Sendable (Event) -> Void)? = nil) {
    self.observer = observer
    // No parent: it must not become a child of the current progress.
    progress = Progress(parent: nil)
    progress.totalUnitCount = 100
    progress.cancellationHandler = { cancellation.cancel() }
  }

  deinit { finish() }

  package func makeStream() -> AsyncStream<Event> {
    // A slow reader gets only the newest events; the migration never waits for a reader.
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(64))
    streams.withLock { $0.append(continuation) }
    return stream
  }

  package func report(_ event: Event, fraction: Float) {
    progress.completedUnitCount = Int64(fraction * 100)
    observer?(event)
    for stream in streams.withLock({ $0 }) { stream.yield(event) }
  }

  /// Ends the streams after the migration has succeeded or failed.
  package func finish() {
    let ended = streams.withLock { streams in
      defer { streams = [] }
      return streams
    }
    for stream in ended { stream.finish() }
  }
}

/// Counts objects of all passes against the expected number, and decides when to report progress.
struct ProgressCount {
  private(set) var done = 0
  let total: Int
  /// The number of objects between two reports.
  let step: Int
  private var next: Int

  init(total: Int = 0) {
    self.total = max(total, 1)
    step = max(1, min(total / 100, 1_000))
    next = step
  }

  /// Counts more objects. Returns true each time progress is due to be reported.
  mutating func advance(by count: Int = 1) -> Bool {
    done += count
    guard done >= next else { return false }
    next = done - done % step + step
    return true
  }

  /// The share of objects that are done; below 1 until the end, because the work after the last object takes time, too.
  var fraction: Float { min(0.99, Float(done) / Float(total)) }
}
