import Foundation
import HeavyliftArchive
import HeavyliftConcurrency
import HeavyliftModel

/// Reads whole files, with clear errors.
enum FileReading {
  static func data(
    of url: URL, _ origin: RegularFile.Origin, file: String, limits: XMLLimits
  ) throws(DiagnosticList) -> Data {
    WorkCount.add(.read, file)
    let location = DiagnosticLocation(file: file, line: 1, column: 1)
    let path = url.path(percentEncoded: false)
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard !isFolder.boolValue else {
      throw DiagnosticList([
        Diagnostic(.error, code: "file.is-folder", problem: "'\(file)' is a folder", remedy: "name the file inside it")
      ])
    }
    do {
      let handle = try RegularFile.handle(url, origin)
      defer { try? handle.close() }
      // Tries to read one byte more than allowed to detect large files, because the reported file size may be wrong.
      let data = try handle.read(upToCount: limits.maximumBytes + 1) ?? Data()
      if data.count <= limits.maximumBytes { return data }
    } catch {
      let isMissing = SystemErrorNumber(error)?.isMissing == true
      throw DiagnosticList([
        isMissing
          ? Diagnostic(.error, code: "file.missing", problem: "there is no file '\(file)'", remedy: "check the path")
          : .unreadable("the file '\(file)'", because: error)
      ])
    }
    throw DiagnosticList([.tooLarge(limits, location: location)])
  }
}
