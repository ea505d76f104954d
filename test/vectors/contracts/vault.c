// A contract in C, without a library: a vault that keeps µT until a time. It proves that the host interface belongs to no language.
// Built by build.sh; the module stands beside it, so that tests need no compiler.
typedef unsigned long long u64;
#define ENV(name) __attribute__((import_module("env"), import_name(#name)))
#define METHOD(name) __attribute__((export_name(#name)))

ENV(ctx_read) int ctx_read(int field, void *out, int capacity);
ENV(arg_u64) u64 arg_u64(int index);
ENV(value) u64 value(void);
ENV(block_time) u64 block_time(void);
ENV(state_get) int state_get(const void *key, int key_length, void *out, int capacity);
ENV(state_set) void state_set(const void *key, int key_length, const void *value, int length);
ENV(state_del) void state_del(const void *key, int key_length);
ENV(transfer) int transfer(const void *to, int length, u64 amount);
ENV(log) void log_line(const void *text, int length);
ENV(ret) void ret(const void *bytes, int length);
ENV(revert) _Noreturn void revert(const void *text, int length);
ENV(sha256) void sha256(const void *bytes, int length, void *out);

#define FAIL(text) revert(text, sizeof(text) - 1)

// State: the key of a depositor → µT and unix seconds, both big-endian.
struct deposit {
  u64 amount;
  u64 until;
};

static u64 swap(u64 n) { return __builtin_bswap64(n); }

static int caller(char *key) { return ctx_read(0, key, 64); }

static int digits(u64 n, char *out) {
  char reversed[20];
  int length = 0;
  do reversed[length++] = '0' + n % 10;
  while (n /= 10);
  for (int at = 0; at < length; at++) out[at] = reversed[length - 1 - at];
  return length;
}

static struct deposit read_deposit(const char *key, int length) {
  struct deposit found = {0, 0};
  if (state_get(key, length, &found, sizeof found) < 0) return (struct deposit){0, 0};
  return (struct deposit){swap(found.amount), swap(found.until)};
}

// Adds the attached µT, and waits at least until a time.
METHOD(lock) void lock(void) {
  char key[64];
  int length = caller(key);
  struct deposit now = read_deposit(key, length);
  u64 until = arg_u64(0);
  if (value() == 0) FAIL("nothing is attached");
  if (until <= block_time()) FAIL("the time has passed");
  if (until < now.until) until = now.until;
  struct deposit next = {swap(now.amount + value()), swap(until)};
  state_set(key, length, &next, sizeof next);
  char line[24] = "lock ";
  log_line(line, 5 + digits(value(), line + 5));
}

// Pays back what waits for the caller.
METHOD(unlock) void unlock(void) {
  char key[64];
  int length = caller(key);
  struct deposit found = read_deposit(key, length);
  if (found.amount == 0) FAIL("nothing waits");
  if (block_time() < found.until) FAIL("it is too early");
  state_del(key, length);
  if (transfer(key, length, found.amount) != 0) FAIL("it cannot be paid");
}

// µT that wait for the caller, as JSON.
METHOD(locked) void locked(void) {
  char key[64];
  char json[20];
  int length = caller(key);
  ret(json, digits(read_deposit(key, length).amount, json));
}

// SHA-256 of the caller's key, 32 bytes.
METHOD(fingerprint) void fingerprint(void) {
  char key[64];
  char hash[32];
  int length = caller(key);
  sha256(key, length, hash);
  ret(hash, sizeof hash);
}
