/// An object's way to its context.
///
/// A weak reference would do, at the price of an atomic look-up whenever an object is touched. Objects and contexts belong
/// to one thread, and a context cuts its link before it goes, so a plain pointer is as safe and costs nothing.
final class ContextLink {
  unowned(unsafe) private(set) var context: ManagedObjectContext?
  let storeIdentifier: String

  init(context: ManagedObjectContext?, storeIdentifier: String) {
    self.context = context
    self.storeIdentifier = storeIdentifier
  }

  func cut() { context = nil }

  /// For an object that its context has let go of.
  private(set) lazy var detached = ContextLink(context: nil, storeIdentifier: storeIdentifier)
}
