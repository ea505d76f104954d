// What a power loss leaves of a small file that is replaced: the new content is durable before it takes the name, and the name after it.
import { closeSync, fsyncSync, openSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { openAppendFile, openReplaceableFile } from "#node/engine/log/engine-storage.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

vi.mock("node:fs", { spy: true });

/** Calls on files in their order, by the name of the file. */
function callsOn(folder: string): readonly string[] {
  const opened = new Map(vi.mocked(openSync).mock.results.map(({ value }, at) => [value, at]));
  const nameOf = (file: unknown): string => {
    const path = String(vi.mocked(openSync).mock.calls[opened.get(file as number) ?? -1]?.[0]);
    return path === folder ? "folder" : basename(path);
  };
  const ordered = [
    ...vi.mocked(fsyncSync).mock.calls.map(([file], at) => [fsyncSync, at, `sync ${nameOf(file)}`] as const),
    ...vi
      .mocked(renameSync)
      .mock.calls.map(([from, to], at) => [renameSync, at, `${basename(String(from))} to ${basename(String(to))}`] as const),
  ];
  return ordered
    .map(([call, at, name]) => ({ order: vi.mocked(call).mock.invocationCallOrder[at] ?? 0, name }))
    .sort((a, b) => a.order - b.order)
    .map(({ name }) => name);
}

beforeEach(() => {
  vi.clearAllMocks();
  // Every file gets a number of its own, so that a call can be distinguished from one on a file that was closed.
  vi.mocked(closeSync).mockImplementation(() => undefined);
});

describe.skipIf(process.platform === "win32")("files of the engine", () => {
  it("sync the content, rename, then sync the folder", async () => {
    await using folder = await createTemporaryFolder();
    const file = openReplaceableFile(join(folder.path, "sign-guard"));
    file.replace(utf8("one"));
    expect(callsOn(folder.path)).toEqual(["sync sign-guard.new", "sign-guard.new to sign-guard", "sync folder"]);
    expect(Buffer.from(openReplaceableFile(join(folder.path, "sign-guard")).read() ?? []).toString()).toBe("one");
  });

  it("sync the folder of a new log, not of one that is there", async () => {
    await using folder = await createTemporaryFolder();
    const log = openAppendFile(join(folder.path, "consensus.wal"));
    expect(callsOn(folder.path)).toEqual(["sync folder"]);
    log.append(utf8("x"));
    vi.mocked(fsyncSync).mockClear();
    openAppendFile(join(folder.path, "consensus.wal"));
    expect(callsOn(folder.path)).toEqual([]);
  });
});
