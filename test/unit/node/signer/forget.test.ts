// parley signer forget: a height that is remembered by mistake is taken back only by one who names it, and nothing else is.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runCommandLine } from "#node/cli/program.ts";
import { parseSignerAddress } from "#node/config/signer-address.ts";
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { openReplaceableFile } from "#node/engine/log/engine-storage.ts";
import { createLog } from "#node/observability/log.ts";
import { forgetAbove } from "#node/signer/forget.ts";
import { encodeMemory, NOTHING_SIGNED, SignerMemory, type SigningOutcome } from "#node/signer/memory/signer-memory.ts";
import { startSigner } from "#node/signer/run-signer.ts";
import { initSigner, lockSignerFolder, signerPaths } from "#node/signer/signer-folder.ts";
import { voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { fakeCommandContext } from "#test/support/cli/fake-command-context.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { bob, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const NODE = "11".repeat(32);
const SEED = new Uint8Array(32).fill(7);
const FAR = 9_000_000;
const signer = createValidatorSigner(SEED);

let folder: TemporaryFolder;
let dir: string;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  dir = join(folder.path, "signer");
  initSigner({ dir, chainId: CHAIN_ID, fromDataDir: undefined, random: (length) => SEED.slice(0, length) });
  sign(FAR);
});
afterEach(() => folder.remove());

function sign(height: number): SigningOutcome {
  const memory = new SignerMemory(openReplaceableFile(signerPaths(dir).memory), CHAIN_ID, signer);
  const blockHash = "aa".repeat(32);
  const signBytes = voteSignBytes(CHAIN_ID, { type: "prevote", height, round: 0, blockHash });
  return memory.sign(NODE, { position: { height, round: 0, step: "prevote" }, blockHash, signBytes });
}

it("lets the key sign again above the named height, and at no height up to it", () => {
  const before = readFileSync(signerPaths(dir).memory);
  expect(sign(101)).toHaveProperty("refusal");
  const { from, to, backup } = forgetAbove(dir, 100, FAR);
  expect({ from, to }).toEqual({ from: `height ${FAR}, round 0, prevote`, to: 100 });
  expect(readFileSync(backup)).toEqual(before);
  expect(sign(100)).toHaveProperty("refusal");
  expect(sign(101)).toHaveProperty("signature");
});

it.each([
  ["without the remembered height, which it prints", 100, undefined, `--remembered ${FAR}`],
  ["with another one", 100, FAR - 1, `--remembered ${FAR}`],
  ["where nothing is above", FAR, FAR, "nothing to forget"],
])("changes nothing %s", (_name, above, remembered, words) => {
  const before = readFileSync(signerPaths(dir).memory);
  expect(() => forgetAbove(dir, above, remembered)).toThrow(words);
  expect(readFileSync(signerPaths(dir).memory)).toEqual(before);
  expect(existsSync(`${signerPaths(dir).memory}.before-${above}`)).toBe(false);
});

it("refuses a signer that runs, a folder without one, and the memory of another key", () => {
  const lock = lockSignerFolder(dir);
  expect(() => forgetAbove(dir, 100, FAR)).toThrow("Another signer uses");
  lock.release();
  const wrong = join(folder.path, "wrong");
  expect(() => forgetAbove(wrong, 100, FAR)).toThrow("There is no signer");
  expect(existsSync(wrong)).toBe(false);
  writeFileSync(
    signerPaths(dir).memory,
    encodeMemory({ ...NOTHING_SIGNED, position: { height: FAR, round: 0, step: "prevote" } }, CHAIN_ID, bob.pub),
  );
  expect(() => forgetAbove(dir, 100, FAR)).toThrow("another key");
});

it.each([
  ["forget --above 100 --dir", "There is no signer in"],
  ["pair --data-dir", "There is no folder"],
])("signer %s with a folder that was named by mistake makes none", async (line, words) => {
  const wrong = join(folder.path, "wrong");
  const context = fakeCommandContext();
  const code = await runCommandLine(["signer", ...line.split(" "), wrong], context, () =>
    Promise.reject(new Error("no node was asked for")),
  );
  expect([code, context.err.join("\n")]).toEqual([2, expect.stringContaining(words)]);
  expect(existsSync(wrong)).toBe(false);
});

it("a signer that has no key makes no folder", async () => {
  const dir = join(folder.path, "wrong");
  const listen = [parseSignerAddress(join(folder.path, "run", "s"))];
  const log = createLog("json", { write: () => undefined });
  await using opened = new AsyncDisposableStack();
  const settings = { dir, keyPath: signerPaths(dir).key, chainId: CHAIN_ID, listen, allowed: [], log: "json" } as const;
  await expect(startSigner(settings, log, opened)).rejects.toThrow("There is no key at");
  expect(existsSync(dir)).toBe(false);
});
