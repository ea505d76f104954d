// Counts. The smallest contract with state, a limit and a view.
const parley = @import("parley.zig");

/// Adds n.
export fn add() void {
    const n = parley.arg_u64(0);
    const count = parley.get_u64("count");
    parley.demand(count +% n >= count, "the count would overflow");
    parley.set_u64("count", count + n);
    var line: [26]u8 = undefined;
    var buffer: [20]u8 = undefined;
    const text = parley.digits(count + n, &buffer);
    @memcpy(line[0..6], "count ");
    @memcpy(line[6 .. 6 + text.len], text);
    parley.log(line[0 .. 6 + text.len]);
}

/// Starts again at zero; only for the owner, who deployed the contract.
export fn reset() void {
    var caller: [64]u8 = undefined;
    var owner: [64]u8 = undefined;
    const is_owner = equal(parley.context(.caller, &caller), parley.context(.owner, &owner));
    parley.demand(is_owner, "only the owner resets");
    parley.set_u64("count", 0);
}

/// The count.
export fn get() void {
    parley.return_u64(parley.get_u64("count"));
}

fn equal(a: []const u8, b: []const u8) bool {
    if (a.len != b.len) return false;
    for (a, b) |left, right| if (left != right) return false;
    return true;
}
