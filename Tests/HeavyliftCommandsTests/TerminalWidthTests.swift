import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftModel
import HeavyliftTestSupport
import Testing

/// The output of commands on terminals of several widths.
struct TerminalWidthTests {
  private static let failing = """
    <mapping-model source="Music 1" destination="Music 2">
      <entity-mapping source="Track" destination="Track" where="title == 'a long title' AND seconds > 0">
        <attribute name="tilte" value="$source.title"/>
      </entity-mapping>
    </mapping-model>
    """

  private func run(_ arguments: [String], width: Int?, in music: MusicFixture) -> ToolFixture.Run {
    let (output, errors) = (MemorySink(), MemorySink())
    var io = CommandIO(output: output, errors: errors, workingDirectory: music.folder.url)
    (io.outputWidth, io.errorWidth) = (width, width)
    var tool = CommandLineTool.heavylift
    tool.code = MusicFixture.code
    let code = tool.run(arguments, io)
    return .init(code: code, output: music.shown(output.text), errors: music.shown(errors.text))
  }

  private static let commands = [
    ["plan", "Music.sqlite", "--mappings", "Music"], ["plan", "Music.sqlite", "--mappings", "Failing"],
    ["explain", "Music/1-2.xml"], ["explain", "Music/2-3.xml"],
    ["migrate", "Music.sqlite", "--mappings", "Music", "--dry-run", "--samples", "2"],
    ["migrate", "Music.sqlite", "--mappings", "Music", "--to", "New.sqlite", "--verify"],
    ["inspect", "Music.sqlite", "--hashes"], ["inspect", "Music/Music.xcdatamodeld"],
    ["diff", "Music/Music.xcdatamodeld", "--from", "Music 1", "--to", "Music 3"],
    ["diff", "Music/1-2.xml", "Music/2-3.xml"], ["check", "Failing", "Music"], ["frobnicate"], ["inspect"],
    ["evaluate", "tilte ==== 'a'"],
  ]

  @Test(arguments: commands, [40, 100])
  func `lines fit the terminal, and no word is broken`(arguments: [String], width: Int) throws {
    let music = try MusicFixture()
    try FileManager.default.copyItem(at: music.folder.appending("Music"), to: music.folder.appending("Failing"))
    try music.write(Self.failing, to: "Failing/1-2.xml")
    let whole = run(arguments, width: nil, in: music)
    try? FileManager.default.removeItem(at: music.folder.appending("New.sqlite"))
    let fitted = run(arguments, width: width, in: music)
    #expect(fitted.code == whole.code)
    for (fitted, whole) in [(fitted.output, whole.output), (fitted.errors, whole.errors)] {
      #expect(fitted.isEmpty == whole.isEmpty)
      let words = Set(whole.split(whereSeparator: \.isWhitespace))
      let broken = fitted.split(whereSeparator: \.isWhitespace).filter { !words.contains($0) }
      #expect(broken == [], "\(fitted)")
      for line in fitted.split(separator: "\n") where line.count > width {
        let text = String(line.trimmingPrefix { $0 == " " })
        // The marks below source text must stay in place, and a name, a hash or a command stays whole.
        let longest = WrappedText.words(of: text).map(\.count).max() ?? 0
        #expect(longest > width - 20 || arguments[0] == "evaluate", "\(line)")
      }
    }
  }

  @Test func `a pipe gets whole lines, whatever the environment says`() throws {
    let music = try MusicFixture()
    let arguments = ["explain", "Music/1-2.xml"]
    let piped = try ToolProcess("SampleTool", arguments, in: music.folder.url, environment: ["COLUMNS": "40"]).end()
    #expect(piped.output == run(arguments, width: nil, in: music).output)
  }

  @Test(
    arguments: [
      (60, nil, 60), (0, nil, 80), (60, "50", 50), (60, "wide", 60), (60, "0", 60), (300, nil, 300),
    ] as [(Int, String?, Int)])
  func `a terminal gets lines that fit it`(columns: Int, variable: String?, width: Int) throws {
    let music = try MusicFixture()
    let arguments = ["explain", "Music/1-2.xml"]
    let shown = try Terminal(columns: columns).run("SampleTool", arguments, in: music.folder.url, columns: variable)
    #expect(shown == run(arguments, width: width, in: music).output)
  }

  @Test func `an error fits the terminal, too`() throws {
    let music = try MusicFixture()
    let shown = try Terminal(columns: 50).run("heavylift", ["inspect"], in: music.folder.url)
    #expect(
      shown == """
        error[usage.missing-argument]: 'inspect' needs
            STORE: the store's file, a model, or a folder
            that contains models
          write 'inspect STORE [OPTIONS]'
        see 'heavylift inspect --help'

        """)
  }
}
