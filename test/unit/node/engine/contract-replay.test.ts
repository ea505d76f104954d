// A chain with WebAssembly contracts, executed again from its blocks: two machines that never met come to the same roots.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { replayFromGenesis } from "#node/engine/execution/replay-from-genesis.ts";
import { createContractVm } from "#node/vm/contract-vm.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toBase64, utf8 } from "#shared/util/bytes.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { openTestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { randomModule } from "#test/support/vm/random-module.ts";
import { buildModule } from "#test/support/vm/wasm-builder.ts";
import { type Actor, alice, bob, signed } from "#test/support/worlds/ledger-world.ts";

const vector = (name: string): Uint8Array => readFileSync(fileURLToPath(new URL(`../../../vectors/contracts/${name}`, import.meta.url)));
const RUN_ABI = utf8('{"contract":"program","version":"1","methods":[{"name":"run","args":[]}]}');

function deploy(code: Uint8Array, abi: Uint8Array): Transaction {
  const abiJson = new TextDecoder().decode(abi);
  return signed(bob, { type: "DEPLOY_CONTRACT", payload: { wasm_b64: toBase64(code), abi_json: abiJson, gas_limit: 2_000_000 } });
}

function call(
  sender: Actor,
  deployment: Transaction,
  method: string,
  more: { readonly args?: string; readonly amount?: number; readonly gas?: number } = {},
): Transaction {
  const { args = "[]", amount = 0, gas = 900_000 } = more;
  const payload = { contract_id: deployedContractId(bob.pub, deployment.id), method, args_json: args, gas_limit: gas };
  return signed(sender, { type: "CALL_CONTRACT", amount, payload });
}

describe("a chain with WebAssembly contracts", () => {
  it("has the same roots when other machines execute it again", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openTestChain(folder.path, { genesis: CONTRACTS_GENESIS });
    const vault = deploy(vector("vault.wasm"), vector("vault.abi.json"));
    const programs = [3, 4, 5, 6].map((seed) => deploy(buildModule(randomModule(seed)), RUN_ABI));
    const broken = deploy(buildModule({ memory: null }), RUN_ABI);
    chain.commit([vault, ...programs, broken]);
    chain.commit([
      call(alice, vault, "lock", { args: "[1767230000]", amount: 500 }),
      ...programs.flatMap((program) => [call(alice, program, "run"), call(alice, program, "run", { gas: 150_000 })]),
      call(alice, vault, "unlock"),
    ]);
    const block = chain.commit([call(bob, vault, "lock", { args: "[4000000000]", amount: 7 })]);
    const codes = [1, 2].flatMap((height) => chain.database.blocks.get(height)?.receipts.map(({ code }) => code) ?? []);
    expect(new Set(codes).size).toBeGreaterThan(3);
    expect(codes).toContain("CONTRACT_MODULE_INVALID");
    const machines = [
      createContractVm({ sha256, verify: verifyZip215 }),
      createContractVm({ sha256, verify: createNativeVerifier(), idleInstances: 0, cacheBytes: 1 }),
    ];
    for (const machine of machines) {
      const replayed = [...replayFromGenesis(chain.database, CONTRACTS_GENESIS, { vm: machine })];
      expect(replayed.map(({ isSame }) => isSame)).toEqual([true, true, true, true]);
      expect(replayed.at(-1)?.executed.block.header.stateRoot).toBe(block.header.stateRoot);
    }
  });
});
