import Foundation

/// The name of a process, for messages.
enum ProcessName {
  /// Returns words such as `process 4711 ('Library')`, with less detail if the ID or the name is unknown.
  static func words(_ identifier: Int32?) -> String {
    guard let identifier, identifier > 0 else { return "another process" }
    if identifier == getpid() { return "this process" }
    guard let name = try? String(contentsOfFile: "/proc/\(identifier)/comm", encoding: .utf8) else {
      return "process \(identifier)"
    }
    return "process \(identifier) ('\(name.trimmingCharacters(in: .whitespacesAndNewlines))')"
  }
}
