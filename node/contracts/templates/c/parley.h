// What a contract can ask the network for: host interface, version 1. docs/contract-host.md of Parley says what each function does.
// Pointers and lengths go together; a function with `out, capacity` writes what fits and gives the whole length.
#pragma once

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#define PARLEY_HOST(name) __attribute__((import_module("env"), import_name(#name)))
// In front of a function without parameters and result that the ABI lists.
#define METHOD(name) __attribute__((export_name(#name)))

// Arguments
PARLEY_HOST(arg_count) int arg_count(void);
PARLEY_HOST(arg_type) int arg_type(int index); // 0 null, 1 bool, 2 integer, 3 string, 4 list or object
PARLEY_HOST(arg_len) int arg_len(int index);
PARLEY_HOST(arg_read) int arg_read(int index, void *out, int capacity);
PARLEY_HOST(arg_u64) u64 arg_u64(int index);
PARLEY_HOST(arg_bool) int arg_bool(int index);
PARLEY_HOST(input_read) int input_read(void *out, int offset, int capacity);

// Surroundings
enum context { CALLER = 0, SELF = 1, ORIGIN = 2, TX_ID = 3, OWNER = 4, CHAIN_ID = 5 };
PARLEY_HOST(ctx_read) int ctx_read(int field, void *out, int capacity);
PARLEY_HOST(value) u64 value(void);
PARLEY_HOST(block_height) u64 block_height(void);
PARLEY_HOST(block_time) u64 block_time(void);
PARLEY_HOST(gas_left) u64 gas_left(void);

// State: −1 where there is nothing
PARLEY_HOST(state_get) int state_get(const void *key, int key_length, void *out, int capacity);
PARLEY_HOST(state_set) void state_set(const void *key, int key_length, const void *value, int length);
PARLEY_HOST(state_del) void state_del(const void *key, int key_length);
PARLEY_HOST(state_next)
int state_next(const void *prefix, int prefix_length, const void *after, int after_length, void *out, int capacity);

// Money, in µT: 0 when it was paid or burnt
PARLEY_HOST(balance) u64 balance(void);
PARLEY_HOST(transfer) int transfer(const void *to, int length, u64 amount);
PARLEY_HOST(burn) int burn(u64 amount);
PARLEY_HOST(key_usable) int key_usable(const void *key, int length);

// Results
PARLEY_HOST(log) void log_line(const void *text, int length);
PARLEY_HOST(ret) void ret(const void *json, int length);
PARLEY_HOST(revert) _Noreturn void revert(const void *reason, int length);

// Hashes and signatures
PARLEY_HOST(sha256) void sha256(const void *bytes, int length, void *out);
PARLEY_HOST(sig_verify) int sig_verify(const void *message, int length, const void *signature, const void *key);

// Other contracts: 0 done, 1 refused, 2 broke off, 3 not callable, 4 too deep
PARLEY_HOST(call)
int call(const void *id, int id_length, const void *method, int method_length, const void *args, int args_length, u64 amount, u32 gas);
PARLEY_HOST(result_read) int result_read(void *out, int offset, int capacity);

// Ends the call, and gives back everything but its price, unless the condition holds.
#define DEMAND(condition, reason) \
  do \
    if (!(condition)) revert(reason, sizeof(reason) - 1); \
  while (0)

// Puts the decimal digits of an integer, at most 20, and gives their number.
static inline int put_u64(u64 number, char *out) {
  char reversed[20];
  int length = 0;
  do reversed[length++] = (char)('0' + number % 10);
  while (number /= 10);
  for (int at = 0; at < length; at++) out[at] = reversed[length - 1 - at];
  return length;
}

static inline void return_u64(u64 number) {
  char json[20];
  ret(json, put_u64(number, json));
}

// An integer of the state: 8 bytes, big-endian; 0 when there is none.
static inline u64 get_u64(const char *key, int key_length) {
  u64 found = 0;
  return state_get(key, key_length, &found, sizeof found) == sizeof found ? __builtin_bswap64(found) : 0;
}

// 0 is kept as no entry.
static inline void set_u64(const char *key, int key_length, u64 number) {
  u64 bytes = __builtin_bswap64(number);
  if (number == 0) state_del(key, key_length);
  else state_set(key, key_length, &bytes, sizeof bytes);
}

static inline int caller_is_owner(void) {
  char caller[64], owner[64];
  int caller_length = ctx_read(CALLER, caller, sizeof caller);
  if (caller_length != ctx_read(OWNER, owner, sizeof owner)) return 0;
  for (int at = 0; at < caller_length; at++)
    if (caller[at] != owner[at]) return 0;
  return 1;
}

// The compiler calls these for structs and arrays, and there is no library that brings them.
__attribute__((weak)) void *memcpy(void *to, const void *from, unsigned long length) {
  for (unsigned long at = 0; at < length; at++) ((volatile u8 *)to)[at] = ((const u8 *)from)[at];
  return to;
}

__attribute__((weak)) void *memset(void *to, int value, unsigned long length) {
  for (unsigned long at = 0; at < length; at++) ((volatile u8 *)to)[at] = (u8)value;
  return to;
}
