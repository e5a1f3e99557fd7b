import Heavylift
import HeavyliftStore
import Testing

@testable import HeavyliftCommands

/// The progress that a user sees.
struct ProgressDisplayTests {
  private final class Clock {
    var seconds = 0.0
  }

  private let sink = MemorySink()
  private let clock = Clock()

  private func display(_ mode: ProgressDisplay.Mode) -> ProgressDisplay {
    let io = CommandIO(output: MemorySink(), errors: sink, workingDirectory: .currentDirectory())
    return ProgressDisplay(io, mode: mode, now: { [clock] in clock.seconds })
  }

  /// An event of the second of four hops.
  private func event(
    _ pass: MigrationProgress.Pass, _ mapping: String, _ done: Int, _ fraction: Float
  ) -> IncrementalMigrationProgress {
    .init(
      hop: 2, hopCount: 4, title: "'Music 2' → 'Music 3'",
      step: .migrating(
        .init(pass: pass, entityMapping: mapping, fraction: fraction, objectsDone: done, objectsExpected: 90_000)),
      fraction: (1 + fraction) / 4)
  }

  @Test func `a long step reports its mapping and row count from time to time`() {
    let display = display(.lines)
    for (seconds, pass, mapping, done, fraction) in [
      (0.0, .instances, "AlbumToAlbum", 0, 0.0), (1, .instances, "AlbumToAlbum", 900, 0.1),
      (2, .instances, "TrackToTrack", 1_000, 0.1), (9.9, .instances, "TrackToTrack", 20_000, 0.2),
      (10, .instances, "TrackToTrack", 21_000, 0.2), (12, .instances, "TrackToTrack", 23_000, 0.25),
      (20, .instances, "TrackToTrack", 24_001, 0.3), (21, .relationships, "TrackToTrack", 45_000, 0.5),
      (31, .relationships, "TrackToTrack", 45_001, 0.5),
    ] as [(Double, MigrationProgress.Pass, String, Int, Float)] {
      clock.seconds = seconds
      display.show(event(pass, mapping, done, fraction))
    }
    display.finish()
    #expect(
      sink.text == """
        hop 2 of 4: 'Music 2' → 'Music 3': creating objects
        hop 2 of 4: 'Music 2' → 'Music 3': creating objects: TrackToTrack, 20\u{202F}000 rows, 30 % of all
        hop 2 of 4: 'Music 2' → 'Music 3': creating objects: TrackToTrack, 23\u{202F}001 rows, 32 % of all
        hop 2 of 4: 'Music 2' → 'Music 3': connecting objects
        hop 2 of 4: 'Music 2' → 'Music 3': connecting objects: TrackToTrack, 1 row, 37 % of all

        """)
  }

  @Test func `a terminal's line shows hop, remaining time and rows, and fits its width`() {
    let display = display(.bar)
    display.show(event(.instances, "TrackToTrack", 0, 0))
    clock.seconds = 8
    display.show(event(.instances, "TrackToTrack", 21_000, 0.2))
    display.show(event(.relationships, "A\u{1B}MappingWithANameThatIsLongerThanAnybodyWouldLike", 21_000, 0.2))
    display.finish()
    #expect(
      sink.text.components(separatedBy: "\r\u{1B}[K") == [
        "", "████░░░░░░░░░░░░ 25 %  hop 2 of 4  creating TrackToTrack",
        "████░░░░░░░░░░░░ 30 %  hop 2 of 4  about 20 s left  creating TrackToTrack, 21\u{202F}…",
        "████░░░░░░░░░░░░ 30 %  hop 2 of 4  about 20 s left  connecting A\\u{1b}MappingW…", "",
      ])
  }

  @Test func `a check that takes long shows on a terminal what it does`() {
    for mode in [ProgressDisplay.Mode.lines, .none, .bar] {
      clock.seconds = 0
      let display = display(mode)
      for (seconds, number) in [(0.9, 0), (1, 1), (1.05, 2), (1.2, 3)] {
        clock.seconds = seconds
        display.show("reading A.xcdatamodeld", number, of: 4)
      }
      display.finish()
      display.finish()
      guard mode == .bar else {
        #expect(sink.text == "")
        continue
      }
      #expect(
        sink.text.components(separatedBy: "\r\u{1B}[K") == [
          "", "████░░░░░░░░░░░░  2 of 4  reading A.xcdatamodeld", "████████████░░░░  4 of 4  reading A.xcdatamodeld",
          "",
        ])
    }
  }

  @Test func `a silent display prints nothing`() {
    display(.none).show(event(.instances, "TrackToTrack", 0, 0))
    #expect(sink.text == "")
  }
}
