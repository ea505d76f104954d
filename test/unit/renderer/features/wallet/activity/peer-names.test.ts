import { describe, expect, it } from "vitest";
import { readPeerNames } from "#renderer/features/wallet/activity/csv/peer-names.ts";

const [BOB, EVE] = ["b0", "e0"].map((start) => start.repeat(32)) as [string, string];

describe("names in files of the activity", () => {
  it("are those of everyone in it, each asked for once and safe to show", async () => {
    const asked: (readonly string[])[] = [];
    const names = await readPeerNames([{ peer: BOB }, { peer: undefined }, { peer: EVE }, { peer: BOB }], async (peers) => {
      asked.push(peers);
      return `${BOB} Bob\n${EVE} E\u202eve`;
    });
    expect(asked).toEqual([[BOB, EVE]]);
    expect([...names]).toEqual([
      [BOB, "Bob"],
      [EVE, "E\ufffdve"],
    ]);
  });

  it("ask nothing where there is no one", async () => {
    const names = await readPeerNames([{ peer: undefined }], () => Promise.reject(new Error("asked")));
    expect(names.size).toBe(0);
  });
});
