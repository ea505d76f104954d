import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFileVault } from "#electron/keyring/file-vault.ts";
import { Keyring } from "#shared/keyring/keyring.ts";
import { makeReadOnly } from "#test/support/host/read-only-folder.ts";
import { CHEAP_ARGON2, ManualTime, systemRandom } from "#test/support/worlds/keyring-world.ts";

describe("the vault in files", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "parley-vault-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (): Keyring => {
    const time = new ManualTime();
    return new Keyring({
      storage: createFileVault(join(folder, "keyring")),
      random: systemRandom,
      clock: time,
      timers: time,
      argon2: CHEAP_ARGON2,
    });
  };
  const path = (copy: "a" | "b"): string => join(folder, "keyring", `vault-${copy}`);

  it("survives a restart, in two copies that only the person can read", async () => {
    await open().create({ password: "correct horse battery" });
    expect(readdirSync(join(folder, "keyring")).sort()).toEqual(["vault-a", "vault-b"]);
    expect(statSync(path("a")).mode & 0o777).toBe(0o600);
    expect((await open().unlock({ password: "correct horse battery" })).state).toBe("unlocked");
  });

  it.each(["a", "b"] as const)("opens from the other copy when %s is damaged, cut off or gone", async (copy) => {
    await open().create({ password: "correct horse battery" });
    const whole = readFileSync(path(copy));
    for (const damaged of [whole.subarray(0, whole.length - 1), new Uint8Array(), Buffer.alloc(100_000), undefined]) {
      if (damaged === undefined) rmSync(path(copy));
      else writeFileSync(path(copy), damaged);
      expect((await open().unlock({ password: "correct horse battery" })).state).toBe("unlocked");
    }
  });

  it("says that it is damaged when no copy is whole, and never starts over", async () => {
    await open().create({ password: "correct horse battery" });
    for (const copy of ["a", "b"] as const) writeFileSync(path(copy), "nothing");
    expect((await open().status()).state).toBe("damaged");
    await expect(open().create({ password: "correct horse battery" })).rejects.toThrow();
    expect(readFileSync(path("a"), "utf8")).toBe("nothing");
  });

  it("says where it cannot read", async () => {
    writeFileSync(join(folder, "keyring"), "a file where the folder should be");
    await expect(open().status()).rejects.toMatchObject({ code: "STORAGE_UNWRITABLE" });
  });

  describe("shared with another process", () => {
    it("is replaced by one of two that have read the same", async () => {
      const [one, other] = [createFileVault(folder), createFileVault(folder)];
      expect(await one.replace("a", undefined, new Uint8Array([1]))).toBe(true);
      expect(await other.replace("a", undefined, new Uint8Array([2]))).toBe(false);
      expect(await other.replace("a", new Uint8Array([1]), new Uint8Array([2]))).toBe(true);
      expect(await one.replace("a", new Uint8Array([1]), new Uint8Array([3]))).toBe(false);
      expect(await one.read("a")).toEqual(new Uint8Array([2]));
      expect(readdirSync(folder)).toEqual(["vault-a"]);
    });

    it("counts every write of several processes that add one to it", async () => {
      const [processes, writes] = [3, 20];
      const program = `
        import { createFileVault } from ${JSON.stringify(new URL("../../../../electron/keyring/file-vault.ts", import.meta.url).href)};
        const vault = createFileVault(process.argv[1]);
        for (let done = 0; done < ${writes}; ) {
          const stored = await vault.read("a");
          if (await vault.replace("a", stored, new Uint8Array([(stored?.[0] ?? 0) + 1]))) done += 1;
        }`;
      const run = promisify(execFile);
      await Promise.all(Array.from({ length: processes }, () => run(process.execPath, ["--input-type=module", "-e", program, folder])));
      expect(await createFileVault(folder).read("a")).toEqual(new Uint8Array([processes * writes]));
      expect(readdirSync(folder)).toEqual(["vault-a"]);
    }, 60_000);

    it.each([
      ["a process that has ended", (): string => String(spawnSync(process.execPath, ["-e", ""]).pid)],
      ["an earlier process with the same id", (): string => String(process.pid)],
      ["a power cut", (): string => ""],
    ])("is not kept from being written by a lock of %s", async (_, content) => {
      writeFileSync(join(folder, "vault.lock"), content());
      expect(await createFileVault(folder).replace("a", undefined, new Uint8Array([1]))).toBe(true);
    });
  });

  describe("on a disk that cannot be written", () => {
    let release: () => void = () => undefined;
    afterEach(() => release());

    it("still opens, from either copy, and keeps the old password when the new one cannot be stored", async () => {
      await open().create({ password: "correct horse battery" });
      writeFileSync(path("a"), "damaged");
      release = makeReadOnly(folder);
      const keyring = open();
      expect((await keyring.unlock({ password: "correct horse battery" })).state).toBe("unlocked");
      await expect(keyring.changePassword({ current: "correct horse battery", next: "battery staple horse" })).rejects.toMatchObject({
        code: "STORAGE_UNWRITABLE",
        message: expect.stringMatching(/vault-. cannot be written: check permissions and free space/),
      });
      expect((await open().unlock({ password: "correct horse battery" })).state).toBe("unlocked");
    });

    it("says why there can be no new one", async () => {
      release = makeReadOnly(folder);
      await expect(open().create({ password: "correct horse battery" })).rejects.toMatchObject({ code: "STORAGE_UNWRITABLE" });
      expect(existsSync(join(folder, "keyring"))).toBe(false);
    });
  });
});
