import HeavyliftTestSupport
import Testing

@Suite struct EvaluationVectorTests {
  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
  func `every vector that is followed gives what its suite expects`() throws {
    for vector in try EvaluationVector.all() where VectorDeviation.all[vector.id] == nil {
      if let disagreement = vector.disagreement() {
        Issue.record("\(vector.id) (\(vector.checked ?? "")) \(vector.format): \(disagreement)")
      }
    }
  }

  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
  func `a vector that is not followed is one that disagrees`() throws {
    let vectors = try EvaluationVector.all()
    for (id, reason) in VectorDeviation.values {
      let vector = try #require(vectors.first { $0.id == id }, "\(id): \(reason)")
      #expect(vector.disagreement() != nil, "\(id) is followed after all: \(reason)")
      #expect(vector.checked != "apple", "\(id) runs on Apple's Foundation: \(reason)")
    }
  }
}
