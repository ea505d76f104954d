// A contract in Rust without its standard library: everybody's sum of what they added.
// Rebuild it with build.sh. What it can do is in docs/contract-host.md.
#![no_std]

#[link(wasm_import_module = "env")]
extern "C" {
    fn arg_u64(index: i32) -> u64;
    fn ctx_read(field: i32, into: *mut u8, room: usize) -> usize;
    fn state_get(key: *const u8, key_bytes: usize, into: *mut u8, room: usize) -> i32;
    fn state_set(key: *const u8, key_bytes: usize, value: *const u8, value_bytes: usize);
    fn log(line: *const u8, bytes: usize);
    fn ret(json: *const u8, bytes: usize);
    fn revert(reason: *const u8, bytes: usize) -> !;
}

const CALLER: i32 = 0;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

fn caller() -> [u8; 64] {
    let mut key = [0; 64];
    unsafe { ctx_read(CALLER, key.as_mut_ptr(), key.len()) };
    key
}

fn sum_of(key: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let found = unsafe { state_get(key.as_ptr(), key.len(), bytes.as_mut_ptr(), bytes.len()) };
    if found < 0 { 0 } else { u64::from_le_bytes(bytes) }
}

fn refuse(reason: &str) -> ! {
    unsafe { revert(reason.as_ptr(), reason.len()) }
}

#[no_mangle]
pub extern "C" fn add() {
    let key = caller();
    let sum = match sum_of(&key).checked_add(unsafe { arg_u64(0) }) {
        Some(sum) => sum,
        None => refuse("the sum is too large"),
    };
    let bytes = sum.to_le_bytes();
    unsafe {
        state_set(key.as_ptr(), key.len(), bytes.as_ptr(), bytes.len());
        log("added".as_ptr(), 5);
    }
}

#[no_mangle]
pub extern "C" fn get() {
    let mut digits = [0; 20];
    let mut start = digits.len();
    let mut rest = sum_of(&caller());
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    unsafe { ret(digits.as_ptr().add(start), digits.len() - start) }
}
