// What each operation of a contract costs in gas. Part of consensus; docs/contracts.md lists it.

/** Gas of operations; `…Byte` is added for each byte. */
export const GAS = {
  call: 1_000,
  callByte: 1,
  deploy: 100_000,
  deployByte: 200,
  stateGet: 2_000,
  stateGetByte: 1,
  stateSet: 5_000,
  stateSetByte: 10,
  stateDelete: 2_000,
  stateNext: 3_000,
  stateNextByte: 1,
  balance: 1_000,
  transfer: 5_000,
  burn: 5_000,
  checkKey: 50_000,
  log: 500,
  logByte: 2,
} as const;
