// What a contract can ask the network for: host interface, version 1. docs/contract-host.md of Parley says what each function does.
// Pointers and lengths go together; a function with `out, capacity` writes what fits and gives the whole length.
pub const host = struct {
    pub extern "env" fn arg_count() i32;
    pub extern "env" fn arg_type(index: i32) i32;
    pub extern "env" fn arg_len(index: i32) usize;
    pub extern "env" fn arg_read(index: i32, out: [*]u8, capacity: usize) usize;
    pub extern "env" fn arg_u64(index: i32) u64;
    pub extern "env" fn arg_bool(index: i32) i32;
    pub extern "env" fn input_read(out: [*]u8, offset: usize, capacity: usize) usize;
    pub extern "env" fn ctx_read(field: i32, out: [*]u8, capacity: usize) usize;
    pub extern "env" fn value() u64;
    pub extern "env" fn block_height() u64;
    pub extern "env" fn block_time() u64;
    pub extern "env" fn gas_left() u64;
    pub extern "env" fn state_get(key: [*]const u8, key_length: usize, out: [*]u8, capacity: usize) i32;
    pub extern "env" fn state_set(key: [*]const u8, key_length: usize, bytes: [*]const u8, length: usize) void;
    pub extern "env" fn state_del(key: [*]const u8, key_length: usize) void;
    pub extern "env" fn state_next(prefix: [*]const u8, prefix_length: usize, after: [*]const u8, after_length: usize, out: [*]u8, capacity: usize) i32;
    pub extern "env" fn balance() u64;
    pub extern "env" fn transfer(to: [*]const u8, length: usize, amount: u64) i32;
    pub extern "env" fn burn(amount: u64) i32;
    pub extern "env" fn key_usable(key: [*]const u8, length: usize) i32;
    pub extern "env" fn log(text: [*]const u8, length: usize) void;
    pub extern "env" fn ret(json: [*]const u8, length: usize) void;
    pub extern "env" fn revert(reason: [*]const u8, length: usize) void;
    pub extern "env" fn sha256(bytes: [*]const u8, length: usize, out: [*]u8) void;
    pub extern "env" fn sig_verify(message: [*]const u8, length: usize, signature: [*]const u8, key: [*]const u8) i32;
    pub extern "env" fn call(id: [*]const u8, id_length: usize, method: [*]const u8, method_length: usize, args: [*]const u8, args_length: usize, amount: u64, gas: u32) i32;
    pub extern "env" fn result_read(out: [*]u8, offset: usize, capacity: usize) usize;
};

/// Fields of `ctx_read`.
pub const Context = enum(i32) { caller = 0, self = 1, origin = 2, tx_id = 3, owner = 4, chain_id = 5 };

pub fn arg_u64(index: i32) u64 {
    return host.arg_u64(index);
}

pub fn log(line: []const u8) void {
    host.log(line.ptr, line.len);
}

/// Ends the call: nothing remains but its price and this reason.
pub fn revert(reason: []const u8) noreturn {
    host.revert(reason.ptr, reason.len);
    unreachable;
}

/// Ends the call unless the condition holds.
pub fn demand(condition: bool, reason: []const u8) void {
    if (!condition) revert(reason);
}

/// An integer of the state: 8 bytes, big-endian; 0 when there is none.
pub fn get_u64(key: []const u8) u64 {
    var bytes: [8]u8 = undefined;
    if (host.state_get(key.ptr, key.len, &bytes, 8) != 8) return 0;
    var number: u64 = 0;
    for (bytes) |byte| number = number << 8 | byte;
    return number;
}

/// 0 is kept as no entry.
pub fn set_u64(key: []const u8, number: u64) void {
    if (number == 0) {
        host.state_del(key.ptr, key.len);
        return;
    }
    var bytes: [8]u8 = undefined;
    var rest = number;
    var at: usize = 8;
    while (at > 0) {
        at -= 1;
        bytes[at] = @truncate(rest);
        rest >>= 8;
    }
    host.state_set(key.ptr, key.len, &bytes, 8);
}

/// A field of the context in a buffer: a key has 64 characters, the id of a contract 16.
pub fn context(field: Context, out: *[64]u8) []const u8 {
    return out[0..host.ctx_read(@intFromEnum(field), out, 64)];
}

/// Decimal digits of an integer at the end of a buffer.
pub fn digits(number: u64, out: *[20]u8) []const u8 {
    var rest = number;
    var at: usize = 20;
    while (at == 20 or rest > 0) {
        at -= 1;
        out[at] = '0' + @as(u8, @intCast(rest % 10));
        rest /= 10;
    }
    return out[at..];
}

pub fn return_u64(number: u64) void {
    var buffer: [20]u8 = undefined;
    const json = digits(number, &buffer);
    host.ret(json.ptr, json.len);
}
