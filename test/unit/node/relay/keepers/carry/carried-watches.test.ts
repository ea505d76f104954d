// Watches through carriers at a keeper: sealed news of each, and room that strangers cannot take from those who opened their boxes.
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { carriedNewsCodec } from "#node/network/wire/carry-codec.ts";
import { CarriedRows } from "#node/relay/keepers/carry/carried-rows.ts";
import { CarriedWatches } from "#node/relay/keepers/carry/carried-watches.ts";
import { CARRY_LIMITS, type CarryLimits } from "#node/relay/keepers/carry/carry-limits.ts";
import { type CarriedExchange, openRequest, sealRequest, x25519PrivateKey, x25519PublicHex } from "#node/relay/keepers/carry/carry-seal.ts";
import { tryDecode } from "#shared/codec/codec.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createRandom } from "#test/support/host/random.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { actor, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const drawn = createRandom(3);
const random = (length: number): Uint8Array => Uint8Array.from({ length }, () => drawn.between(0, 255));
const secret = x25519PrivateKey(random(32));
const OWN = { chainId: CHAIN_ID, key: actor(1).pub, x25519: x25519PublicHex(secret), secret };
const boxOf = (n: number): string => n.toString(16).padStart(64, "0");
const tokenOf = (n: number): string => n.toString(16).padStart(32, "0");

/** An exchange as the asker has it, and as the keeper does. */
function exchanged(): { readonly asker: CarriedExchange; readonly keeper: CarriedExchange } {
  const { sealed, exchange } = sealRequest(OWN, new Uint8Array(9), random);
  const opened = openRequest(OWN, sealed);
  if (opened === undefined) throw new Error("what was sealed to the keeper opens");
  return { asker: exchange, keeper: opened.exchange };
}

interface World {
  /** The way to carriers has ended. */
  isBroken: boolean;
  readonly watches: CarriedWatches;
  readonly time: VirtualTime;
  readonly sent: { readonly carrier: string; readonly token: string; readonly sealed: Uint8Array }[];
}

/** A keeper's watches; `proven` are carriers and boxes that were opened by way of them. */
function world(limits: Partial<CarryLimits> = {}, proven: readonly string[] = []): World {
  const time = new VirtualTime();
  const sent: World["sent"] = [];
  const made = { isBroken: false };
  const watches = new CarriedWatches({
    own: OWN,
    clock: time.clock(0),
    random,
    isProven: (box, carrier): boolean => proven.includes(`${carrier} ${box}`),
    send: (carrier, { token, sealed }): Promise<void> => {
      if (made.isBroken) return Promise.reject(new Error("the way has ended"));
      sent.push({ carrier, token, sealed });
      return Promise.resolve();
    },
    limits: { ...CARRY_LIMITS, ...limits },
  });
  return Object.assign(made, { watches, time, sent });
}

const shared = exchanged().keeper;
const carriersOf = ({ watches }: World, box: string): readonly (string | undefined)[] =>
  watches.of(box, 99).map((name) => watches.find(name)?.carrier);

describe("watches through carriers", () => {
  it("are told under what was shared with their request, numbered, and end where that fails", async () => {
    const made = world();
    const { asker, keeper } = exchanged();
    made.watches.add("c", tokenOf(1), boxOf(1), keeper);
    made.watches.note(boxOf(1));
    made.watches.note(boxOf(1));
    await pollUntil(() => made.sent.length === 2);
    const opened = made.sent.map(({ sealed }) => asker.open("news", sealed)).map((news) => news && tryDecode(carriedNewsCodec, news));
    expect(opened).toEqual([1, 2].map((number) => ({ number, request: { type: "news", boxes: [boxOf(1)] } })));
    expect(made.sent.map(({ carrier, token }) => [carrier, token])).toEqual([1, 2].map(() => ["c", tokenOf(1)]));
    made.isBroken = true;
    const [name = ""] = made.watches.of(boxOf(1), 9);
    await expect(made.watches.tell(name, { type: "news", boxes: [boxOf(1)] })).rejects.toThrow("ended");
    expect([made.watches.size, made.watches.has(name), made.watches.has("c")]).toEqual([0, false, false]);
  });

  it("give their number to others, whose name is another one", () => {
    const { watches, time } = world();
    watches.add("c", tokenOf(1), boxOf(1), shared);
    const [before = ""] = watches.of(boxOf(1), 9);
    // In place of what the token named before.
    watches.add("c", tokenOf(1), boxOf(2), shared);
    expect([watches.size, watches.of(boxOf(1), 9), watches.has(before)]).toEqual([1, [], false]);
    expect(watches.of(boxOf(2), 9)).toHaveLength(1);
    time.advance(CARRY_LIMITS.watchMs + 1_000);
    watches.keep(() => true);
    expect(watches.size).toBe(0);
  });

  it("of a box are shared by carriers: who names it many times keeps no one out who comes through others", () => {
    const made = world({ watchesOfBox: 4 });
    const add = (carrier: string, n: number): boolean => made.watches.add(carrier, tokenOf(n), boxOf(1), shared);
    expect([1, 2, 3, 4, 5].map((n) => add("flood", n))).toEqual([true, true, true, true, false]);
    expect([add("b", 6), add("c", 7), carriersOf(made, boxOf(1))]).toEqual([true, true, ["flood", "flood", "b", "c"]]);
    // They hear of it by news.
    expect(made.sent.map(({ token }) => token)).toEqual([tokenOf(1), tokenOf(2)]);
  });

  it("of boxes that were opened by way of their carrier lose nothing to strangers, and displace them", () => {
    const proven = [1, 2, 3].map((n) => `home ${boxOf(n)}`);
    const made = world({ watches: 6, watchesByCarrier: 4, watchesOfBox: 2 }, proven);
    const { watches } = made;
    for (let n = 10; n < 14; n += 1) watches.add("home", tokenOf(n), boxOf(n), shared);
    expect([watches.add("home", tokenOf(14), boxOf(14), shared), watches.add("home", tokenOf(1), boxOf(1), shared)]).toEqual([false, true]);
    for (let n = 20; n < 40; n += 1) watches.add(`stranger ${n % 5}`, tokenOf(n), boxOf(n), shared);
    for (const n of [2, 3]) expect(watches.add("home", tokenOf(n), boxOf(n), shared)).toBe(true);
    for (let n = 40; n < 99; n += 1) watches.add(`stranger ${n}`, tokenOf(n), boxOf(1 + (n % 3)), shared);
    expect([1, 2, 3].map((n) => carriersOf(made, boxOf(n)).includes("home"))).toEqual([true, true, true]);
    expect(watches.size).toBeLessThanOrEqual(6);
  });

  it("are lost by no one for one that finds no room at its box", () => {
    const made = world({ watchesByCarrier: 4, watchesOfBox: 2 }, [`home ${boxOf(1)}`]);
    const add = (n: number, box: number): boolean => made.watches.add("home", tokenOf(n), boxOf(box), shared);
    expect([add(1, 1), add(2, 1), add(3, 3), add(4, 4), add(5, 1)]).toEqual([true, true, true, true, false]);
    expect([made.watches.size, made.sent]).toEqual([4, []]);
  });

  it("in a full table cost the next one as much with hundreds of carriers as with a few", () => {
    const looks = vi.spyOn(CarriedRows.prototype, "countOf");
    onTestFinished(() => looks.mockRestore());
    const [few, many] = [4, 400].map((carriers) => {
      const { watches } = world({ watches: 800 });
      for (let n = 0; n < 800; n += 1) watches.add(`c${n % carriers}`, tokenOf(n), boxOf(n), shared);
      looks.mockClear();
      expect([watches.add("new", tokenOf(900), boxOf(900), shared), watches.size]).toEqual([true, carriers === 4 ? 737 : 800]);
      return looks.mock.calls.length;
    });
    // Less than that of fewer rows, as carriers with few make room for few.
    expect([many, few].map((count) => count !== undefined && count < 200)).toEqual([true, true]);
    expect(many).toBeLessThanOrEqual(few ?? 0);
  });

  it("of a carrier that is gone at two looks are forgotten", () => {
    const { watches } = world();
    watches.add("c", tokenOf(1), boxOf(1), shared);
    watches.add("d", tokenOf(1), boxOf(1), shared);
    watches.keep((carrier) => carrier === "d");
    expect(watches.size).toBe(2);
    watches.keep((carrier) => carrier === "d");
    expect(watches.size).toBe(1);
  });
});
