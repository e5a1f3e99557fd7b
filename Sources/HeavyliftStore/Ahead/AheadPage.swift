import HeavyliftModel

/// Rows that were read before anybody asked for them.
///
/// A row is odd where something in it is not as the model says, or takes a closer look: whoever is asked for its values
/// reads it again, and tells what is wrong with it.
final class AheadPage: Sendable {
  struct Contents: Sendable {
    var keys: [Int64] = []
    var versions: [Int64] = []
    /// Row by row, as many of each as are wanted.
    var values: [Value] = []
    /// Row by row: what the columns of to-one relationships hold, as integers.
    var targets: [Int64] = []
    /// The attributes of new objects.
    let made: MadeValues
    var odd: Set<Int> = []
    /// About how much memory the values have elsewhere.
    var bytes = 0
    /// Places among the wanted cells by cell; -1 for those that nobody wants.
    let places: [Int]
    let width: Int

    init(cells: Int, wanted: [Int], _ layout: MadeLayout, rows: Int) {
      var places = [Int](repeating: -1, count: cells)
      for (place, cell) in wanted.enumerated() { places[cell] = place }
      (self.places, width) = (places, wanted.count)
      made = MadeValues(layout, rows: rows)
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

  init(_ contents: consuming Contents) { self.contents = contents }
}
