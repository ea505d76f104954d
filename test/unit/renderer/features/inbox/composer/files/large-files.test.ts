import { describe, expect, it } from "vitest";
import { blobSource, refusalOf, requireSendable } from "#renderer/features/inbox/composer/files/large-files.ts";
import { prepareFile } from "#renderer/features/inbox/composer/files/prepare-file.ts";
import { MAX_FILE_BYTES, MAX_PUSHED_FILE_BYTES } from "#shared/content/content.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";

const SMALL = { size: MAX_PUSHED_FILE_BYTES } as File;
const LARGE = { size: MAX_PUSHED_FILE_BYTES + 1 } as File;

function allowing(bytes: number, tooOld: readonly string[] = []): Messenger {
  return { fileLimit: async () => ({ bytes, tooOld }) } as unknown as Messenger;
}

describe("a large file that is chosen", () => {
  it("is refused with the reason: programs that are too old, or a group that is too large", async () => {
    const old = allowing(MAX_PUSHED_FILE_BYTES, ["bob"]);
    expect(await refusalOf(old, "bob", [SMALL, LARGE])).toEqual({ kind: "tooOld", limit: MAX_PUSHED_FILE_BYTES });
    await expect(requireSendable(old, "bob", [LARGE])).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const group = allowing(MAX_PUSHED_FILE_BYTES + 1, ["bob"]);
    expect(await refusalOf(group, "group", [LARGE])).toBeUndefined();
    expect(await refusalOf(group, "group", [{ size: LARGE.size + 1 }])).toEqual({ kind: "tooLarge", limit: LARGE.size });
  });

  it("is not asked about where all are small", async () => {
    const silent = {} as Messenger;
    expect(await refusalOf(silent, "bob", [])).toBeUndefined();
    expect(await refusalOf(silent, "bob", [SMALL])).toBeUndefined();
  });

  it("is read part by part where it lies, and larger ones than there may be are not read at all", async () => {
    const source = blobSource(new Blob([Uint8Array.from({ length: 10 }, (_, index) => index)]));
    expect(source.size).toBe(10);
    expect(await source.read(3, 6)).toEqual(Uint8Array.of(3, 4, 5));
    const unread = { name: "x", type: "image/png", size: MAX_FILE_BYTES + 1 } as File;
    await expect(prepareFile(unread, "")).rejects.toMatchObject({ code: "BAD_REQUEST", details: { limit: MAX_FILE_BYTES } });
    const moving = { name: "x.gif", type: "image/gif", size: MAX_PUSHED_FILE_BYTES + 1 } as File;
    await expect(prepareFile(moving, "")).rejects.toMatchObject({ details: { limit: MAX_PUSHED_FILE_BYTES } });
    const film = { name: "film.mkv", type: "", size: MAX_FILE_BYTES } as File;
    expect(await prepareFile(film, "Ours")).toMatchObject({ mediaType: "application/octet-stream", bytes: { size: MAX_FILE_BYTES } });
  });
});
