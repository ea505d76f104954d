import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { moveDataFolder } from "#electron/main/files/move-data-folder.ts";

describe("moveDataFolder", () => {
  let root = "";
  let from = "";
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "parley-move-"));
    from = join(root, "node");
    mkdirSync(join(from, "keys"), { recursive: true });
    writeFileSync(join(from, "chain.db"), "blocks");
    writeFileSync(join(from, "keys", "node-key.json"), "key");
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it.each(["new", "deep/er/new", "empty"])("moves everything to %s and leaves no second key behind", async (name) => {
    const to = join(root, name);
    if (name === "empty") mkdirSync(to);
    await moveDataFolder(from, to);
    expect(readFileSync(join(to, "chain.db"), "utf8")).toBe("blocks");
    expect(readFileSync(join(to, "keys/node-key.json"), "utf8")).toBe("key");
    expect(existsSync(from)).toBe(false);
  });

  it("copies to another disk, where one step is not enough", async () => {
    const acrossDisks = (): Promise<void> => Promise.reject(Object.assign(new Error("cross-device link"), { code: "EXDEV" }));
    const to = join(root, "other-disk");
    await moveDataFolder(from, to, acrossDisks);
    expect(readFileSync(join(to, "keys/node-key.json"), "utf8")).toBe("key");
    expect(existsSync(from)).toBe(false);
  });

  it("keeps the data where it is when moving fails", async () => {
    const refused = (): Promise<void> => Promise.reject(Object.assign(new Error("not permitted"), { code: "EPERM" }));
    await expect(moveDataFolder(from, join(root, "new"), refused)).rejects.toMatchObject({ code: "STORAGE_UNWRITABLE" });
    expect(readFileSync(join(from, "keys/node-key.json"), "utf8")).toBe("key");
  });

  it.each([
    ["itself", (): string => from, "outside the current one"],
    ["a folder inside", (): string => join(from, "keys", "x"), "outside the current one"],
    ["a relative path", (): string => "data", "full path"],
    ["a folder with something in it", (): string => root, "not empty"],
    ["a file", (): string => join(root, "file"), "not a folder"],
  ])("refuses %s and touches nothing", async (_, target, stderr) => {
    writeFileSync(join(root, "file"), "mine");
    await expect(moveDataFolder(from, target())).rejects.toThrow(stderr);
    expect(readFileSync(join(from, "chain.db"), "utf8")).toBe("blocks");
    expect(readFileSync(join(root, "file"), "utf8")).toBe("mine");
  });
});
