import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FolderAccess, makePrivate } from "#shared/util/private-folder.ts";

const REAL: FolderAccess = { chmodSync, lstatSync, readdirSync, statSync };
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-private-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function make(path: string, mode: number, isFolder = false): string {
  const full = join(folder, path);
  if (isFolder) mkdirSync(full);
  else writeFileSync(full, "");
  chmodSync(full, mode);
  return full;
}

const modeOf = (path: string): number => lstatSync(path).mode & 0o7777;

describe("a private folder", () => {
  it("takes the permissions of others away, as deep as it is asked to, and leaves the owner's", () => {
    chmodSync(folder, 0o2755);
    const paths = [
      make("world.db", 0o666),
      make("run", 0o755),
      make("kept", 0o400),
      make("keys", 0o777, true),
      make("keys/node-key.json", 0o644),
      make("keys/old", 0o755, true),
      make("keys/old/deep", 0o644),
    ];
    expect(makePrivate(folder, 2, REAL)).toBeUndefined();
    expect([modeOf(folder), ...paths.map(modeOf)]).toEqual([0o2700, 0o600, 0o700, 0o400, 0o700, 0o600, 0o700, 0o644]);
  });

  it("follows no link out of the folder", () => {
    const outside = mkdtempSync(join(tmpdir(), "parley-outside-"));
    chmodSync(outside, 0o755);
    symlinkSync(outside, join(folder, "link"));
    expect(makePrivate(folder, 4, REAL)).toBeUndefined();
    expect(modeOf(outside)).toBe(0o755);
    rmSync(outside, { recursive: true });
  });

  it.each(["folder", "file"])("names a %s whose permissions cannot be changed", (kind) => {
    const file = make("mailbox.db", 0o644);
    const stuck = kind === "folder" ? folder : file;
    chmodSync(folder, 0o755);
    const refuse: FolderAccess["chmodSync"] = (path, mode) => {
      if (path === stuck) throw new Error("EPERM");
      chmodSync(path, mode);
    };
    expect(makePrivate(folder, 1, { ...REAL, chmodSync: refuse })).toBe(stuck);
    // A file system without permissions takes the change and stores nothing.
    chmodSync(folder, 0o755);
    chmodSync(file, 0o644);
    expect(makePrivate(folder, 1, { ...REAL, chmodSync: () => undefined })).toBe(folder);
  });

  it("asks nothing of a folder that is not there, or is private already", () => {
    expect(makePrivate(join(folder, "none"), 2, REAL)).toBeUndefined();
    make("own", 0o600);
    const refuse: FolderAccess["chmodSync"] = () => {
      throw new Error("read-only");
    };
    expect(makePrivate(folder, 2, { ...REAL, chmodSync: refuse })).toBeUndefined();
  });
});
