// A validator's key moves into the folder of a signer: what it has signed goes with it, and never back behind what is remembered there.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDataFolder, type DataFolder, openDataFolder } from "#node/config/files/data-folder.ts";
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { openReplaceableFile } from "#node/engine/log/engine-storage.ts";
import { SignGuard, type SignPosition } from "#node/engine/log/sign-guard.ts";
import { decodeMemory, encodeMemory, NOTHING_SIGNED, SignerMemory } from "#node/signer/memory/signer-memory.ts";
import { initSigner, type SignerIdentity, signerPaths } from "#node/signer/signer-folder.ts";
import { voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

const NODE = "11".repeat(32);
const BLOCK = "aa".repeat(32);
const SEED = new Uint8Array(32).fill(7);
const signer = createValidatorSigner(SEED);
const random = (length: number): Uint8Array => SEED.slice(0, length);

let folder: TemporaryFolder;
let data: DataFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  const path = join(folder.path, "data");
  createDataFolder(path);
  data = openDataFolder({ path, genesisPath: undefined, isDevelopment: true, nowMs: 1_767_225_600_000, random });
});
afterEach(() => folder.remove());

const paths = (): ReturnType<typeof signerPaths> => signerPaths(join(folder.path, "signer"));
const move = (): SignerIdentity =>
  initSigner({ dir: join(folder.path, "signer"), chainId: undefined, fromDataDir: data.paths.root, random });
const prevote = (height: number): SignPosition => ({ height, round: 0, step: "prevote" });
const bytesOf = (height: number): Uint8Array =>
  voteSignBytes(data.genesis.chain_id, { type: "prevote", height, round: 0, blockHash: BLOCK });

/** The node has signed at a height. */
function signInNode(height: number): void {
  const guard = new SignGuard(openReplaceableFile(join(data.paths.consensus, "sign-guard")), data.genesis.chain_id, signer);
  guard.sign(prevote(height), bytesOf(height));
  guard.flush();
}

/** The signer has signed at a height. */
function signInSigner(height: number): void {
  const memory = new SignerMemory(openReplaceableFile(paths().memory), data.genesis.chain_id, signer);
  expect(memory.sign(NODE, { position: prevote(height), blockHash: BLOCK, signBytes: bytesOf(height) })).toHaveProperty("signature");
}

const remembered = (): SignPosition => decodeMemory(readFileSync(paths().memory), data.genesis.chain_id, data.nodeKey.publicKey).position;

describe("a key that moves into a signer's folder", () => {
  it("leaves the data folder, with what it has signed", () => {
    signInNode(5);
    expect(move().publicKey).toBe(data.nodeKey.publicKey);
    expect(remembered()).toEqual(prevote(5));
    expect(existsSync(data.paths.nodeKey)).toBe(false);
  });

  it("takes nothing back of what the signer remembers, also when its key was in another file", () => {
    signInNode(5);
    move();
    signInSigner(90);
    // The key of the signer lies elsewhere (--key), and an old copy of the data folder is moved again.
    renameSync(paths().key, join(folder.path, "elsewhere.json"));
    writeFileSync(data.paths.nodeKey, readFileSync(join(folder.path, "elsewhere.json")), { mode: 0o600 });
    expect(move().publicKey).toBe(data.nodeKey.publicKey);
    expect(remembered()).toEqual(prevote(90));
  });

  it("is moved to the end after a crash that left it in both places", () => {
    signInNode(5);
    move();
    writeFileSync(data.paths.nodeKey, readFileSync(paths().key), { mode: 0o600 });
    expect(move().publicKey).toBe(data.nodeKey.publicKey);
    expect([existsSync(data.paths.nodeKey), existsSync(paths().key)]).toEqual([false, true]);
    expect(remembered()).toEqual(prevote(5));
  });

  it("stays where it is when the signer's folder remembers another key, or what cannot be read", () => {
    move();
    writeFileSync(data.paths.nodeKey, readFileSync(paths().key), { mode: 0o600 });
    rmSync(paths().key);
    const other = createValidatorSigner(new Uint8Array(32).fill(8)).publicKey;
    const foreign = encodeMemory(NOTHING_SIGNED, data.genesis.chain_id, other);
    for (const [content, code] of [
      [foreign, "VALIDATOR_UNSAFE"],
      [foreign.subarray(0, 20), "STORAGE_CORRUPT"],
      [new Uint8Array(), "STORAGE_CORRUPT"],
    ] as const) {
      writeFileSync(paths().memory, content);
      expect(move).toThrow(expect.objectContaining({ code }));
      expect([existsSync(data.paths.nodeKey), existsSync(paths().key)]).toEqual([true, false]);
      expect(readFileSync(paths().memory)).toEqual(Buffer.from(content));
    }
  });
});
