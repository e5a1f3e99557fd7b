import Heavylift

/// Shows how far a migration is: a line that is drawn anew on a terminal, a line for each step elsewhere, or nothing.
final class ProgressDisplay {
  enum Mode {
    case bar, lines, none
  }

  private let io: CommandIO
  private let mode: Mode
  private let now: () -> Double
  private let start: Double
  private var lastDrawn = -Double.infinity
  private var lastStep = ""
  private var isDrawn = false

  /// - Parameter now: Seconds on a clock that only goes forward.
  init(_ io: CommandIO, mode: Mode, now: @escaping () -> Double = ProgressDisplay.seconds) {
    self.io = io
    self.mode = mode
    self.now = now
    start = now()
  }

  static func seconds() -> Double { ContinuousClock.now.secondsSince(origin) }
  private static let origin = ContinuousClock.now

  func show(_ event: IncrementalMigrationProgress) {
    let step = "hop \(event.hop) of \(event.hopCount): \(event.title.shown): \(event.word)"
    switch mode {
    case .none: return
    case .lines:
      guard step != lastStep else { return }
      lastStep = step
      // That nobody reads the progress is no reason to end the migration.
      try? io.writeError("\(step)\n")
    case .bar:
      let time = now()
      guard step != lastStep || time - lastDrawn >= 0.1 else { return }
      (lastStep, lastDrawn, isDrawn) = (step, time, true)
      try? io.writeError("\r\u{1B}[K" + line(event, elapsed: time - start))
    }
  }

  /// Leaves the terminal's line empty.
  func finish() {
    guard isDrawn else { return }
    isDrawn = false
    try? io.writeError("\r\u{1B}[K")
  }

  /// Says something on a line of its own.
  func say(_ text: String) {
    finish()
    try? io.writeError("\(text)\n")
  }

  /// As much as the line holds: how far it is goes before what it does.
  private func line(_ event: IncrementalMigrationProgress, elapsed: Double) -> String {
    let cells = 16
    let full = Int(Float(cells) * min(1, max(0, event.fraction)))
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: cells - full)
    var parts = ["\(bar) \(Int(event.fraction * 100)) %", "hop \(event.hop) of \(event.hopCount)"]
    if let remaining = Self.remaining(event.fraction, elapsed) { parts.append(remaining) }
    if case .migrating(let progress) = event.step, progress.objectsDone > 0, elapsed >= 1 {
      parts.append("\(Int(Double(progress.objectsDone) / elapsed).grouped)/s")
    }
    parts.append([event.word, event.mapping?.shown].compactMap(\.self).joined(separator: ", "))
    let text = parts.joined(separator: "  ")
    return text.count < io.width ? text : text.prefix(io.width - 2) + "…"
  }

  /// Not before there is something to reckon with.
  static func remaining(_ fraction: Float, _ elapsed: Double) -> String? {
    guard fraction >= 0.02, fraction < 1, elapsed >= 2 else { return nil }
    let seconds = elapsed / Double(fraction) * Double(1 - fraction)
    switch seconds {
    case ..<10: return "a few seconds left"
    case ..<90: return "about \(Int((seconds / 10).rounded(.up)) * 10) s left"
    case ..<5_400: return "about \(Int((seconds / 60).rounded(.up))) min left"
    default: return "about \(Int((seconds / 3_600).rounded(.up))) h left"
    }
  }
}

extension ContinuousClock.Instant {
  fileprivate func secondsSince(_ other: Self) -> Double { other.duration(to: self) / .seconds(1) }
}

extension IncrementalMigrationProgress {
  /// What is done, in words.
  var word: String {
    switch step {
    case .preparing: "looking through the store"
    case .migrating(let progress):
      switch progress.pass {
      case .instances: "making objects"
      case .relationships: "connecting objects"
      case .validation: "checking objects"
      }
    case .finishing: "bringing the new store to disk"
    case .swapping: "putting the new store in its place"
    }
  }

  fileprivate var mapping: String? {
    guard case .migrating(let progress) = step, !progress.entityMapping.isEmpty else { return nil }
    return progress.entityMapping
  }
}
