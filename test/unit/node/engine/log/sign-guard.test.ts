import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openReplaceableFile, type ReplaceableFile } from "#node/engine/log/engine-storage.ts";
import { SignGuard, type SignPosition } from "#node/engine/log/sign-guard.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { CHAIN_ID, quickSigner } from "#test/support/chain/memory-chain.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const signer = quickSigner(0);
const at = (height: number, round: number, step: SignPosition["step"]): SignPosition => ({ height, round, step });

function memoryFile(bytes?: Uint8Array): ReplaceableFile & { content: Uint8Array | undefined } {
  return {
    content: bytes,
    read(): Uint8Array | undefined {
      return this.content;
    },
    replace(next): void {
      this.content = next;
    },
  };
}

describe("sign guard", () => {
  it("signs rising positions", () => {
    const guard = new SignGuard(memoryFile(), CHAIN_ID, signer);
    const positions = [
      at(1, 0, "proposal"),
      at(1, 0, "prevote"),
      at(1, 0, "precommit"),
      at(1, 1, "proposal"),
      at(1, 4, "prevote"),
      at(2, 0, "proposal"),
    ];
    for (const position of positions) expect(guard.sign(position, utf8(JSON.stringify(position)))).toHaveLength(64);
  });

  it.each([
    ["other bytes at the same position", at(5, 2, "prevote"), "B"],
    ["an earlier step", at(5, 2, "proposal"), "A"],
    ["an earlier round with a later step", at(5, 1, "precommit"), "A"],
    ["an earlier height with a later round", at(4, 9, "precommit"), "A"],
  ])("refuses %s", (_, position, bytes) => {
    const guard = new SignGuard(memoryFile(), CHAIN_ID, signer);
    guard.sign(at(5, 2, "prevote"), utf8("A"));
    expect(guard.sign(position, utf8(bytes))).toBeUndefined();
    expect(guard.last?.position).toEqual(at(5, 2, "prevote"));
  });

  it("gives the old signature for the same bytes, after a restart too, without signing again", () => {
    const file = memoryFile();
    const first = new SignGuard(file, CHAIN_ID, signer);
    const signature = first.sign(at(5, 2, "prevote"), utf8("A"));
    first.flush();
    const unusable = { publicKey: signer.publicKey, sign: () => expect.fail("signed again") };
    const second = new SignGuard(file, CHAIN_ID, unusable);
    expect(Buffer.from(second.sign(at(5, 2, "prevote"), utf8("A")) ?? [])).toEqual(signature);
    expect(second.sign(at(5, 2, "prevote"), utf8("B"))).toBeUndefined();
  });

  it("remembers after a crash between write and release: no node saw the signature, and no other can be made", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "sign-guard");
    const guard = new SignGuard(openReplaceableFile(path), CHAIN_ID, signer);
    guard.sign(at(3, 0, "precommit"), utf8("A"));
    guard.flush();
    const restarted = new SignGuard(openReplaceableFile(path), CHAIN_ID, signer);
    expect(restarted.sign(at(3, 0, "precommit"), utf8("B"))).toBeUndefined();
    expect(restarted.sign(at(3, 0, "precommit"), utf8("A"))).toHaveLength(64);
  });

  it("keeps the old content when a crash leaves a half-written replacement", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "sign-guard");
    const guard = new SignGuard(openReplaceableFile(path), CHAIN_ID, signer);
    guard.sign(at(3, 0, "precommit"), utf8("A"));
    guard.flush();
    writeFileSync(`${path}.new`, readFileSync(path).subarray(0, 20));
    const restarted = new SignGuard(openReplaceableFile(path), CHAIN_ID, signer);
    expect(restarted.last?.position).toEqual(at(3, 0, "precommit"));
    restarted.sign(at(3, 1, "prevote"), utf8("B"));
    restarted.flush();
    expect(new SignGuard(openReplaceableFile(path), CHAIN_ID, signer).last?.position).toEqual(at(3, 1, "prevote"));
    expect(existsSync(`${path}.new`)).toBe(false);
  });

  it("refuses to overwrite what another process wrote", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "sign-guard");
    const [one, other] = [openReplaceableFile(path), openReplaceableFile(path)].map((file) => new SignGuard(file, CHAIN_ID, signer));
    one?.sign(at(3, 0, "prevote"), utf8("A"));
    one?.flush();
    other?.sign(at(3, 0, "prevote"), utf8("B"));
    expect(() => other?.flush()).toThrow(expect.objectContaining({ code: "STORAGE_LOCKED" }));
  });

  it("takes over later signatures only", () => {
    const file = memoryFile();
    const guard = new SignGuard(file, CHAIN_ID, signer);
    const record = { position: at(7, 0, "prevote"), signBytes: utf8("A"), signature: signer.sign(utf8("A")) };
    guard.adopt(record);
    guard.adopt({ ...record, position: at(6, 9, "precommit") });
    guard.flush();
    expect(new SignGuard(file, CHAIN_ID, signer).last?.position).toEqual(at(7, 0, "prevote"));
  });

  it("writes once for many signatures, and not at all without one", () => {
    let writes = 0;
    const guard = new SignGuard({ read: () => undefined, replace: () => (writes += 1) }, CHAIN_ID, signer);
    guard.flush();
    for (const step of ["proposal", "prevote", "precommit"] as const) guard.sign(at(1, 0, step), utf8(step));
    guard.flush();
    guard.flush();
    expect(writes).toBe(1);
  });

  it("refuses a damaged file, whichever byte it is", () => {
    const file = memoryFile();
    const guard = new SignGuard(file, CHAIN_ID, signer);
    guard.sign(at(3, 0, "precommit"), utf8("A"));
    guard.flush();
    const content = file.content ?? new Uint8Array();
    for (let offset = 0; offset < content.length; offset += 1) {
      const damaged = Uint8Array.from(content, (byte, index) => (index === offset ? byte ^ 1 : byte));
      expect(() => new SignGuard(memoryFile(damaged), CHAIN_ID, signer)).toThrow(expect.objectContaining({ code: "STORAGE_CORRUPT" }));
    }
    expect(() => new SignGuard(memoryFile(content.subarray(0, 3)), CHAIN_ID, signer)).toThrow(
      expect.objectContaining({ code: "STORAGE_CORRUPT" }),
    );
  });

  it.each([
    ["key", CHAIN_ID, quickSigner(1)],
    ["chain", "other-1", signer],
  ])("refuses the guard of another %s", (_, chainId, other) => {
    const file = memoryFile();
    const guard = new SignGuard(file, CHAIN_ID, signer);
    guard.sign(at(3, 0, "precommit"), utf8("A"));
    guard.flush();
    expect(() => new SignGuard(file, chainId, other)).toThrow(expect.objectContaining({ code: "VALIDATOR_UNSAFE" }));
  });
});
