import Foundation
import Heavylift
import HeavyliftModel

/// The folders and files that a check was given, and the way in which it names what is below them.
struct CheckedPlaces {
  private let given: [(path: String, absolute: String)]
  private let directory: WorkingDirectory

  init(_ paths: [String], _ directory: WorkingDirectory) {
    self.directory = directory
    given = paths.map { path in
      // Xcode's own files are next to the program's source.
      let isProject = ["xcodeproj", "xcworkspace"].contains((path as NSString).pathExtension)
      let folder = isProject ? (path as NSString).deletingLastPathComponent : path
      return (folder.isEmpty ? "." : folder, Self.absolute(folder.isEmpty ? "." : folder, directory))
    }
  }

  /// The path without symbolic links.
  static func absolute(_ path: String, _ directory: WorkingDirectory) -> String {
    directory.url(path).resolvingSymlinksInPath().standardizedFileURL.path
  }

  /// The path of a file for messages; `nil` if it is not in one of the places.
  func shown(_ absolute: String) -> String? {
    for place in given {
      if absolute == place.absolute { return place.path }
      guard absolute.hasPrefix(place.absolute == "/" ? "/" : "\(place.absolute)/") else { continue }
      let rest = String(absolute.dropFirst(place.absolute.count + 1))
      return place.path == "." ? rest : (place.path as NSString).appendingPathComponent(rest)
    }
    return nil
  }

  /// False for models that no app has: those of tests, and of libraries, whose authors decide about their versions.
  static func isReleased(_ path: String) -> Bool {
    isOwn(path)
      && !path.split(separator: "/").dropLast().contains { folder in
        folder.hasSuffix("Tests") || folder.hasSuffix("Test") || folder == "tests"
      }
  }

  /// False for a file of a library.
  static func isOwn(_ path: String) -> Bool {
    !path.split(separator: "/").dropLast().contains { libraries.contains(String($0)) }
  }

  private static let libraries: Set = ["Pods", "Carthage", "SourcePackages", "Checkouts", "node_modules"]
}
