// Counts. The smallest contract with state, a limit and a view.
#![no_std]

mod parley;

use parley::{arg_u64, context, demand, get_u64, log, return_u64, revert, set_u64, Line, CALLER, OWNER};

/// Adds n.
#[no_mangle]
pub extern "C" fn add() {
    let count = match get_u64("count").checked_add(arg_u64(0)) {
        Some(count) => count,
        None => revert("the count would overflow"),
    };
    set_u64("count", count);
    log(Line::new().text("count ").number(count).bytes());
}

/// Starts again at zero; only for the owner, who deployed the contract.
#[no_mangle]
pub extern "C" fn reset() {
    demand(context(CALLER) == context(OWNER), "only the owner resets");
    set_u64("count", 0);
}

/// The count.
#[no_mangle]
pub extern "C" fn get() {
    return_u64(get_u64("count"));
}
