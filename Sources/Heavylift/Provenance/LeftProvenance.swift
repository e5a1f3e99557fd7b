import Foundation
import HeavyliftStore

/// A provenance on its way from the work folder to where it is wanted.
///
/// It gets there before the store gets to its own place, and is taken back if the store does not.
struct LeftProvenance {
  /// In the work folder.
  let made: URL
  let place: URL
  /// Part of the name of a copy that is not complete.
  let mark: String
  let files: FileOperations

  /// A copy on its way.
  private var copy: URL { place.deletingLastPathComponent().appending(path: ".\(place.lastPathComponent).\(mark)") }

  /// Returns true if what is there is this, left by a run that was ended then.
  func isLeft() throws -> Bool {
    guard let here = try FileIdentity(made), let there = try FileIdentity(place) else { return false }
    return here.isSameFile(as: there)
      || here.size == there.size && FileManager.default.contentsEqual(atPath: made.path, andPath: place.path)
  }

  /// Leaves it under a second name, or as a copy on another disk.
  func leave() throws {
    if try isLeft() { return }
    do {
      try files.link(made, to: place)
    } catch let error as POSIXError where error.meansNoLinks {
      try files.remove(copy)
      try files.copy(made, to: copy)
      do {
        try files.move(copy, to: place)
      } catch {
        try? files.remove(copy)
        throw try files.exists(place) ? IncrementalMigrationError.destinationExists(place) : error
      }
    } catch let error as POSIXError where error.code == .EEXIST {
      throw IncrementalMigrationError.destinationExists(place)
    }
    try files.synchronize(place.deletingLastPathComponent())
  }

  /// Removes it, but nothing that somebody else has put there.
  func takeBack() throws {
    try files.remove(copy)
    if try isLeft() { try files.remove(place) }
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
