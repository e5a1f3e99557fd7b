import Heavylift
import HeavyliftModel

/// Shows the progress of a migration, or of a check that takes long: as a redrawn line on a terminal, or else as a line
/// for each step and occasional lines during long ones, or not at all.
///
/// Unchecked, because the command and its migration use it on one thread.
final class ProgressDisplay: @unchecked Sendable {
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
  /// Identifies the running entity mapping in its hop and pass; `start` is the number of objects done before it
  /// started.
  private var running = (key: "", start: 0)

  /// - Parameter now: Returns the time in seconds on a monotonic clock.
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
    let rows = rows(event)
    switch mode {
    case .none: return
    case .lines:
      let time = now()
      let isNew = step != lastStep
      guard isNew || time - lastDrawn >= 10 else { return }
      (lastStep, lastDrawn) = (step, time)
      let detail = [event.mapping?.shown, rows, "\(event.percent) % of all"].compactMap(\.self)
      // A closed error stream must not end the migration.
      try? io.writeError(lines: ["\(step)\(isNew ? "" : ": " + detail.joined(separator: ", "))"])
    case .bar:
      let time = now()
      guard step != lastStep || time - lastDrawn >= 0.1 else { return }
      (lastStep, lastDrawn, isDrawn) = (step, time, true)
      try? io.writeError("\r\u{1B}[K" + line(event, rows, elapsed: time - start))
    }
  }

  /// Shows the step of a command that usually takes no time, so nothing appears in the first second.
  func show(_ step: String, _ number: Int, of count: Int) {
    let time = now()
    guard mode == .bar, time - start >= 1, time - lastDrawn >= 0.1 else { return }
    (lastDrawn, isDrawn) = (time, true)
    let bar = Self.bar(Float(number) / Float(max(count, 1)))
    try? io.writeError("\r\u{1B}[K" + fit("\(bar)  \(number + 1) of \(count)  \(step)"))
  }

  /// The number of rows of the running entity mapping that have been processed.
  private func rows(_ event: IncrementalMigrationProgress) -> String? {
    if case .handling(let progress) = event.step {
      return progress.objectsDone > 0 ? progress.objectsDone.counted("object") : nil
    }
    guard case .migrating(let progress) = event.step else { return nil }
    let key = "\(event.hop) \(progress.pass) \(progress.entityMapping)"
    if key != running.key { running = (key, progress.objectsDone) }
    let count = progress.objectsDone - running.start
    return count > 0 ? count.counted("row") : nil
  }

  /// Clears the terminal's line.
  func finish() {
    guard isDrawn else { return }
    isDrawn = false
    try? io.writeError("\r\u{1B}[K")
  }

  /// Writes a message on a line of its own.
  func say(_ text: String) {
    finish()
    try? io.writeError(lines: [text])
  }

  /// Composes the line, with the current step last, because the end is cut off if the line is too long.
  private func line(_ event: IncrementalMigrationProgress, _ rows: String?, elapsed: Double) -> String {
    var parts = ["\(Self.bar(event.fraction)) \(event.percent) %", "hop \(event.hop) of \(event.hopCount)"]
    if let remaining = Self.remaining(event.fraction, elapsed) { parts.append(remaining) }
    parts.append([event.shortWord, rows].compactMap(\.self).joined(separator: ", "))
    return fit(parts.joined(separator: "  "))
  }

  private static func bar(_ fraction: Float) -> String {
    let cells = 16
    let full = Int(Float(cells) * min(1, max(0, fraction)))
    return String(repeating: "█", count: full) + String(repeating: "░", count: cells - full)
  }

  private func fit(_ text: String) -> String {
    text.terminalColumns < io.width ? text : text.prefix(io.width - 2) + "…"
  }

  /// Returns the remaining time in words; `nil` until there is enough progress for an estimate.
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
  /// A description of the current step.
  var word: String {
    switch step {
    case .preparing: "examining the store"
    case .migrating(let progress):
      switch progress.pass {
      case .instances: "creating objects"
      case .relationships: "connecting objects"
      case .validation: "checking objects"
      }
    case .handling(let progress): "running \(progress.handler.title) of \(progress.stage)"
    case .finishing: "writing the new store to disk"
    case .swapping: "moving the new store into place"
    }
  }

  /// A description of the current step that names the running entity mapping.
  fileprivate var shortWord: String {
    guard case .migrating(let progress) = step, let mapping else { return word }
    switch progress.pass {
    case .instances: return "creating \(mapping.shown)"
    case .relationships: return "connecting \(mapping.shown)"
    case .validation: return "checking \(mapping.shown)"
    }
  }

  fileprivate var percent: Int { Int(min(1, max(0, fraction)) * 100) }

  fileprivate var mapping: String? {
    guard case .migrating(let progress) = step, !progress.entityMapping.isEmpty else { return nil }
    return progress.entityMapping
  }
}
