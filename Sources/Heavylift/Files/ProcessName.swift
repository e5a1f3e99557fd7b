import Foundation

/// The name of a process in messages.
enum ProcessName {
  /// Returns `process 4711 ('Library')`, as far as it is known.
  static func words(_ identifier: Int32?) -> String {
    guard let identifier, identifier > 0 else { return "another process" }
    if identifier == getpid() { return "this process itself" }
    guard let name = try? String(contentsOfFile: "/proc/\(identifier)/comm", encoding: .utf8) else {
      return "process \(identifier)"
    }
    return "process \(identifier) ('\(name.trimmingCharacters(in: .whitespacesAndNewlines))')"
  }
}
