// Counts. The smallest contract with state, a limit and a view.
#include "parley.h"

static const char COUNT[] = "count";
#define COUNT_LENGTH (sizeof COUNT - 1)

// Adds n.
METHOD(add) void add(void) {
  u64 n = arg_u64(0);
  u64 count = get_u64(COUNT, COUNT_LENGTH);
  DEMAND(count + n >= count, "the count would overflow");
  set_u64(COUNT, COUNT_LENGTH, count + n);
  char line[26] = "count ";
  log_line(line, 6 + put_u64(count + n, line + 6));
}

// Starts again at zero; only for the owner, who deployed the contract.
METHOD(reset) void reset(void) {
  DEMAND(caller_is_owner(), "only the owner resets");
  set_u64(COUNT, COUNT_LENGTH, 0);
}

// The count.
METHOD(get) void get(void) {
  return_u64(get_u64(COUNT, COUNT_LENGTH));
}
