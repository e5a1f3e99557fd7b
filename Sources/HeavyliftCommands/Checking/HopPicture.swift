import HeavyliftMapping

/// A picture of a migration in Mermaid's language: the entities that change, and what becomes of them.
struct HopPicture {
  private static let mostArrows = 40

  /// Nil if nothing changes, or too much for a picture.
  let text: String?

  init(_ hop: HopReview) {
    var (sources, destinations, arrows) = ([String](), [String](), [String]())
    func node(_ name: String, _ side: String, in names: inout [String]) -> String {
      let place = names.firstIndex(of: name) ?? names.endIndex
      if place == names.endIndex { names.append(name) }
      return "\(side)\(place)"
    }
    for explanation in hop.mappings.map({ $0.explanation() }) {
      for mapping in explanation.entityMappings {
        let isRenamed = mapping.sourceEntity != mapping.destinationEntity
        guard isRenamed || !mapping.isPlainCopy else { continue }
        let source = mapping.sourceEntity.map { node($0, "s", in: &sources) }
        let destination = mapping.destinationEntity.map { node($0, "d", in: &destinations) }
        switch (source, destination) {
        case (let source?, let destination?):
          let label = mapping.policy != nil ? "|policy|" : isRenamed || mapping.filter != nil ? "" : "|changed|"
          arrows.append("  \(source) -->\(label) \(destination)")
        case (let source?, nil): arrows.append("  \(source) -.-> gone((removed))")
        case (nil, let destination?): arrows.append("  new((new)) -.-> \(destination)")
        case (nil, nil): break
        }
      }
      for name in explanation.droppedEntities {
        arrows.append("  \(node(name, "s", in: &sources)) -.-> gone((removed))")
      }
      for name in explanation.unfilledEntities {
        arrows.append("  new((new)) -.-> \(node(name, "d", in: &destinations))")
      }
    }
    guard !arrows.isEmpty, arrows.count <= Self.mostArrows else {
      text = nil
      return
    }
    func group(_ id: String, _ title: String, _ side: String, _ names: [String]) -> String {
      let nodes = names.enumerated().map { "    \(side)\($0)[\"\(Self.escaped($1))\"]\n" }.joined()
      return names.isEmpty ? "" : "  subgraph \(id)[\"\(Self.escaped(title))\"]\n\(nodes)  end\n"
    }
    text =
      "flowchart LR\n" + group("old", hop.source.name, "s", sources)
      + group("next", hop.destination.name, "d", destinations) + arrows.map { "\($0)\n" }.joined()
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("#", with: "#35;").replacing("\"", with: "#quot;").replacing("<", with: "#lt;")
  }
}
