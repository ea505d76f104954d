// What a contract can ask the network for: host interface, version 1. docs/contract-host.md of Parley says what each function does.
#![allow(dead_code)]

/// The functions of the host as they are: pointers and lengths go together; one with `out, capacity` writes what fits and gives the
/// whole length.
pub mod host {
    #[link(wasm_import_module = "env")]
    extern "C" {
        pub fn arg_count() -> i32;
        pub fn arg_type(index: i32) -> i32;
        pub fn arg_len(index: i32) -> usize;
        pub fn arg_read(index: i32, out: *mut u8, capacity: usize) -> usize;
        pub fn arg_u64(index: i32) -> u64;
        pub fn arg_bool(index: i32) -> i32;
        pub fn input_read(out: *mut u8, offset: usize, capacity: usize) -> usize;
        pub fn ctx_read(field: i32, out: *mut u8, capacity: usize) -> usize;
        pub fn value() -> u64;
        pub fn block_height() -> u64;
        pub fn block_time() -> u64;
        pub fn gas_left() -> u64;
        pub fn state_get(key: *const u8, key_length: usize, out: *mut u8, capacity: usize) -> i32;
        pub fn state_set(key: *const u8, key_length: usize, value: *const u8, length: usize);
        pub fn state_del(key: *const u8, key_length: usize);
        pub fn state_next(prefix: *const u8, prefix_length: usize, after: *const u8, after_length: usize, out: *mut u8, capacity: usize) -> i32;
        pub fn balance() -> u64;
        pub fn transfer(to: *const u8, length: usize, amount: u64) -> i32;
        pub fn burn(amount: u64) -> i32;
        pub fn key_usable(key: *const u8, length: usize) -> i32;
        pub fn log(text: *const u8, length: usize);
        pub fn ret(json: *const u8, length: usize);
        pub fn revert(reason: *const u8, length: usize) -> !;
        pub fn sha256(bytes: *const u8, length: usize, out: *mut u8);
        pub fn sig_verify(message: *const u8, length: usize, signature: *const u8, key: *const u8) -> i32;
        pub fn call(
            id: *const u8, id_length: usize, method: *const u8, method_length: usize, args: *const u8, args_length: usize, amount: u64, gas: u32,
        ) -> i32;
        pub fn result_read(out: *mut u8, offset: usize, capacity: usize) -> usize;
    }
}

/// Fields of `ctx_read`.
pub const CALLER: i32 = 0;
pub const SELF: i32 = 1;
pub const ORIGIN: i32 = 2;
pub const TX_ID: i32 = 3;
pub const OWNER: i32 = 4;
pub const CHAIN_ID: i32 = 5;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

pub fn arg_u64(index: i32) -> u64 {
    unsafe { host::arg_u64(index) }
}

pub fn log(line: &[u8]) {
    unsafe { host::log(line.as_ptr(), line.len()) }
}

/// Ends the call: nothing remains but its price and this reason.
pub fn revert(reason: &str) -> ! {
    unsafe { host::revert(reason.as_ptr(), reason.len()) }
}

/// Ends the call unless the condition holds.
pub fn demand(condition: bool, reason: &str) {
    if !condition {
        revert(reason)
    }
}

/// An integer of the state: 8 bytes, big-endian; 0 when there is none.
pub fn get_u64(key: &str) -> u64 {
    let mut bytes = [0; 8];
    let length = unsafe { host::state_get(key.as_ptr(), key.len(), bytes.as_mut_ptr(), bytes.len()) };
    if length == 8 { u64::from_be_bytes(bytes) } else { 0 }
}

/// 0 is kept as no entry.
pub fn set_u64(key: &str, number: u64) {
    let bytes = number.to_be_bytes();
    unsafe {
        if number == 0 {
            host::state_del(key.as_ptr(), key.len())
        } else {
            host::state_set(key.as_ptr(), key.len(), bytes.as_ptr(), bytes.len())
        }
    }
}

/// A field of the context: a key has 64 characters, the id of a contract 16.
pub fn context(field: i32) -> ([u8; 64], usize) {
    let mut text = [0; 64];
    let length = unsafe { host::ctx_read(field, text.as_mut_ptr(), text.len()) };
    (text, length)
}

/// A text that is put together from parts.
pub struct Line {
    bytes: [u8; 128],
    length: usize,
}

impl Line {
    pub fn new() -> Line {
        Line { bytes: [0; 128], length: 0 }
    }

    pub fn text(mut self, text: &str) -> Line {
        for byte in text.bytes() {
            self.push(byte)
        }
        self
    }

    pub fn number(mut self, number: u64) -> Line {
        let mut divisor: u64 = 1;
        while number / divisor >= 10 {
            divisor *= 10
        }
        while divisor > 0 {
            self.push(b'0' + (number / divisor % 10) as u8);
            divisor /= 10
        }
        self
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    fn push(&mut self, byte: u8) {
        self.bytes[self.length] = byte;
        self.length += 1
    }
}

pub fn return_u64(number: u64) {
    let json = Line::new().number(number);
    unsafe { host::ret(json.bytes().as_ptr(), json.bytes().len()) }
}
