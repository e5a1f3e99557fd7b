import Foundation

/// A provenance on its way from the work folder to where it is wanted.
///
/// It gets there before the store gets to its own place, and is taken back if the store does not.
struct LeftProvenance {
  /// In the work folder.
  let made: URL
  let place: URL
  let files: FileOperations

  /// Whether what is there is this, left by a run that was ended then.
  var isLeft: Bool {
    guard let here = FileIdentity(made), let there = FileIdentity(place) else { return false }
    return here.isSameFile(as: there)
      || here.size == there.size && FileManager.default.contentsEqual(atPath: made.path, andPath: place.path)
  }

  /// Leaves it under a second name, or as a copy on another disk.
  func leave() throws {
    if isLeft { return }
    do {
      try files.link(made, to: place)
    } catch let error as POSIXError where error.meansNoLinks {
      let copy = place.deletingLastPathComponent().appending(path: ".\(place.lastPathComponent).heavylift")
      try files.remove(copy)
      try files.copy(made, to: copy)
      do {
        try files.move(copy, to: place)
      } catch {
        try? files.remove(copy)
        throw files.exists(place) ? IncrementalMigrationError.destinationExists(place) : error
      }
    } catch let error as POSIXError where error.code == .EEXIST {
      throw IncrementalMigrationError.destinationExists(place)
    }
    try files.synchronize(place.deletingLastPathComponent())
  }

  /// Removes it, but nothing that somebody else has put there.
  func takeBack() throws {
    if isLeft { try files.remove(place) }
  }

  /// Runs what puts the store in its place, with the provenance in its own.
  func leave<Result>(with body: () throws -> Result) throws -> Result {
    do {
      try leave()
      return try body()
    } catch {
      try? takeBack()
      throw error
    }
  }
}
