// Memory of responses: who gets it, and who gives way.
import { describe, expect, it } from "vitest";
import { type BudgetRequest, type Reservation, ResponseBudget } from "#node/network/flow/response-budget.ts";
import { createRandom } from "#test/support/host/random.ts";

const ANY = { name: "any", perPeer: 100, first: 1 };
const PAGE = { name: "page", perPeer: 1 };
const LIMITS = { perPeer: 40, perAddress: 60, total: 100, yieldMs: 2_000, readBytes: 30, peers: 32, leftMs: 60_000 };
const READERS = ["a", "b", "c", "d", "x", "y", "z", "slow", "p0", "p1", "p2", "p3", "p4"];

/** `readers`: peers that have taken something already. */
async function worldOf(readers: readonly string[] = READERS): Promise<{
  readonly clock: { ms: number };
  readonly budget: ResponseBudget;
  readonly granted: string[];
  readonly revoked: string[];
  ask(peer: string, bytes: number, address?: string, kind?: BudgetRequest["kind"]): Promise<Reservation>;
}> {
  const clock = { ms: 1, nowMs: (): number => clock.ms, monotonicMs: (): number => clock.ms };
  const budget = new ResponseBudget({ limits: LIMITS, clock });
  const granted: string[] = [];
  const revoked: string[] = [];
  const ask = async (peer: string, bytes: number, address?: string, kind: BudgetRequest["kind"] = ANY): Promise<Reservation> => {
    const { signal } = new AbortController();
    const reservation = await budget.reserve({ peer, address, bytes, kind, signal, onRevoke: () => void revoked.push(peer) });
    granted.push(peer);
    return reservation;
  };
  for (const peer of readers) (await ask(peer, 1)).noteEnd(true);
  granted.length = 0;
  return { clock, budget, granted, revoked, ask };
}
const turn = (): Promise<void> => new Promise(setImmediate);

describe("the budget of responses", () => {
  it("is bounded for a peer, for an address and in all", async () => {
    const { budget, granted, ask } = await worldOf();
    for (const [peer, address] of [
      ["a", "home"],
      ["a", "home"],
      ["a", "home"],
      ["b", "home"],
      ["b", "home"],
      ["c", undefined],
      ["c", undefined],
      ["d", "away"],
    ] as const)
      void ask(peer, 20, address);
    await turn();
    expect(granted).toEqual(["a", "a", "b", "c", "d"]);
    expect(budget.bytes).toBe(100);
  });

  it("has its last quarter for those who hold nothing", async () => {
    const { budget, granted, ask } = await worldOf();
    for (const peer of ["a", "b", "a", "b", "a", "b"]) void ask(peer, 20);
    await turn();
    expect(granted).toEqual(["a", "b", "a"]);
    void ask("c", 20);
    await turn();
    expect(granted.slice(3)).toEqual(["c"]);
    expect(budget.bytes).toBe(80);
  });

  it("goes first to who holds least", async () => {
    const { granted, ask } = await worldOf();
    const whole = await ask("x", 40);
    await ask("y", 40);
    void ask("x", 20);
    void ask("y", 20);
    void ask("z", 20);
    await turn();
    expect(granted).toEqual(["x", "y", "z"]);
    whole.release();
    await turn();
    expect(granted.slice(3)).toEqual(["x"]);
  });

  it("lets no one wait for ever behind smaller ones", async () => {
    const { granted, ask } = await worldOf();
    const held = [await ask("a", 40), await ask("b", 40)];
    void ask("c", 40);
    void ask("d", 10);
    await turn();
    expect(granted, "the room that is left is kept for the first").toEqual(["a", "b"]);
    held[0]?.release();
    await turn();
    expect(granted).toEqual(["a", "b", "c", "d"]);
  });

  it("makes the next response of a kind when the peer has taken one", async () => {
    const { budget, revoked, granted, ask } = await worldOf();
    const [first] = await Promise.all([ask("a", 20, "home", PAGE), ask("a", 1), ask("b", 5, "home", PAGE)]);
    first.shrink(1);
    void ask("a", 1, "home", PAGE);
    void ask("a", 1, "home", PAGE);
    void ask("c", 1, "home", PAGE);
    await turn();
    expect(granted).toEqual(["a", "a", "b", "c"]);
    budget.relieve();
    expect(revoked, "a peer that waits for itself takes nothing from others").toEqual([]);
    first.release();
    await turn();
    expect(granted).toEqual(["a", "a", "b", "c", "a"]);
  });

  it("takes back what readers hold that stand still, only when others wait, and most from who holds most", async () => {
    const { clock, budget, granted, revoked, ask } = await worldOf();
    const slow = [await ask("slow", 20), await ask("slow", 20)];
    const quick = await ask("quick", 30);
    await ask("made", 30);
    for (const each of [...slow, quick]) each.noteProgress();
    clock.ms += LIMITS.yieldMs;
    budget.relieve();
    expect(revoked).toEqual([]);
    quick.noteProgress();
    void ask("new", 30);
    await turn();
    budget.relieve();
    await turn();
    expect(revoked, "the responses that are being made are left alone").toEqual(["slow", "slow"]);
    expect(granted.at(-1)).toBe("new");
    for (const each of slow) each.release();
    expect(budget.bytes).toBe(90);
  });

  it("has one response at once made for who has taken none yet", async () => {
    const { granted, ask } = await worldOf([]);
    const first = await ask("a", 5);
    void ask("a", 5);
    void ask("a", 5);
    void ask("b", 5);
    await turn();
    expect(granted).toEqual(["a", "b"]);
    first.noteEnd(true);
    await turn();
    expect(granted).toEqual(["a", "b", "a", "a"]);
  });

  it("has more made for who takes a part that only a reader takes, before all of it is taken", async () => {
    const { granted, ask } = await worldOf([]);
    const first = await ask("a", 35);
    void ask("a", 5);
    first.noteProgress(LIMITS.readBytes - 1);
    await turn();
    expect(granted).toEqual(["a"]);
    first.noteProgress(LIMITS.readBytes);
    await turn();
    expect(granted).toEqual(["a", "a"]);
  });

  it("has one at once made for who left a long response, until it takes one: short ones leave also unread", async () => {
    const { granted, ask } = await worldOf(["a"]);
    (await ask("a", 35)).noteEnd(false);
    (await ask("a", 5)).noteEnd(true);
    const long = await ask("a", 35);
    void ask("a", 5);
    await turn();
    expect(granted).toHaveLength(3);
    long.noteProgress(LIMITS.readBytes);
    await turn();
    expect(granted).toHaveLength(4);
  });

  it("holds it against no one for long, nor that a short one was not taken", async () => {
    const { granted, ask } = await worldOf(["a"]);
    const long = await ask("a", 35);
    long.shrink(LIMITS.readBytes - 1);
    long.noteEnd(false);
    void ask("a", 5);
    void ask("a", 5);
    await turn();
    expect(granted).toHaveLength(3);
    const other = await worldOf(["a"]);
    (await other.ask("a", 35)).noteEnd(false);
    other.clock.ms += LIMITS.leftMs + 1;
    (await other.ask("a", 5)).noteEnd(true);
    void other.ask("a", 5);
    void other.ask("a", 5);
    await turn();
    expect(other.granted).toHaveLength(4);
  });

  it("forgets who waits no more", async () => {
    const { budget, granted, ask } = await worldOf();
    const all = [await ask("a", 40), await ask("b", 40), await ask("c", 20)];
    const controller = new AbortController();
    const refused = budget.reserve({
      peer: "d",
      address: undefined,
      bytes: 10,
      kind: ANY,
      signal: controller.signal,
      onRevoke: () => undefined,
    });
    controller.abort(new Error("too late"));
    await expect(refused).rejects.toThrow("too late");
    for (const each of all) each.release();
    expect([granted, budget.bytes]).toEqual([["a", "b", "c"], 0]);
  });

  it("counts right whatever happens", async () => {
    const seed = 15;
    const { next: random, between, chance } = createRandom(seed);
    const { clock, budget, ask } = await worldOf();
    const held: Reservation[] = [];
    const choices: readonly ((each: Reservation | undefined) => void)[] = [
      (each): void => each?.noteProgress(),
      (each): void => each?.shrink(Math.floor(random() * 20)),
      (each): void => each?.release(),
      (): void => budget.relieve(),
      (): void => void ask(`p${between(0, 4)}`, between(0, 60), chance(0.5) ? undefined : "home").then((each) => held.push(each)),
    ];
    for (let step = 0; step < 5_000; step += 1) {
      clock.ms += between(0, 500);
      choices[between(0, choices.length - 1)]?.(held[between(0, held.length)]);
      await Promise.resolve();
      expect(budget.bytes, `seed ${seed}`).toBeLessThanOrEqual(LIMITS.total);
      expect(budget.bytes, `seed ${seed}`).toBeGreaterThanOrEqual(0);
    }
    for (let round = 0; round < 2_000 && held.length > 0; round += 1) {
      for (const each of held.splice(0)) each.release();
      await turn();
    }
    expect(budget.bytes, `seed ${seed}`).toBe(0);
  });
});
