// What each operation of a contract costs in gas. Part of consensus; docs/contracts.md lists it. Prices of WebAssembly instructions belong
// to the machine that runs them.

/** Gas of operations; `…Byte` is added for each byte, `…Word` for each 8 bytes begun. */
export const GAS = {
  call: 1_000,
  callByte: 1,
  wasmCall: 20_000,
  wasmAbiByte: 10,
  wasmWeight: 25,
  wasmPage: 2_000,
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
  nestedCall: 10_000,
  host: 100,
  hostWord: 1,
  sha256: 1_000,
  sha256Word: 16,
  verify: 1_000_000,
  verifyByte: 5,
} as const;
