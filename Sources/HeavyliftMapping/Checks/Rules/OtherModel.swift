import HeavyliftModel

/// The models are those that the mapping was written for.
struct OtherModel {
  func diagnostics(for mapping: MappingIndex) -> [Diagnostic] {
    let (complete, markup) = (mapping.complete, mapping.complete.mappingModel.markup)
    let model = complete.mappingModel
    func location(_ name: String) -> SourceLocation? {
      markup.attributes["\(name)-checksum"] == nil
        ? markup.location(of: name) : markup.location(of: "\(name)-checksum")
    }
    let source = model.source.mismatch(
      with: complete.sourceModel, as: .source, knowing: [complete.destinationModel], location: location("source"))
    let destination = model.destination.mismatch(
      with: complete.destinationModel, as: .destination, knowing: [complete.sourceModel],
      location: location("destination"))
    return [source, destination].compactMap { $0 }
  }
}
