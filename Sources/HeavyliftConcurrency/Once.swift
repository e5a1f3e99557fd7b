/// A fact that is worked out when it is first asked for, and then kept. Copies of its owner share it.
package final class Once<Fact: Sendable>: Sendable {
  private let known = Locked<Fact?>(nil)

  package init() {}

  /// Returns the fact, computed on the first call.
  package func callAsFunction(_ compute: () -> Fact) -> Fact {
    if let known = known.withLock({ $0 }) { return known }
    // Not while the lock is held: one fact may depend on another.
    let computed = compute()
    known.withLock { $0 = computed }
    return computed
  }
}

/// A fact follows from its owner, so it does not count when owners are compared.
extension Once: Hashable {
  package static func == (left: Once, right: Once) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}
