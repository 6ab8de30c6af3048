//! Module.
const std = @import("std");

/// A cart.
pub const Cart = struct {
    items: []Item,

    /// Makes one.
    pub fn init(allocator: std.mem.Allocator) !Cart {
        return Cart{ .items = try allocator.alloc(Item, 1) };
    }
    fn add(self: *Cart, item: Item) void {
        self.insert(item);
        helper(item);
    }
    const Inner = enum { a, b };
};
const Kind = union(enum) { a: u8 };
fn helper(x: Item) u8 { return compute(x); }
pub fn Generic(comptime T: type) type {
    return struct {
        fn inner(x: T) T { return x; }
    };
}
extern fn native(x: c_int) c_int;
test "adds" { try std.testing.expect(true); }
const E = error{Bad};
fn Arguments(
    comptime Id: type,
) type {
    return Fields(Id);
}
