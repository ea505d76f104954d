// Cards of others that are remembered: of a device that two people claim, each has their own alone.
import { expect, it } from "vitest";
import { TheirPublicCards } from "#shared/messenger/node/their-public-cards.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";
import { publicCardOf } from "#test/support/worlds/public-card-of.ts";

it("gives no one a card of a device that another person vouches for", async () => {
  const [master, device, number] = [new Uint8Array(32).fill(7), "ab".repeat(32), 500_000];
  const card = publicCardOf({ chainId: "parley-test", device, master, number, height: 1 });
  let asked = 0;
  const cards = new TheirPublicCards({
    node: {
      chainId: "parley-test",
      publicCard: () => {
        asked += 1;
        return Promise.resolve(card);
      },
    },
    clock: { monotonicMs: () => 0 },
    timers: { setTimer: () => () => undefined },
    days: { now: () => ({ blockMs: number * 3_600_000 }) },
  });
  const of = async (person: string): Promise<number> => (await cards.of([{ person, device }])).size;
  expect([await of(toHex(ed25519PublicKey(master))), await of("cd".repeat(32)), asked]).toEqual([1, 0, 1]);
});
