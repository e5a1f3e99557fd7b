/// No composite type may contain itself: its values would be nested without end.
struct CompositeCycle: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.composite-cycle"
    /// The composite types of the cycle, each containing the next; the first one is repeated at the end.
    var path: [String]
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    let composites = Dictionary(model.model.composites.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var found: [Mistake] = []
    var finished: Set<String> = []
    for start in model.model.composites.map(\.name) where !finished.contains(start) {
      // A depth-first search with an explicit path, each composite entered once: a file can nest deeper than the call
      // stack allows.
      var path: [(name: String, next: [String])] = []
      var places: [String: Int] = [:]
      func enter(_ name: String) {
        places[name] = path.count
        path.append((name, composites[name].map(Self.contents) ?? []))
      }
      enter(start)
      while let top = path.last {
        guard let next = top.next.last else {
          finished.insert(top.name)
          places[top.name] = nil
          path.removeLast()
          continue
        }
        path[path.count - 1].next.removeLast()
        if let place = places[next] {
          let cycle = path[place...].map(\.name) + [next]
          found.append(Mistake(path: cycle, location: composites[next]?.markup.location))
        } else if !finished.contains(next), composites[next] != nil {
          enter(next)
        }
      }
    }
    return found
  }

  /// The composite types of the elements, in reverse order.
  private static func contents(_ composite: CompositeDescription) -> [String] {
    var seen: Set<String> = []
    return composite.elements.filter { $0.type == .composite }.compactMap(\.compositeName)
      .filter { seen.insert($0).inserted }.reversed()
  }
}

extension CompositeCycle.Mistake {
  var severity: Diagnostic.Severity { .error }
  var problem: String {
    let most = 10
    var shown = path.map(\.quotedName)
    if shown.count > most { shown.replaceSubrange((most - 1)..<(shown.count - 1), with: ["…"]) }
    return path.count == 2
      ? "composite \(path[0].quotedName) contains itself"
      : "composite \(path[0].quotedName) contains itself: \(shown.joined(separator: " → "))"
  }
  func remedy(_ names: NameSuggestions) -> String? { "remove one element to break the cycle" }
}
