import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport

/// A folder with a clinic's app: a model in three versions, the mappings between them, and a store of the first.
///
/// The second version splits pets by species, merges nurses and doctors, and the payments by card and in cash, and renames
/// `issued`, whose type it changes. The third drops properties that only the second has, or that it has from the first.
final class ClinicFixture {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let names = ["Clinic 1", "Clinic 2", "Clinic 3"]
    try ModelBundle(
      versions: zip(names, Self.versions).map { .init(name: $0, model: $1) }, currentVersionName: "Clinic 3"
    ).write(to: folder.appending("Clinic.xcdatamodeld"))
    try write(Self.firstHop, to: "1-2.xml")
    try write(Self.secondHop, to: "2-3.xml")
    try makeStore()
  }

  // MARK: Models

  private static func attribute(_ name: String, _ type: AttributeType = .string) -> AttributeDescription {
    AttributeDescription(name: name, type: type)
  }

  private static func toOne(_ name: String, _ entity: String, _ inverse: String) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: entity, inverseName: inverse, inverseEntityName: entity, maxCount: 1)
  }

  private static func toMany(_ name: String, _ entity: String, _ inverse: String) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: entity, inverseName: inverse, inverseEntityName: entity)
  }

  private static func entity(
    _ name: String, _ attributes: [AttributeDescription], _ relationships: [RelationshipDescription] = []
  ) -> EntityDescription {
    EntityDescription(
      name: name, managedObjectClassName: name, attributes: attributes.sorted { $0.name < $1.name },
      relationships: relationships.sorted { $0.name < $1.name })
  }

  static var versions: [ManagedObjectModel] {
    let payment = [attribute("amount", .double)]
    func number(maximum: Int64?) -> AttributeDescription {
      var number = attribute("number", .integer64)
      if let maximum { number.validation.maximum = .integer(maximum) }
      return number
    }
    func animals(_ dog: [AttributeDescription]) -> [EntityDescription] {
      [
        entity("Cat", [attribute("name"), attribute("born")], [toOne("owner", "Owner", "cats")]),
        entity("Dog", dog, [toOne("owner", "Owner", "dogs")]),
        entity("Owner", [attribute("name")], [toMany("cats", "Cat", "owner"), toMany("dogs", "Dog", "owner")]),
      ]
    }
    return [
      ManagedObjectModel(entities: [
        entity("CardPayment", payment, [toOne("invoice", "Invoice", "cardPayments")]),
        entity("CashPayment", payment, [toOne("invoice", "Invoice", "cashPayments")]),
        entity("Doctor", [attribute("name"), attribute("title")]),
        entity(
          "Invoice", [number(maximum: nil), attribute("issued")],
          [toMany("cardPayments", "CardPayment", "invoice"), toMany("cashPayments", "CashPayment", "invoice")]),
        entity("Nurse", [attribute("name")]),
        entity("Owner", [attribute("name")], [toMany("pets", "Pet", "owner")]),
        entity(
          "Pet", [attribute("name"), attribute("species"), attribute("chip"), attribute("born")],
          [toOne("owner", "Owner", "pets")]),
      ]),
      ManagedObjectModel(
        entities: animals([attribute("name"), attribute("born")]) + [
          entity(
            "Invoice", [number(maximum: 1_000), attribute("issuedAt", .double)],
            [toMany("payments", "Payment", "invoice")]),
          entity("Payment", payment + [attribute("method")], [toOne("invoice", "Invoice", "payments")]),
          entity("Staff", [attribute("name"), attribute("title")]),
        ]),
      ManagedObjectModel(
        entities: animals([attribute("name")]) + [
          entity("Invoice", [number(maximum: 1_000)], [toMany("payments", "Payment", "invoice")]),
          entity("Payment", payment, [toOne("invoice", "Invoice", "payments")]),
          entity("Staff", [attribute("name")]),
        ]),
    ]
  }

  // MARK: Mappings

  static let firstHop = """
    <mapping-model source="Clinic 1" destination="Clinic 2">
      <entity-mapping name="PetToDog" source="Pet" destination="Dog" where="species == 'dog'">
        <drop name="species"/>
        <drop name="chip"/>
      </entity-mapping>
      <entity-mapping name="PetToCat" source="Pet" destination="Cat" where="species == 'cat'">
        <drop name="species"/>
        <drop name="chip"/>
      </entity-mapping>
      <entity-mapping type="remove" source="Pet"/>
      <entity-mapping source="Owner" destination="Owner">
        <relationship name="dogs" from="$source.pets" mapping="PetToDog"/>
        <relationship name="cats" from="$source.pets" mapping="PetToCat"/>
      </entity-mapping>
      <entity-mapping source="Nurse" destination="Staff"/>
      <entity-mapping source="Doctor" destination="Staff"/>
      <entity-mapping source="Invoice" destination="Invoice">
        <attribute name="issuedAt" value="CAST($source.issued, 'NSNumber')"/>
      </entity-mapping>
      <entity-mapping source="CardPayment" destination="Payment">
        <attribute name="method" value="'card'"/>
      </entity-mapping>
      <entity-mapping source="CashPayment" destination="Payment">
        <attribute name="method" value="'cash'"/>
      </entity-mapping>
    </mapping-model>
    """

  static let secondHop = """
    <mapping-model source="Clinic 2" destination="Clinic 3">
      <entity-mapping source="Dog" destination="Dog">
        <drop name="born"/>
      </entity-mapping>
      <entity-mapping source="Invoice" destination="Invoice">
        <drop name="issuedAt"/>
      </entity-mapping>
      <entity-mapping source="Payment" destination="Payment">
        <drop name="method"/>
      </entity-mapping>
      <entity-mapping source="Staff" destination="Staff">
        <drop name="title"/>
      </entity-mapping>
    </mapping-model>
    """

  // MARK: Store

  /// Three dogs, two cats and a parrot of one owner, two nurses and a doctor, three invoices with a payment each.
  private func makeStore() throws {
    let store = try PersistentStore.create(at: folder.appending("Clinic.sqlite"), model: Self.versions[0])
    let context = ManagedObjectContext(store: store)
    let owner = try context.insert("Owner")
    owner["name"] = "Ada"
    for (index, species) in ["dog", "cat", "dog", "parrot", "cat", "dog"].enumerated() {
      let pet = try context.insert("Pet")
      pet["name"] = .string("Pet \(index)")
      pet["species"] = .string(species)
      pet["chip"] = .string("C\(index)")
      if index != 2 { pet["born"] = "2020" }
      pet[toOne: "owner"] = owner
      try context.save()
    }
    for (entity, name, title) in [("Nurse", "Ines", nil), ("Doctor", "Omar", "Dr."), ("Nurse", "Per", String?.none)] {
      let person = try context.insert(entity)
      person["name"] = .string(name)
      if let title { person["title"] = .string(title) }
    }
    for (number, kind) in ["CardPayment", "CashPayment", "CardPayment"].enumerated() {
      let invoice = try context.insert("Invoice")
      invoice["number"] = .integer(Int64(number + 1))
      invoice["issued"] = .string("\(700 + number)")
      let payment = try context.insert(kind)
      payment["amount"] = .double(9.5)
      payment[toOne: "invoice"] = invoice
      try context.save()
    }
    try store.close()
  }

  func write(_ text: String, to name: String) throws {
    try text.write(to: folder.appending(name), atomically: true, encoding: .utf8)
  }

  /// Changes a store with plain SQL.
  func change(_ sql: String) throws {
    let database = try Database(path: folder.appending("Clinic.sqlite").path, mode: .readWrite)
    try database.execute(sql)
    try database.close()
  }

  /// Runs the tool in the folder. Sizes, free space and times are shown as `SIZE` and `TIME`.
  func run(_ arguments: String..., code: MigrationCode = MigrationCode()) -> ToolFixture.Run {
    let (output, errors) = (MemorySink(), MemorySink())
    let io = CommandIO(output: output, errors: errors, workingDirectory: folder.url)
    var tool = CommandLineTool.heavylift
    tool.code = code
    let result = tool.run(arguments, io)
    func shown(_ text: String) -> String {
      text.replacing(folder.url.path, with: "FOLDER").replacing(/\d+\.\d s\b/, with: "TIME")
        .replacing(/\d+(\.\d)? [kMGT]B/, with: "SIZE")
    }
    return ToolFixture.Run(code: result, output: shown(output.text), errors: shown(errors.text))
  }

  /// The names and bytes of all files below the folder.
  func listing() throws -> [String: Data] { try folder.contents() }
}
