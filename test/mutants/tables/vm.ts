import { mutantsOf } from "../mutant.ts";

const METERING = [
  "node/vm/differential.test.ts",
  "node/vm/gas-prices.test.ts",
  "node/vm/price-table.test.ts",
  "node/vm/typed-modules.test.ts",
  "node/vm/hostile-runs.test.ts",
];
const MARKS = ["node/observability/run-mark-files.test.ts"];

/** The machine for contracts: what a run pays, and what is known of one that ended the process. */
export const VM = [
  ...mutantsOf("node/vm/module/plan-function.ts", METERING, [
    ["inner.hasExits = true;", "inner.hasExits = false;"],
    ["if (!hasExits && charge !== undefined)", "if (charge !== undefined)"],
    ["this.#exitFrom(0);", ""],
    ["{ hasBranches, hasExits });", "{ hasBranches });"],
  ]),
  ...mutantsOf("node/vm/module/instrument-module.ts", METERING, [
    ["u8(OP.localGet).u32(before)", "u8(OP.localGet).u32(locals)"],
    [".signed(price)", ".signed(price + 1)"],
    ["near.weight <= NEAR_WEIGHT", "near.weight < NEAR_WEIGHT"],
    ["hasNearMemory && hasNearCode ?", "hasNearMemory ?"],
    ["module.tablePlaces - FREE_TABLE_PLACES", "module.tablePlaces"],
    ["code.length + ofTable", "code.length"],
    [" + ofTypes)", ")"],
    ["module.types.length - FREE_TYPES", "module.types.length"],
  ]),
  ...mutantsOf("node/vm/module/parse-module.ts", METERING, [
    ["(table ?? 0) + elements", "table ?? 0"],
    ["(table ?? 0) + elements", "elements"],
  ]),
  ...mutantsOf("node/vm/contract-vm.ts", MARKS, [
    ["marks.leave();", ""],
    [" || marks?.isMarked(hash) === true", ""],
  ]),
  ...mutantsOf("node/observability/run-mark-files.ts", MARKS, [
    ["this.#running.pop();", ""],
    [".slice(-MAX_LEFT_MARKS)", ""],
    ["if (found.length > 0) writeFileAtomic", "if (found.length > 1) writeFileAtomic"],
  ]),
];
