// Cards of others that are remembered: of a device that two people claim, each has their own alone.
import { expect, it } from "vitest";
import { TheirPublicCards } from "#shared/messenger/node/their-public-cards.ts";
import { ownerName } from "#shared/protocol/pairs/card-id.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";
import { publicCardOf } from "#test/support/worlds/public-card-of.ts";

it("has of a device that two people publish the card of the one who is meant, and takes none of the other", async () => {
  const [device, number] = ["ab".repeat(32), 500_000];
  const masters = [7, 8].map((byte) => new Uint8Array(32).fill(byte));
  const people = masters.map((master) => toHex(ed25519PublicKey(master)));
  const encoded = masters.map((master) => publicCardOf({ chainId: "parley-test", device, master, number, height: 1 }));
  let asked = 0;
  /** Whose card a node gives, whoever is meant. */
  let lies = false;
  let nowMs = 0;
  const cards = new TheirPublicCards({
    node: {
      chainId: "parley-test",
      publicCard: ({ person }) => {
        asked += 1;
        return Promise.resolve(lies ? encoded[1] : encoded[people.indexOf(person)]);
      },
    },
    clock: { monotonicMs: () => nowMs },
    timers: { setTimer: () => () => undefined },
    days: { now: () => ({ blockMs: number * 3_600_000 }) },
  });
  const [one = "", other = ""] = people;
  const of = async (...meant: readonly string[]): Promise<readonly (string | undefined)[]> => {
    const found = await cards.of(meant.map((person) => ({ person, device })));
    return meant.map((person) => found.get(ownerName({ person, device }))?.masterPub);
  };
  expect(await of(one, other, "cd".repeat(32))).toEqual([one, other, undefined]);
  expect([await of(one), asked]).toEqual([[one], 3]);
  lies = true;
  nowMs += 7 * 3_600_000;
  expect(await of(one, other, "cd".repeat(32))).toEqual([one, other, undefined]);
});

it("asks again for one that may be of no use, a minute later, and uses the one before while that of a faster node is not valid yet", async () => {
  const [device, number] = ["ab".repeat(32), 500_000];
  const master = new Uint8Array(32).fill(7);
  const person = toHex(ed25519PublicKey(master));
  let shown = number;
  let asked = 0;
  let nowMs = 0;
  let blockMs = number * 3_600_000;
  const cards = new TheirPublicCards({
    node: {
      chainId: "parley-test",
      publicCard: () => {
        asked += 1;
        return Promise.resolve(publicCardOf({ chainId: "parley-test", device, master, number: shown, height: 1 }));
      },
    },
    clock: { monotonicMs: () => nowMs },
    timers: { setTimer: () => () => undefined },
    days: { now: () => ({ blockMs }) },
  });
  const numberOf = async (isFresh: boolean): Promise<number | undefined> =>
    (await cards.of([{ person, device, isFresh }])).get(ownerName({ person, device }))?.number;
  expect([await numberOf(false), asked]).toEqual([number, 1]);
  shown = number + 24;
  expect([await numberOf(true), asked]).toEqual([number, 1]);
  nowMs += 60_000;
  expect([await numberOf(false), asked]).toEqual([number, 1]);
  expect([await numberOf(true), asked]).toEqual([number, 2]);
  blockMs += 24 * 3_600_000;
  expect([await numberOf(false), asked]).toEqual([number + 24, 2]);
});
