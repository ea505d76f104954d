// Guards of a validator that has had several keys: each remembers for itself, and none is taken for another one.
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { createEngineStorage } from "#node/engine/log/engine-storage.ts";
import { takeGuardOf } from "#node/engine/log/guard-files.ts";
import { guardedKeyOf, SignGuard } from "#node/engine/log/sign-guard.ts";
import { nothingSignedAbove } from "#node/engine/voting/lost-memory.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type Actor, alice, bob, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => folder.remove());

const guardOf = ({ seed }: Actor): SignGuard =>
  new SignGuard(createEngineStorage(folder.path).openGuard(), CHAIN_ID, createValidatorSigner(seed));
const remember = (actor: Actor, height: number): void => {
  const guard = guardOf(actor);
  guard.adopt(nothingSignedAbove(height));
  guard.flush();
};
const inUse = (): string | undefined =>
  existsSync(join(folder.path, "sign-guard")) ? guardedKeyOf(readFileSync(join(folder.path, "sign-guard"))) : undefined;

it("the guard of a replaced key makes room, and is there again when its key votes again", () => {
  remember(alice, 7);
  takeGuardOf(folder.path, bob.pub, () => true);
  expect(inUse()).toBeUndefined();
  remember(bob, 9);
  takeGuardOf(folder.path, alice.pub, (key) => key === bob.pub);
  expect(guardOf(alice).last?.position.height).toBe(7);
  takeGuardOf(folder.path, bob.pub, () => true);
  expect(guardOf(bob).last?.position.height).toBe(9);
});

it("a crash between the two renames loses no guard", () => {
  remember(alice, 7);
  takeGuardOf(folder.path, bob.pub, () => true);
  takeGuardOf(folder.path, alice.pub, () => false);
  expect(guardOf(alice).last?.position.height).toBe(7);
});

it("the guard of a key that has nothing to do with this validator stays, and refuses the start", () => {
  remember(alice, 7);
  takeGuardOf(folder.path, bob.pub, () => false);
  expect(inUse()).toBe(alice.pub);
  expect(() => guardOf(bob)).toThrow("belongs to another key");
});

it("a guard that cannot be read is not put aside", async () => {
  await writeFile(join(folder.path, "sign-guard"), "x");
  expect(() => takeGuardOf(folder.path, bob.pub, () => true)).toThrow("not readable");
});

it("a folder that does not exist yet is left alone", () => {
  takeGuardOf(join(folder.path, "none"), bob.pub, () => true);
  expect(existsSync(join(folder.path, "none"))).toBe(false);
});
