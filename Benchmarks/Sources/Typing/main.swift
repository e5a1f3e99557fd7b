import Foundation
import HeavyliftSchema

// Reads and sets properties of typed objects, compared with untyped objects and with a plain Swift class; and saves and
// fetches typed objects, compared with untyped ones.
//
//   swift run -c release --package-path Benchmarks Typing [objects] [rounds]

final class Track: Entity {
  @Attribute var title: String
  @Attribute var seconds: Int
  @Attribute var rating: Double?
  @Attribute var addedAt: Date
}

final class PlainTrack {
  var title = ""
  var seconds = 0
  var rating: Double?
  var addedAt = Date(timeIntervalSinceReferenceDate: 0)
}

// Calls that are not inlined: the optimizer would remove the loops over a plain class.
@inline(never) func seconds(of track: PlainTrack) -> Int { track.seconds }
@inline(never) func title(of track: PlainTrack) -> String { track.title }
@inline(never) func set(_ seconds: Int, of track: PlainTrack) { track.seconds = seconds }

let count = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 100_000
let rounds = CommandLine.arguments.dropFirst(2).first.flatMap(Int.init) ?? 5
let accesses = 1_000_000
let folder = FileManager.default.temporaryDirectory.appending(path: "heavylift-benchmark-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let schema = try Schema([Track.self])

func seconds(_ duration: Duration) -> Double {
  Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}

/// The medians of each measurement, by name and in the order in which they were first made.
struct Measurements {
  private var times: [(name: String, times: [Double])] = []

  mutating func measure(_ name: String, _ body: () throws -> Void) rethrows {
    let time = seconds(try ContinuousClock().measure(body))
    if let place = times.firstIndex(where: { $0.name == name }) {
      times[place].times.append(time)
    } else {
      times.append((name, [time]))
    }
  }

  func median(_ name: String) -> Double {
    let sorted = times.first { $0.name == name }?.times.sorted() ?? [0]
    return sorted[sorted.count / 2]
  }

  func report(_ unit: Double, _ label: String) {
    for (name, _) in times {
      print(
        "\(name.padding(toLength: 28, withPad: " ", startingAt: 0))  \(String(format: "%9.1f", median(name) / unit * 1e9)) \(label)"
      )
    }
  }
}

var sum = 0
var access = Measurements()
var whole = Measurements()
let context = try ModelContext(ModelContainer(for: schema, at: folder.appending(path: "access.sqlite")))
let track = try context.insert(Track.self)
track.title = "Blue in Green, from a session in 1959"
let untyped = track.managedObject
let plain = PlainTrack()
plain.title = track.title

for round in 0..<rounds {
  access.measure("get Int, plain class") { for _ in 0..<accesses { sum &+= seconds(of: plain) } }
  access.measure("get Int, untyped") { for _ in 0..<accesses { sum &+= Int(untyped["seconds"].integer ?? 0) } }
  access.measure("get Int, typed") { for _ in 0..<accesses { sum &+= track.seconds } }
  access.measure("set Int, plain class") { for index in 0..<accesses { set(index, of: plain) } }
  access.measure("set Int, untyped") { for index in 0..<accesses { untyped["seconds"] = .integer(Int64(index)) } }
  access.measure("set Int, typed") { for index in 0..<accesses { track.seconds = index } }
  access.measure("get String, plain class") { for _ in 0..<accesses { sum &+= title(of: plain).utf8.count } }
  access.measure("get String, untyped") {
    for _ in 0..<accesses { sum &+= (untyped["title"].string ?? "").utf8.count }
  }
  access.measure("get String, typed") { for _ in 0..<accesses { sum &+= track.title.utf8.count } }

  let container = try ModelContainer(for: schema, at: folder.appending(path: "typed-\(round).sqlite"))
  try whole.measure("make and save, typed") {
    let context = try ModelContext(container)
    for index in 0..<count {
      let track = try context.insert(Track.self)
      track.title = "track \(index)"
      track.seconds = index
      track.rating = index % 3 == 0 ? nil : Double(index)
      track.addedAt = Date(timeIntervalSinceReferenceDate: Double(index))
    }
    try context.save()
  }
  let other = try ModelContainer(for: schema, at: folder.appending(path: "untyped-\(round).sqlite"))
  try whole.measure("make and save, untyped") {
    let context = try ModelContext(other).managedObjectContext
    for index in 0..<count {
      let track = try context.insert("Track")
      track["title"] = .string("track \(index)")
      track["seconds"] = .integer(Int64(index))
      track["rating"] = index % 3 == 0 ? .null : .double(Double(index))
      track["addedAt"] = .date(Date(timeIntervalSinceReferenceDate: Double(index)))
    }
    try context.save()
  }
  try whole.measure("fetch and read, typed") {
    for track in try ModelContext(container).fetch(Track.self) {
      sum &+= track.title.utf8.count &+ track.seconds &+ Int(track.rating ?? 0)
    }
  }
  try whole.measure("fetch and read, untyped") {
    let context = try ModelContext(container).managedObjectContext
    for track in try context.fetch(FetchRequest(entityName: "Track")) {
      sum &+= (track["title"].string ?? "").utf8.count &+ Int(track["seconds"].integer ?? 0)
      sum &+= Int(track["rating"].double ?? 0)
    }
  }
  try whole.measure("enumerate and read, typed") {
    try ModelContext(container).enumerate(FetchDescriptor<Track>()) { track in
      sum &+= track.title.utf8.count &+ track.seconds &+ Int(track.rating ?? 0)
    }
  }
}

print("\(accesses) accesses, medians of \(rounds) rounds; sum \(sum)")
access.report(Double(accesses), "ns each")
for kind in ["get Int", "set Int", "get String"] {
  print(
    "\(kind): typed is \(String(format: "%.2f", access.median("\(kind), typed") / access.median("\(kind), untyped"))) × untyped"
  )
}
print("\n\(count) objects, medians of \(rounds) rounds")
whole.report(Double(count), "ns an object")
for kind in ["make and save", "fetch and read"] {
  print(
    "\(kind): typed is \(String(format: "%.2f", whole.median("\(kind), typed") / whole.median("\(kind), untyped"))) × untyped"
  )
}
