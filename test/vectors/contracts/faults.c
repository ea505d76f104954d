// Every way in which a method can break off, for what is said of it: names and lines stay in the module.
#include "../../../node/contracts/templates/c/parley.h"

static __attribute__((noinline)) u64 divide(u64 a, u64 b) {
  return a / b;
}

METHOD(by_zero) void by_zero(void) {
  return_u64(divide(7, arg_u64(0)));
}

METHOD(outside) void outside(void) {
  *(volatile int *)0x7ffffff0 = 1;
}

METHOD(far_line) void far_line(void) {
  log_line((const void *)900000, 10);
}

METHOD(no_argument) void no_argument(void) {
  return_u64(arg_u64(3));
}

METHOD(refuse) void refuse(void) {
  DEMAND(arg_u64(0) > 5, "five at most");
}

METHOD(spin) void spin(void) {
  for (volatile int at = 0; at >= 0;) at = at + 0;
}

static __attribute__((noinline)) int deep(int depth) {
  return depth == 0 ? 0 : deep(depth - 1) + deep(depth - 2);
}

METHOD(sink) void sink(void) {
  return_u64(deep(1000000));
}

METHOD(pass_on) void pass_on(void) {
  char id[16];
  ctx_read(SELF, id, 16);
  arg_read(0, id, 16);
  int status = call(id, 16, "by_zero", 7, "[0]", 3, 0, 400000);
  return_u64(status);
}
