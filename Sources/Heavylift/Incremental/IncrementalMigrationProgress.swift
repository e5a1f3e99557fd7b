import Foundation
import HeavyliftEngine

/// The progress of a chain of hops.
public struct IncrementalMigrationProgress: Hashable, Sendable {
  /// The current step of a hop.
  public enum Step: Hashable, Sendable {
    /// The hop is counting the objects in its store and planning how to carry out its mappings.
    case preparing
    /// The hop is writing its store.
    case migrating(MigrationProgress)
    /// A handler of the hop's stage is running.
    case handling(HandlerProgress)
    /// The hop's store is being checked and synced to disk.
    case finishing
    /// The last hop is done, and the new store is being put in place.
    case swapping
  }

  /// The number of the hop, starting at 1.
  public var hop: Int
  /// The number of hops in the chain.
  public var hopCount: Int
  /// The versions of the hop: `'Music 1' → 'Music 2'`.
  public var title: String
  /// The current step of that hop.
  public var step: Step
  /// An estimate of the progress over all hops, from 0 to 1.
  public var fraction: Float

  /// Creates a progress value.
  public init(hop: Int, hopCount: Int, title: String, step: Step, fraction: Float) {
    self.hop = hop
    self.hopCount = hopCount
    self.title = title
    self.step = step
    self.fraction = fraction
  }
}

/// The progress of a stage's handler.
public struct HandlerProgress: Hashable, Sendable {
  /// The stage in words: `custom stage 'Count plays'`.
  public var stage: String
  /// The handler that is running.
  public var handler: MigrationHistory.Handler
  /// The number of objects that are done; 0 if the handler does not report it.
  public var objectsDone: Int
  /// The number of objects in total; 0 if the handler does not report it.
  public var objectsExpected: Int

  /// Creates a progress value.
  public init(stage: String, handler: MigrationHistory.Handler, objectsDone: Int = 0, objectsExpected: Int = 0) {
    self.stage = stage
    self.handler = handler
    self.objectsDone = objectsDone
    self.objectsExpected = objectsExpected
  }
}
