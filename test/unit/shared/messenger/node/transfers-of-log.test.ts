// What a node says of the owners of a log that one gets, one after the other, on a chain and on one that continues it.
import { describe, expect, it } from "vitest";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { MessengerNode, TransferSearch, WantedTransfer } from "#shared/messenger/model/node-port.ts";
import { heightBefore, transfersOf, transfersOfPart } from "#shared/messenger/node/transfers-of-log.ts";
import { type GroupLog, logOfEntries, type StoredEntry, withTransfer } from "#shared/protocol/groups/group-log.ts";
import { decodeSignedEntry } from "#shared/protocol/groups/signed-entry.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";
import { createItem, honest, PEOPLE } from "#test/support/groups/group-history.ts";

const [ANN, BOB, CAROL] = PEOPLE as readonly [string, string, string];
const CHAIN = "parley-test";

type TransferNode = Pick<MessengerNode, "chainId" | "ownerTransfer">;

const create = createItem();
const toBob = honest([create], ANN, { op: "owner", at: 2, people: [BOB] });
const toCarol = honest([create, toBob], BOB, { op: "owner", at: 3, people: [CAROL] });
const stored = (item: typeof create): StoredEntry => ({ ...item, text: item.hash });
const log = logOfEntries([create, toBob, toCarol].map(stored)) as GroupLog;

function node(answer: (wanted: WantedTransfer) => TransferSearch | CodedError): TransferNode & { readonly asked: WantedTransfer[] } {
  const asked: WantedTransfer[] = [];
  return {
    chainId: CHAIN,
    asked,
    ownerTransfer: async (wanted): Promise<TransferSearch> => {
      asked.push(wanted);
      const result = answer(wanted);
      if (result instanceof CodedError) throw result;
      return result;
    },
  };
}

const NOTHING = { found: undefined, seen: 90, hasMore: false };

describe("the owners of a log", () => {
  it("are looked for one after the other, on from where a look has ended, each above the block of the one before", async () => {
    const found = { entry: toBob.hash, height: 40 };
    const chain = node(({ owner, after }) => {
      if (owner === BOB) return { ...NOTHING, found: { entry: toCarol.hash, height: 60 } };
      return after === 0 ? { ...NOTHING, seen: 30, hasMore: true } : { ...NOTHING, found };
    });
    expect(await transfersOf(chain, log)).toEqual([
      { owner: ANN, chainId: CHAIN, ...found },
      { owner: BOB, chainId: CHAIN, entry: toCarol.hash, height: 60 },
    ]);
    expect(chain.asked.map(({ owner, after }) => [owner, after])).toEqual([
      [ANN, 0],
      [ANN, 30],
      [BOB, 40],
    ]);
  });

  it("are not looked for without end, and not believed to be others where the node cannot say it", async () => {
    const endless = node(({ after }) => ({ found: undefined, seen: after + 1, hasMore: true }));
    expect(await transfersOf(endless, log)).toEqual([]);
    expect(endless.asked.length).toBeLessThanOrEqual(32);
    expect(
      await transfersOf(
        node(() => NOTHING),
        log,
      ),
    ).toEqual([]);
    expect(
      await transfersOf(
        node(() => new CodedError("HISTORY_PRUNED", "gone")),
        log,
      ),
    ).toEqual([]);
    await expect(
      transfersOf(
        node(() => new CodedError("UNAVAILABLE", "away")),
        log,
      ),
    ).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(
      await transfersOf(
        node(() => ({ ...NOTHING, found: { entry: "ff".repeat(32), height: 8 } })),
        log,
      ),
    ).toHaveLength(1);
  });

  it("are looked for without the beginning of the log as well", async () => {
    const chain = node(({ owner }) => ({ ...NOTHING, found: owner === ANN ? { entry: toBob.hash, height: 40 } : undefined }));
    expect(await transfersOfPart(chain, log.id, [toCarol, toBob])).toEqual([{ owner: ANN, chainId: CHAIN, entry: toBob.hash, height: 40 }]);
    expect(chain.asked.slice(0, 2)).toEqual([
      { owner: ANN, logId: log.id, after: 0 },
      { owner: BOB, logId: log.id, after: 40 },
    ]);
    // Any member can write such an entry, and pay for it, before the owner does.
    const byCarol = honest([create], CAROL, { op: "owner", at: 1, people: [BOB] });
    const rivals = [
      byCarol,
      ...["1", "2", "3"].map((at) => honest([create], CAROL, { op: "owner", at: Number(at) + 10, people: [CAROL] })),
    ];
    const later = honest([create, toBob, toCarol], CAROL, { op: "owner", at: 5, people: [ANN] });
    const paid: readonly (readonly [string, string, number])[] = [
      [CAROL, byCarol.hash, 20],
      [ANN, toBob.hash, 40],
      [BOB, toCarol.hash, 60],
      [CAROL, later.hash, 70],
    ];
    const disputed = node(({ owner, after }) => {
      const first = paid.find(([payer, , height]) => payer === owner && height > after);
      return { ...NOTHING, found: first && { entry: first[1], height: first[2] } };
    });
    const all = await transfersOfPart(disputed, log.id, [...rivals, toBob, toCarol, later]);
    expect(
      [...all]
        .sort((a, b) => a.height - b.height)
        .reduce(withTransfer, log)
        .transfers.map(({ entry }) => entry),
    ).toEqual([toBob.hash, toCarol.hash, later.hash]);
    expect(disputed.asked.length).toBeLessThanOrEqual(32);
    const endless = node(({ after }) => ({ found: undefined, seen: after + 1, hasMore: true }));
    expect(await transfersOfPart(endless, log.id, [toBob])).toEqual([]);
    expect(endless.asked.length).toBeLessThanOrEqual(32);
  });

  it("are looked for above what the creation states, or from the beginning of a chain that continues its own", () => {
    const { cases, chain } = readVectors<{ readonly chain: string; readonly cases: readonly { readonly signed: string }[] }>(
      "group-log.json",
    );
    const [first, second] = cases.map(({ signed }) => ({ ...decodeSignedEntry(signed), isListed: true }) as StoredEntry);
    const begun = logOfEntries([first as StoredEntry, second as StoredEntry]) as GroupLog;
    const higher = { ...begun, entries: [{ ...(first as StoredEntry), text: second?.text ?? "" }] };
    expect(heightBefore(higher, { chainId: chain })).toBe(70_000);
    expect(heightBefore(higher, { chainId: "another" })).toBe(0);
    const passed = withTransfer(log, { owner: ANN, entry: toBob.hash, chainId: chain, height: 40 });
    expect(heightBefore(passed, { chainId: chain })).toBe(40);
    expect(heightBefore(passed, { chainId: "another" })).toBe(0);
  });
});
