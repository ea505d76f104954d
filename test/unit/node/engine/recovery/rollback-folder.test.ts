// A stopped node goes back to an earlier block: the state and index of that block, the limits, and what its key has signed.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { createEngineStorage } from "#node/engine/log/engine-storage.ts";
import { SignGuard } from "#node/engine/log/sign-guard.ts";
import { exportGenesis } from "#node/engine/recovery/export-genesis.ts";
import { rollbackFolder } from "#node/engine/recovery/rollback-folder.ts";
import { lockDataFolder } from "#node/storage/data-folder-lock.ts";
import { toHex } from "#shared/util/bytes.ts";
import { expectIndexComplete, expectReplayable, expectStateConsistent } from "#test/support/chain/chain-invariants.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { createOldChain, OLD_BLOCKS, PLAN } from "#test/support/chain/recovered-chain.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { validator } from "#test/support/worlds/ledger-world.ts";

let folder: TemporaryFolder;
let path = "";
beforeEach(async () => {
  folder = await createTemporaryFolder();
  [path = ""] = createOldChain(folder.path, [OLD_BLOCKS]);
});
afterEach(() => folder.remove());

const open = (): TestChain => openTestChain(path, { genesis: CONTRACTS_GENESIS });

/** Puts the key of the only validator into the folder. */
function becomeValidator(): void {
  mkdirSync(join(path, "keys"), { mode: 0o700 });
  const key = { kind: "ed25519", public_key: validator.pub, secret_key: toHex(validator.seed) };
  writeFileSync(join(path, "keys", "node-key.json"), JSON.stringify(key), { mode: 0o600 });
}

describe("rollback of a folder", () => {
  it.each([OLD_BLOCKS - 1, 7, 0])("gives the chain of block %i, from which it can continue", (height) => {
    expect(rollbackFolder(path, height)).toEqual({ from: OLD_BLOCKS, to: height });
    using chain = open();
    expect(chain.executor.tip().height).toBe(height);
    expectStateConsistent(chain.database);
    expectIndexComplete(chain.database);
    expectReplayable(chain.database, CONTRACTS_GENESIS);
    expect(chain.commit().header.height).toBe(height + 1);
  });

  it("does nothing at the newest block, and refuses what is above or below in words", () => {
    expect(rollbackFolder(path, OLD_BLOCKS)).toEqual({ from: OLD_BLOCKS, to: OLD_BLOCKS });
    expect(() => rollbackFolder(path, OLD_BLOCKS + 1)).toThrow("its newest block is below");
    using chain = open();
    for (let count = 0; count < 80; count += 1) chain.commit();
    chain.close();
    expect(() => rollbackFolder(path, 9)).toThrow("This folder can give the heights 10 to 110, not 9: what older blocks replaced");
    expect(rollbackFolder(path, 10)).toEqual({ from: 110, to: 10 });
  });

  it("reaches exactly the heights whose state can be exported", () => {
    {
      using chain = open();
      for (let count = 0; count < 80; count += 1) chain.commit();
    }
    const out = join(folder.path, "out");
    expect(() => exportGenesis(path, out, { ...PLAN, height: 9 })).toThrow("the heights 10 to 110");
    const exported = exportGenesis(path, out, { ...PLAN, height: 10 });
    rollbackFolder(path, 10);
    using chain = open();
    expect(chain.database.blocks.summary(10)?.stateRoot).toBe(exported.genesis.previous?.state_root);
  });

  it("refuses the only validator, which would not sign those heights again", () => {
    becomeValidator();
    expect(() => rollbackFolder(path, 7)).toThrow("is the only validator of block 8 and has signed it");
    using chain = open();
    expect(chain.executor.tip().height).toBe(OLD_BLOCKS);
  });

  it("refuses it also where a signer has its key", () => {
    const file = createEngineStorage(join(path, "consensus")).openGuard();
    const guard = new SignGuard(file, CONTRACTS_GENESIS.chain_id, createValidatorSigner(validator.seed));
    guard.sign({ height: OLD_BLOCKS, round: 0, step: "precommit" }, Uint8Array.of(1));
    guard.flush();
    expect(() => rollbackFolder(path, 7)).toThrow("is the only validator of block 8 and has signed it");
  });

  it("touches nothing of what the key has signed", () => {
    mkdirSync(join(path, "consensus"));
    writeFileSync(join(path, "consensus", "sign-guard"), "signed");
    rollbackFolder(path, 7);
    expect(readdirSync(join(path, "consensus"))).toEqual(["sign-guard"]);
    expect(readFileSync(join(path, "consensus", "sign-guard"), "utf8")).toBe("signed");
  });

  it("is refused while a node uses the folder, and of a database that is damaged", () => {
    const lock = lockDataFolder(path);
    expect(() => rollbackFolder(path, 7)).toThrow("Another node uses the data folder");
    lock.release();
    {
      using chain = open();
      chain.database.inTransaction(() =>
        chain.database.state.apply(
          [{ namespace: "supply", key: Buffer.from("x"), value: Buffer.from("y") }],
          [{ prefix: "", before: undefined, after: undefined }],
        ),
      );
    }
    expect(() => rollbackFolder(path, 7)).toThrow("is damaged (its state is not the one of block 30)");
  });
});
