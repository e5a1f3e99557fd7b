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
