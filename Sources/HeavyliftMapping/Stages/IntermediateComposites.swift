import HeavyliftModel

/// The composite types of an intermediate model.
struct IntermediateComposites {
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel
  private var kept: [String: CompositeDescription] = [:]
  private(set) var mistakes: [Diagnostic] = []

  init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.source = source
    self.destination = destination
  }

  /// All types, including those of the destination version.
  var all: [CompositeDescription] { destination.composites + kept.values }

  /// Keeps a type of the source version and returns its name in the intermediate model.
  mutating func keep(_ name: String) -> String {
    guard let old = source.composite(named: name) else { return name }
    if old == destination.composite(named: name), old.elements.allSatisfy({ $0.compositeName == nil }) { return name }
    let isTaken = destination.composites.contains { $0.name.uppercased() == name.uppercased() }
    let newName = isTaken ? IntermediateModel.renameOld(name) : name
    guard kept[newName] == nil else { return newName }
    if let other = destination.composites.first(where: { $0.name.uppercased() == newName.uppercased() }) {
      mistakes.append(
        IntermediateMistake.nameInUse(kept: newName, name: other.name).diagnostic(
          "composite type \(name.quotedName)", at: other.markup.location))
      return newName
    }
    var composite = old
    composite.name = newName
    composite.markup = Markup()
    for place in composite.elements.indices {
      composite.elements[place].isOptional = true
      composite.elements[place].validation = AttributeValidation()
      composite.elements[place].compositeName = composite.elements[place].compositeName.map { keep($0) }
      composite.elements[place].markup = Markup()
    }
    kept[newName] = composite
    return newName
  }
}
