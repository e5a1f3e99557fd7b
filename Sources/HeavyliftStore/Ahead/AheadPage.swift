import HeavyliftModel

/// Rows that were read before anybody asked for them.
///
/// A row is odd where something in it is not as the model says, or takes a closer look: whoever is asked for its values
/// reads it again, and tells what is wrong with it.
///
/// Unchecked, because `made` changes: a page is handed from thread to thread, and used by one at a time.
final class AheadPage: @unchecked Sendable {
  struct Contents {
    var keys: [Int64] = []
    var versions: [Int64] = []
    /// Row by row, as many of each as are wanted.
    var values: [Value] = []
    /// Row by row: what the columns of to-one relationships hold, as integers.
    var targets: [Int64] = []
    /// The attributes of new objects; an empty list for an odd row.
    var made: [[Value]] = []
    var odd: Set<Int> = []
    /// About how much memory the values have elsewhere.
    var bytes = 0
    /// Places among the wanted cells by cell; -1 for those that nobody wants.
    let places: [Int]
    let width: Int

    init(cells: Int, wanted: [Int], rows: Int) {
      var places = [Int](repeating: -1, count: cells)
      for (place, cell) in wanted.enumerated() { places[cell] = place }
      (self.places, width) = (places, wanted.count)
      keys.reserveCapacity(rows)
      versions.reserveCapacity(rows)
      values.reserveCapacity(rows * width)
    }

    /// The value of a cell; nil where it was not read.
    @inline(__always)
    func value(ofCell cell: Int, at row: Int) -> Value? {
      let place = places[cell]
      return place < 0 ? Value?.none : values[row * width + place]
    }

    func isOdd(_ row: Int) -> Bool { !odd.isEmpty && odd.contains(row) }
  }

  let contents: Contents
  private var made: [[Value]]

  init(_ contents: consuming Contents) {
    made = contents.made
    contents.made = []
    self.contents = contents
  }

  /// The attributes of the new object that is made of a row; nil where there are none, or they were taken.
  func takeMade(at row: Int) -> [Value]? {
    guard row < made.count else { return nil }
    var taken: [Value] = []
    swap(&taken, &made[row])
    return taken.isEmpty ? nil : taken
  }
}
