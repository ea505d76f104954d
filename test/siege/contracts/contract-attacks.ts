// Attacks from inside that stopped or held chains of before: each is deployed first, and then repeated.
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import { ARGUMENT_SHAPES } from "../../bench/vm/hostile-arguments.ts";
import { caller } from "../../bench/vm/hostile-case.ts";
import { slowToLoad } from "../../bench/vm/hostile-loading.ts";
import { WARM_RECURSION, WARMING_CALLS } from "../../support/vm/warm-recursion.ts";
import type { ContractAttacker } from "./contract-attacker.ts";

/** An attack: what it prepares, and what it then does again and again. */
export interface ContractAttack {
  readonly title: string;
  prepare(attacker: ContractAttacker): Promise<() => Promise<void>>;
}

const BLOCK_GAS = 100_000_000;
const CALL_GAS = 5_000_000;
const MODULES = 40;
const LOADING_GAS = 10_000_000;
const SHAPE = "objects of one member";

export const CONTRACT_ATTACKS: readonly ContractAttack[] = [
  {
    title: "recursion whose frames an optimising compiler makes large, warmed by views",
    prepare: async (attacker): Promise<() => Promise<void>> => {
      const id = await attacker.deploy(WARM_RECURSION, [{ name: "warm", isView: true }, { name: "run" }]);
      for (let calls = 0; calls < WARMING_CALLS; calls += 1) await attacker.view(id, "warm");
      return async (): Promise<void> => {
        await attacker.view(id, "warm");
        await attacker.call(id, "warm", CALL_GAS);
        await attacker.call(id, "run", CALL_GAS);
      };
    },
  },
  {
    title: "calls of a whole block's gas that pass 16 kB of arguments on and on",
    prepare: async (attacker): Promise<() => Promise<void>> => {
      const args = ARGUMENT_SHAPES.find(([name]) => name === SHAPE)?.[1] ?? "";
      const taker = await attacker.deploy({ functions: [{ export: "run", code: [] }] }, [{ name: "run", hasArgument: true }]);
      const id = await attacker.deploy(caller(taker, { args: `[${args}]` }), [{ name: "run" }]);
      return () => attacker.call(id, "run", BLOCK_GAS);
    },
  },
  {
    title: `first calls of ${MODULES} modules that are slow to compile`,
    prepare: async (attacker): Promise<() => Promise<void>> => {
      const ids: ContractId[] = [];
      for (let count = 0; count < MODULES; count += 1) ids.push(await attacker.deploy(slowToLoad(), [{ name: "run" }]));
      let at = 0;
      return async (): Promise<void> => {
        const id = ids[at % ids.length] ?? "";
        at += 1;
        await attacker.call(id, "run", LOADING_GAS);
      };
    },
  },
];
