import { randomBytes } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readKeyFile } from "#node/cli/session/keys/key-file.ts";
import { openKeyFile, personalKeys, writeKeyFile } from "#node/cli/session/keys/opened-key-file.ts";
import { toHex } from "#shared/util/bytes.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

const random = (length: number): Uint8Array => new Uint8Array(randomBytes(length));
const keys = personalKeys(new Uint8Array(32).fill(1), new Uint8Array(32).fill(2));

let folder: TemporaryFolder;
let path: string;
/** Written once with a password: each key that is derived from one takes a third of a second. */
let sealed: TemporaryFolder;
let sealedPath: string;
beforeAll(async () => {
  sealed = await createTemporaryFolder();
  sealedPath = join(sealed.path, "key.json");
  await writeKeyFile(sealedPath, keys, "correct horse", random);
});
afterAll(() => sealed.remove());
beforeEach(async () => {
  folder = await createTemporaryFolder();
  path = join(folder.path, "key.json");
});
afterEach(() => folder.remove());

describe("key files", () => {
  it("open with their password and hold no secret in the open", async () => {
    const text = await readFile(sealedPath, "utf8");
    expect(text).not.toContain(toHex(keys.seed));
    expect(text).not.toContain(toHex(keys.device.secretKey));
    expect((await stat(sealedPath)).mode & 0o777).toBe(0o600);
    const file = readKeyFile(sealedPath);
    expect(file).toMatchObject({ publicKey: keys.publicKey, devicePublicKey: toHex(keys.device.publicKey) });
    expect(await openKeyFile(file, "correct horse")).toEqual(keys);
    await expect(openKeyFile(file, "wrong")).rejects.toMatchObject({ code: "VAULT_WRONG_PASSWORD" });
  });

  it("may be plain, and still only their owner reads them", async () => {
    await writeKeyFile(path, keys, undefined, random);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await openKeyFile(readKeyFile(path), undefined)).toEqual(keys);
  });

  it("are never overwritten", async () => {
    await writeFile(path, "mine");
    await expect(writeKeyFile(path, keys, undefined, random)).rejects.toMatchObject({ code: "STORAGE_UNWRITABLE" });
    expect(await readFile(path, "utf8")).toBe("mine");
  });

  it.each([
    ["public_key", "00".repeat(32)],
    ["device_public_key", "00".repeat(32)],
  ])("do not open with another %s in them", async (field, value) => {
    await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(sealedPath, "utf8")), [field]: value }));
    await expect(openKeyFile(readKeyFile(path), "correct horse")).rejects.toMatchObject({ code: "VAULT_WRONG_PASSWORD" });
    await writeFile(path, JSON.stringify({ ...plainFile(), [field]: value }));
    await expect(openKeyFile(readKeyFile(path), undefined)).rejects.toThrow(/damaged/);
  });

  it("of another kind, or damaged, are named in one sentence", async () => {
    expect(() => readKeyFile(path)).toThrow(`No key file at ${path}: create one with "parley keygen --out ${path}"`);
    for (const text of ["", "{", "[]", '{"format":"parley-key","version":2}', JSON.stringify({ ...plainFile(), secret_key: "00" })]) {
      await writeFile(path, text);
      expect(() => readKeyFile(path)).toThrow(/is not a Parley key file, or it is damaged/);
    }
  });
});

function plainFile(): Record<string, unknown> {
  return {
    format: "parley-key",
    version: 1,
    public_key: keys.publicKey,
    device_public_key: toHex(keys.device.publicKey),
    secret_key: toHex(keys.seed),
    device_secret_key: toHex(keys.device.secretKey),
  };
}
