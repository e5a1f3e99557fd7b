import HeavyliftConcurrency

/// The missing external files whose values a migration has read as nil.
package final class LostFiles: Sendable {
  private let names = Locked<Set<String>>([])

  package init() {}

  package func insert(_ name: String) { names.withLock { _ = $0.insert(name) } }

  package func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
}
