import Foundation

/// A cart.
/// It sells.
public final class Cart: Store, Sendable {
    let items: [Item]
    var total: Int { items.count }

    /// Makes one.
    init(items: [Item]) {
        self.items = items
    }
    deinit { close() }
    @discardableResult
    func add<T>(_ item: T, to list: [T]) throws -> Bool where T: Equatable {
        let copy = Item(item)
        list.insert(copy)
        return helper(item)
    }
    static func make() -> Cart { Cart(items: []) }
    subscript(index: Int) -> Item { items[index] }
    enum Kind: String { case a, b
        func name() -> String { rawValue }
    }
}
struct Point { var x = 0 }
protocol Store { func add(_ x: Int) -> Bool
  init() }
extension Cart { func clear() {} }
actor Bank {}
func helper(_ x: Int) -> Bool { true }
typealias Id = Int
infix operator +++
func +++ (a: Int, b: Int) -> Int { a }
@Test func adds() throws {
    #expect(helper(1) == true)
    _ = try #require(find(1))
}
