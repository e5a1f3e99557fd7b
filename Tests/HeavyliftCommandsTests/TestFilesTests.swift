import Foundation
import Testing

@testable import HeavyliftCommands

/// The locations of a generated test's files.
struct TestFilesTests {
  private func files(_ folders: String...) -> TestFiles {
    let urls = ["Class.swift", "1.json", "2.json"].enumerated().map { URL(filePath: "\(folders[$0])/\($1)") }
    return TestFiles(testClass: urls[0], sourceGraph: urls[1], destinationGraph: urls[2], others: [])
  }

  @Test func `paths begin at the folder that all files have in common`() {
    let files = files("/home/app/Tests", "/home/app/Graphs", "/home/app/Graphs")
    #expect(files.shown(files.testClass) == "Tests/Class.swift")
    #expect(files.shown(files.sourceGraph) == "Graphs/1.json")
  }

  @Test func `paths of files without a folder in common are absolute`() {
    let files = files("/home/Tests", "/var/graphs", "/var/graphs")
    #expect(files.shown(files.testClass) == "/home/Tests/Class.swift")
    #expect(files.shown(files.sourceGraph) == "/var/graphs/1.json")
  }

  @Test func `a class has a name that Swift accepts`() {
    #expect(TestFiles.className("Music1To2Tests") == "Music1To2Tests")
    #expect(TestFiles.className("1To2Tests") == "Migration1To2Tests")
    #expect(TestFiles.className("1-2 tests") == "Migration12Tests")
  }
}
