import HeavyliftModel

/// A removed property must be mapped or dropped by name if a new property with a compatible type or a similar name gets
/// no value: the old one may have been renamed.
struct PossibleRenaming: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.possible-renaming"
    var owner: EntityMappingFact
    var property: PropertyReference
    var candidates: [RenamingCandidate]
    var severity: Diagnostic.Severity
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    let model = mapping.complete.mappingModel
    // Core Data's inference removes the property, and so do Xcode's mapping models.
    let isCoreDatas = model.isInferred || model.unmentionedEntities == .dropped
    let heirs = AbstractEntity.expectedHeirs(in: mapping)
    return mapping.facts.gone.findings().flatMap { fact, findings -> [Mistake] in
      if let source = fact.source, heirs.contains(source) { return [] }
      // A property mapping with a misspelled name may be meant for the renamed property.
      guard fact.description.propertyMappings.allSatisfy({ fact.destinationProperties[$0.name] != nil }) else {
        return []
      }
      return findings.filter { !$0.candidates.isEmpty }.map { finding in
        Mistake(
          owner: fact, property: finding.property, candidates: finding.candidates,
          // A policy can set the new property in Swift, where no check sees it. An error would force the author to
          // write a copy or a drop, and both would be wrong.
          severity: isCoreDatas || fact.isCustom ? .warning : .error, location: fact.location(of: "source"))
      }
    }
  }
}

extension PossibleRenaming.Mistake {
  private static let mostCandidates = 3

  var problem: String {
    let source = (owner.mapping.sourceEntityName ?? "").quotedName
    let names = candidates.prefix(Self.mostCandidates).map(\.property.name).quotedList
    let destination = (owner.mapping.destinationEntityName ?? "").quotedName
    let isOne = candidates.count == 1
    return
      "\(property.kind) \(property.name.quotedName) of source entity \(source) was removed, and \(names) of "
      + "destination entity \(destination) \(isOne ? "is new and has" : "are new and have") no value. Was it renamed?"
  }

  func remedy(_ names: MappingNames) -> String? {
    guard let candidate = candidates.first else { return nil }
    let note = candidate.blank.map { ", with \($0)," } ?? ","
    let drop = "<drop name=\"\(property.name)\"/>"
    guard owner.isImplied else {
      let end = owner.isCustom ? " or the policy reads them" : ""
      let answer = candidate.element.map { "'\($0)'" } ?? candidate.reading
      return "write \(answer) if it was\(note) or '\(drop)' if its values are to be deleted\(end)"
    }
    let (source, destination) = (owner.mapping.sourceEntityName ?? "", owner.mapping.destinationEntityName ?? "")
    let start = "<entity-mapping source=\"\(source)\" destination=\"\(destination)\">"
    let answer =
      candidate.element.map { "'\(start)\($0)</entity-mapping>'" } ?? "'\(start)' and in it \(candidate.reading)"
    return "write \(answer) if it was\(note) or put '\(drop)' there instead if its values are to be deleted"
  }
}
