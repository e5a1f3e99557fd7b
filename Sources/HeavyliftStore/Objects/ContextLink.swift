/// An object's reference to its context.
///
/// A weak reference would cost an atomic operation for each access to the object. Objects and contexts belong to one
/// thread, and a context cuts its link before it is deallocated, so a plain pointer is as safe and costs nothing.
final class ContextLink {
  unowned(unsafe) private(set) var context: ManagedObjectContext?
  let storeIdentifier: String

  init(context: ManagedObjectContext?, storeIdentifier: String) {
    self.context = context
    self.storeIdentifier = storeIdentifier
  }

  func cut() { context = nil }

  /// The link of objects that the context has released.
  private(set) lazy var detached = ContextLink(context: nil, storeIdentifier: storeIdentifier)
}
