import HeavyliftModel

/// The composite types of an intermediate model.
struct IntermediateComposites {
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel
  private var kept: [String: CompositeDescription] = [:]
  private var relaxed: Set<String> = []
  private(set) var mistakes: [Diagnostic] = []

  init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.source = source
    self.destination = destination
  }

  /// All types, including those of the destination version.
  var all: [CompositeDescription] {
    destination.composites.map { relaxed.contains($0.name) ? Self.relaxed($0) : $0 } + kept.values
  }

  /// Accepts any values of the elements of a type, because values of the old version may violate its conditions.
  mutating func relax(_ name: String) {
    guard let new = destination.composite(named: name), new != source.composite(named: name),
      relaxed.insert(name).inserted
    else { return }
    for element in new.elements { if let nested = element.compositeName { relax(nested) } }
  }

  private static func relaxed(_ composite: CompositeDescription) -> CompositeDescription {
    var composite = composite
    for place in composite.elements.indices {
      composite.elements[place].isOptional = true
      composite.elements[place].validation = AttributeValidation()
      composite.elements[place].markup = Markup()
    }
    composite.markup = Markup()
    return composite
  }

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
    var composite = Self.relaxed(old)
    composite.name = newName
    // Marks the type as kept before its elements, which may not be cyclic, but may repeat types.
    kept[newName] = composite
    for place in composite.elements.indices {
      if let nested = composite.elements[place].compositeName {
        composite.elements[place].compositeName = keep(nested)
      }
    }
    kept[newName] = composite
    return newName
  }
}
