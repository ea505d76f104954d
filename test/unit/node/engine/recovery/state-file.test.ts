// A state file that is no such file, cut off, changed or of another chain: refused in words wherever it is read.
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadCarriedState } from "#node/engine/genesis/load-carried-state.ts";
import { openStateFile, writeStateFile } from "#node/engine/genesis/state-file.ts";
import { exportGenesis } from "#node/engine/recovery/export-genesis.ts";
import { MemoryStateStore } from "#node/state/memory-state-store.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { createOldChain, PLAN } from "#test/support/chain/recovered-chain.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

const SEED = 20_260_103;
let folder: TemporaryFolder;
let bytes: Buffer;
let genesis: Genesis & Required<Pick<Genesis, "previous">>;

beforeAll(async () => {
  folder = await createTemporaryFolder();
  const [path = ""] = createOldChain(folder.path, [12]);
  const exported = exportGenesis(path, join(folder.path, "out"), PLAN);
  bytes = readFileSync(exported.statePath);
  genesis = exported.genesis as typeof genesis;
});
afterAll(() => folder.remove());

const pathOf = (name: string): string => join(folder.path, name);

/** Root of a file with this content. */
function load(name: string, content: Uint8Array, over: Partial<Genesis["previous"]> = {}): string {
  writeFileSync(pathOf(name), content);
  const previous = { ...genesis.previous, ...over };
  return loadCarriedState(new MemoryStateStore(), { ...genesis, previous }, openStateFile(pathOf(name)));
}

describe("a state file", () => {
  it("gives the root of the genesis file", () => {
    expect(load("whole", bytes)).toBe(genesis.previous.first_root);
  });

  it("is written once, by one way, from records in order", () => {
    const whole = openStateFile(pathOf("whole"));
    const { hash } = writeStateFile(pathOf("again"), whole.header, whole.records());
    expect(hash).toBe(genesis.previous.file_hash);
    expect(readFileSync(pathOf("again"))).toEqual(bytes);
    expect(() => writeStateFile(pathOf("again"), whole.header, whole.records())).toThrow("in the way");
    const backwards = [...whole.records()].reverse();
    expect(() => writeStateFile(pathOf("backwards"), whole.header, backwards)).toThrow("read in order");
  });

  it("is refused when it is something else, or missing", () => {
    expect(() => openStateFile(pathOf("nowhere"))).toThrow("cannot be used");
    expect(() => load("empty", new Uint8Array(0))).toThrow("it is no state file of this version");
    expect(() => load("head", bytes.subarray(0, 15))).toThrow("it does not begin with the header of a block");
    expect(() => load("json", Buffer.from('{"chain_id":"parley-2"}'))).toThrow("it is no state file of this version");
  });

  it("is refused wherever it is cut off, or when something follows", () => {
    const random = createRandom(SEED);
    for (let count = 0; count < 50; count += 1) {
      const length = random.between(0, bytes.length - 1);
      writeFileSync(pathOf("cut"), bytes);
      truncateSync(pathOf("cut"), length);
      expect(() => load("cut", readFileSync(pathOf("cut"))), `length ${length}, seed ${SEED}`).toThrow(
        /cut off|state root|header of a block|no state file/,
      );
    }
    writeFileSync(pathOf("long"), bytes);
    appendFileSync(pathOf("long"), Buffer.from([0, 0, 0, 1, 0x80]));
    expect(() => load("long", readFileSync(pathOf("long")))).toThrow("a record has another form or place");
    expect(() => load("huge", Buffer.concat([bytes, Buffer.from([0xff, 0xff, 0xff, 0xff])]))).toThrow("it is cut off");
  });

  it("is refused whatever byte of it is changed", () => {
    const random = createRandom(SEED + 1);
    for (let count = 0; count < 100; count += 1) {
      const changed = Buffer.from(bytes);
      const at = random.between(0, bytes.length - 1);
      changed[at] = (changed[at] ?? 0) ^ (1 << random.between(0, 7));
      expect(() => load("changed", changed), `byte ${at}, seed ${SEED + 1}`).toThrow("state file");
    }
  });

  it("is refused as that of another block", () => {
    expect(() => load("other", bytes, { height: 11 })).toThrow("it is the state of block 12 of parley-test");
    expect(() => load("other", bytes, { chain_id: "parley-else" })).toThrow("it is the state of block 12 of parley-test");
    expect(() => load("other", bytes, { block_hash: "00".repeat(32) })).toThrow("it is the state of block 12 of parley-test");
    expect(() => load("other", bytes, { state_root: "00".repeat(32) })).toThrow("its block has another state root");
  });
});
