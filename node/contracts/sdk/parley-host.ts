// The host's functions as a module imports them. What they do is said in docs/contract-host.md; contracts use them through "parley".

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

@external("env", "arg_count") export declare function envArgCount(): i32;
@external("env", "arg_type") export declare function envArgType(index: i32): i32;
@external("env", "arg_len") export declare function envArgLen(index: i32): i32;
@external("env", "arg_read") export declare function envArgRead(index: i32, pointer: usize, capacity: i32): i32;
@external("env", "arg_u64") export declare function envArgU64(index: i32): u64;
@external("env", "arg_bool") export declare function envArgBool(index: i32): i32;
@external("env", "ctx_read") export declare function envCtxRead(field: i32, pointer: usize, capacity: i32): i32;
@external("env", "value") export declare function envValue(): u64;
@external("env", "block_height") export declare function envBlockHeight(): u64;
@external("env", "block_time") export declare function envBlockTime(): u64;
@external("env", "gas_left") export declare function envGasLeft(): u64;
@external("env", "state_get") export declare function envStateGet(key: usize, keyLength: i32, pointer: usize, capacity: i32): i32;
@external("env", "state_set") export declare function envStateSet(key: usize, keyLength: i32, pointer: usize, length: i32): void;
@external("env", "state_del") export declare function envStateDel(key: usize, keyLength: i32): void;
@external("env", "state_next") export declare function envStateNext(prefix: usize, prefixLength: i32, after: usize, afterLength: i32, pointer: usize, capacity: i32): i32;
@external("env", "balance") export declare function envBalance(): u64;
@external("env", "transfer") export declare function envTransfer(to: usize, toLength: i32, amount: u64): i32;
@external("env", "burn") export declare function envBurn(amount: u64): i32;
@external("env", "key_usable") export declare function envKeyUsable(key: usize, length: i32): i32;
@external("env", "log") export declare function envLog(pointer: usize, length: i32): void;
@external("env", "ret") export declare function envRet(pointer: usize, length: i32): void;
@external("env", "revert") export declare function envRevert(pointer: usize, length: i32): void;
@external("env", "sha256") export declare function envSha256(pointer: usize, length: i32, target: usize): void;
@external("env", "sig_verify") export declare function envSigVerify(message: usize, length: i32, signature: usize, key: usize): i32;
@external("env", "call") export declare function envCall(id: usize, idLength: i32, method: usize, methodLength: i32, args: usize, argsLength: i32, amount: u64, gas: u32): i32;
@external("env", "result_read") export declare function envResultRead(pointer: usize, offset: i32, capacity: i32): i32;
