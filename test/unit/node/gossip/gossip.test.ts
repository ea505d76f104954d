import { describe, expect, it } from "vitest";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import { ConsensusLink } from "#node/gossip/consensus-link.ts";
import { type Bringer, REFUSED_MS, TransactionGossip } from "#node/gossip/transaction-gossip.ts";
import { FIRST_WAIT_MS, WaitingWork, WORK_BYTES } from "#node/gossip/waiting-work.ts";
import type { PeerParty } from "#node/network/peer-network.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ErrorCode } from "#shared/errors/codes.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { deployPadded } from "#test/support/chain/contract-calls.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { alice, bob, signed } from "#test/support/worlds/ledger-world.ts";

const tx = (id: string, signature = `signature of ${id}`): Transaction => ({
  id,
  type: "TRANSFER",
  from: "ab".repeat(32),
  to: "cd".repeat(32),
  amount: 1,
  fee: 1_000,
  payload: "",
  timestamp: "2026-01-01T00:00:00Z",
  signature,
});

/** A pool that refuses some ids, each with its code. */
function pool(refusals: Readonly<Record<string, ErrorCode>> = {}): {
  gossip: TransactionGossip;
  submitted: string[];
  floods: string[];
  forwarded: string[][];
  by(party: string, standing?: PeerParty["standing"]): Bringer;
  state: { isBehind: boolean; nowMs: number };
} {
  const submitted: string[] = [];
  const floods: string[] = [];
  const forwarded: string[][] = [];
  const state = { isBehind: false, nowMs: 0 };
  const known = new Set<string>();
  const gossip = new TransactionGossip({
    submit: ({ id }): Promise<unknown> => {
      submitted.push(id);
      const code = refusals[id];
      if (code !== undefined) return Promise.reject(new CodedError(code, "refused"));
      known.add(id);
      return Promise.resolve();
    },
    isKnown: (id): boolean => known.has(id),
    isBehind: (): boolean => state.isBehind,
    forward: (transactions): void => void forwarded.push(transactions.map(({ id }) => id)),
    clock: { nowMs: (): number => 0, monotonicMs: (): number => state.nowMs },
  });
  const by = (name: string, standing: PeerParty["standing"] = "useful"): Bringer => ({
    party: { name, standing },
    onFlood: () => void floods.push(name),
  });
  return { gossip, submitted, floods, forwarded, by, state };
}

describe("gossip of transactions", () => {
  it("forwards what is new, and ignores what is known", async () => {
    const { gossip, submitted } = pool();
    expect(await gossip.validate([tx("a"), tx("b")])).toBe("accept");
    expect(await gossip.validate([tx("a"), tx("b")])).toBe("ignore");
    expect(await gossip.validate([tx("a"), tx("c")])).toBe("accept");
    expect(submitted).toEqual(["a", "b", "c"]);
  });

  it.each<readonly [ErrorCode, string]>([
    ["TX_MALFORMED", "reject"],
    ["TX_SIGNATURE", "reject"],
    ["TX_ID_MISMATCH", "reject"],
    ["TX_FEE_TOO_LOW", "reject"],
    ["TX_TIMESTAMP", "ignore"],
    ["TX_DUPLICATE", "ignore"],
    ["TX_INSUFFICIENT_BALANCE", "ignore"],
    ["TX_REJECTED", "ignore"],
    ["SENDER_LIMIT", "ignore"],
    ["MEMPOOL_FULL", "ignore"],
    ["LARGE_LIMIT", "ignore"],
  ])("answers %s with %s", async (code, result) => {
    expect(await pool({ bad: code }).gossip.validate([tx("bad")])).toBe(result);
  });

  it("rejects a message for one wrong transaction, and takes the good ones in", async () => {
    const { gossip, submitted } = pool({ bad: "TX_SIGNATURE" });
    expect(await gossip.validate([tx("a"), tx("bad"), tx("b")])).toBe("reject");
    expect(submitted).toEqual(["a", "bad", "b"]);
  });

  it.each<readonly [string, ErrorCode, Transaction["type"]]>([
    ["whose sender cannot pay", "TX_INSUFFICIENT_BALANCE", "TRANSFER"],
    ["that are forbidden", "TX_REJECTED", "TRANSFER"],
    ["whose trial fails", "TX_REJECTED", "CALL_CONTRACT"],
    ["that are too large for now", "LARGE_LIMIT", "DEPLOY_CONTRACT"],
    ["that are wrong", "TX_SIGNATURE", "TRANSFER"],
  ])("sends on what is new, and not the transactions beside it %s: its own peers would blame it for them", async (_, code, type) => {
    const poor = Array.from({ length: 4_000 }, (__, index) => ({ ...tx(`poor ${index}`), type }) as Transaction);
    const refusals = Object.fromEntries(poor.map(({ id }) => [id, code]));
    const [here, there] = [pool(refusals), pool(refusals)];
    for (let second = 0; second < 20; second += 1) {
      for (const each of [here, there]) each.state.nowMs = 1_000 * second;
      const message = [tx(`paid ${second}`), ...poor.slice(200 * second, 200 * (second + 1))];
      const result = await here.gossip.validate(message, here.by("attacker"));
      expect(result).toBe(code === "TX_SIGNATURE" ? "reject" : "ignore");
      const sent = here.forwarded.splice(0).map((ids) => ids.map((id) => tx(id)));
      for (const transactions of sent) expect(await there.gossip.validate(transactions, there.by("honest"))).toBe("accept");
    }
    expect(there.floods).toEqual([]);
    expect(there.submitted).toHaveLength(20);
    if (code !== "TX_SIGNATURE") expect(here.floods.length).toBeGreaterThan(0);
  });

  it("sends on what is new in a message alone when most of it is known", async () => {
    const { gossip, forwarded } = pool();
    await gossip.validate([tx("a"), tx("b"), tx("c")]);
    expect(await gossip.validate([tx("a"), tx("b"), tx("d"), tx("e")])).toBe("accept");
    expect(await gossip.validate([tx("a"), tx("b"), tx("c"), tx("f")])).toBe("ignore");
    expect(forwarded).toEqual([["f"]]);
  });

  it("tries no more calls of a party than it may have refused, under whatever name and however many come at once", async () => {
    const calls = Array.from({ length: 1_024 }, (_, index) => ({ ...tx(`call ${index}`), type: "CALL_CONTRACT" }) as Transaction);
    const { gossip, submitted, floods, by, state } = pool(Object.fromEntries(calls.map(({ id }) => [id, "TX_REJECTED"])));
    for (let at = 0; at < calls.length; at += 256) await gossip.validate(calls.slice(at, at + 256), by("home"));
    expect(submitted).toHaveLength(128);
    expect(floods).toHaveLength(1_024 - 128);
    state.nowMs = 1_000;
    await gossip.validate([...calls.slice(500, 600), { ...tx("paid"), type: "CALL_CONTRACT" } as Transaction], by("home"));
    expect(submitted).toHaveLength(128 + 12);
    await gossip.validate([{ ...tx("paid"), type: "CALL_CONTRACT" } as Transaction], by("elsewhere"));
    expect(submitted.at(-1)).toBe("paid");
  });

  it("tries a bounded number of calls in all, from however many addresses they come, and those of validators beyond it", async () => {
    const { gossip, submitted, floods, by, state } = pool(
      Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`call ${index}`, "TX_REJECTED"])),
    );
    let count = 0;
    const calls = (of: number): Transaction[] =>
      Array.from({ length: of }, () => {
        count += 1;
        return { ...tx(`call ${count}`), type: "SLASH" } as Transaction;
      });
    for (let second = 0; second < 10; second += 1) {
      state.nowMs = 1_000 * second;
      for (let n = 0; n < 16; n += 1) await gossip.validate(calls(120), by(`2001:db8:7:${16 * second + n}::/64`, "stranger"));
    }
    expect([submitted.length, floods]).toEqual([256 + 9 * 24, []]);
    const before = submitted.length;
    await gossip.validate(calls(10), by("honest"));
    await gossip.validate(calls(10), by("validator", "exempt"));
    expect(submitted).toHaveLength(before + 20);
  });

  it("takes transactions in by their order, whatever their types", async () => {
    const { gossip, submitted } = pool();
    const types = ["TRANSFER", "CALL_CONTRACT", "TRANSFER", "TRANSFER", "SLASH", "CALL_CONTRACT", "TRANSFER"] as const;
    await gossip.validate(types.map((type, index) => ({ ...tx(`${index}`), type }) as Transaction));
    expect(submitted).toEqual(types.map((_, index) => `${index}`));
  });

  it("does not check again what was refused, for a while, but another transaction with the same id", async () => {
    const { gossip, submitted, state } = pool({ poor: "TX_INSUFFICIENT_BALANCE" });
    for (let time = 0; time < 3; time += 1) await gossip.validate([tx("poor")]);
    expect(submitted).toEqual(["poor"]);
    await gossip.validate([tx("poor", "another signature")]);
    expect(submitted).toEqual(["poor", "poor"]);
    state.nowMs = REFUSED_MS;
    await gossip.validate([tx("poor")]);
    expect(submitted).toHaveLength(3);
  });

  it.each<readonly [string, ErrorCode]>([
    ["whose senders cannot pay", "TX_INSUFFICIENT_BALANCE"],
    ["that a rule of their type forbids, at no cost for their senders", "TX_REJECTED"],
  ])("reports a peer that brings many %s, and no other", async (_, code) => {
    const poor = Array.from({ length: 2_000 }, (_, index) => `poor ${index}`);
    const { gossip, floods, by, state } = pool(Object.fromEntries(poor.map((id) => [id, code])));
    const bring = async (peer: string, from: number, count: number): Promise<void> => {
      for (const id of poor.slice(from, from + count)) await gossip.validate([tx(id)], by(peer));
    };
    await bring("a", 0, 512);
    await bring("b", 512, 400);
    expect(floods).toEqual([]);
    await bring("a", 912, 1);
    expect(floods).toEqual(["a"]);
    state.nowMs = 1_000;
    await bring("a", 913, 32);
    expect(floods).toEqual(["a"]);
    await bring("a", 945, 1);
    expect(floods).toEqual(["a", "a"]);
  });

  it("reports a peer that brings many calls of contracts that their trial refuses, sooner than for others", async () => {
    const calls = Array.from({ length: 400 }, (_, index) => `call ${index}`);
    const { gossip, floods, by, state } = pool(Object.fromEntries(calls.map((id) => [id, "TX_REJECTED"])));
    const call = (id: string): Transaction => ({ ...tx(id), type: "CALL_CONTRACT" }) as Transaction;
    for (const id of calls.slice(0, 128)) await gossip.validate([call(id)], by("a"));
    for (const id of calls.slice(141)) await gossip.validate([tx(id)], by("b"));
    expect(floods).toEqual([]);
    await gossip.validate([call("call 128")], by("a"));
    expect(floods).toEqual(["a"]);
    state.nowMs = 1_000;
    for (const id of calls.slice(129, 141)) await gossip.validate([call(id)], by("a"));
    expect(floods).toEqual(["a"]);
  });

  it("validates nothing while the node is behind", async () => {
    const { gossip, submitted, state } = pool();
    state.isBehind = true;
    expect(await gossip.validate([tx("a")])).toBe("ignore");
    expect(submitted).toEqual([]);
    state.isBehind = false;
    expect(await gossip.validate([tx("a")])).toBe("accept");
  });

  it("does not hide a failure of the pool", async () => {
    const clock = { nowMs: (): number => 0, monotonicMs: (): number => 0 };
    const submit = (): Promise<never> => Promise.reject(new Error("disk"));
    const gossip = new TransactionGossip({ submit, isKnown: () => false, isBehind: () => false, forward: () => undefined, clock });
    await expect(gossip.validate([tx("a")])).rejects.toThrow("disk");
  });
});

describe("work that waits", () => {
  const world = (): {
    time: VirtualTime;
    sent: number[];
    work: WaitingWork;
    state: { height: number; first: number; pending: number; isBehind: boolean };
  } => {
    const time = new VirtualTime();
    const sent: number[] = [];
    const state = { height: 5, first: 0, pending: 0, isBehind: false };
    const transactions = Array.from({ length: 120 }, (_, index) =>
      signed(alice, { type: "TRANSFER", to: bob.pub, amount: index + 1, payload: {} }),
    );
    const work = new WaitingWork({
      timers: time,
      height: (): number => state.height,
      pending: (): readonly Transaction[] => transactions.slice(state.first, state.first + state.pending),
      isBehind: (): boolean => state.isBehind,
      send: (_, transactions): void => void sent.push(transactions.length),
    });
    return { time, sent, work, state };
  };

  it("is sent after a while, then at growing intervals, at most 64 at once", () => {
    const { time, sent, work, state } = world();
    state.pending = 100;
    work.notify();
    time.advance(FIRST_WAIT_MS - 1);
    expect(sent).toEqual([]);
    time.advance(1);
    expect(sent).toEqual([64]);
    time.advance(2 * FIRST_WAIT_MS);
    expect(sent).toHaveLength(2);
    time.advance(60_000);
    expect(sent.length).toBeLessThan(8);
  });

  it("is sent within a number of bytes, the oldest transaction in any case", () => {
    const time = new VirtualTime();
    const sent: (readonly Transaction[])[] = [];
    const large = [0, 1, 2].map((salt) => deployPadded(alice, 262_144, { salt }));
    const small = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {} });
    let pending: readonly Transaction[] = large;
    const send = (_: number, transactions: readonly Transaction[]): void => void sent.push(transactions);
    const work = new WaitingWork({ timers: time, height: () => 1, pending: () => pending, isBehind: () => false, send });
    work.notify();
    time.advance(FIRST_WAIT_MS);
    pending = [small, ...large];
    time.advance(2 * FIRST_WAIT_MS);
    expect(sent.map((transactions) => transactions.map(({ id }) => id))).toEqual([[large[0]?.id], [small.id, large[0]?.id]]);
    expect(WORK_BYTES).toBeGreaterThan(encodeTransaction(large[0] ?? small).length);
    work.stop();
  });

  it("is not sent while blocks come, or while the node is behind", () => {
    const { time, sent, work, state } = world();
    state.pending = 1;
    work.notify();
    for (let block = 0; block < 10; block += 1) {
      state.height += 1;
      state.first += 1;
      work.notify();
      time.advance(FIRST_WAIT_MS);
    }
    state.isBehind = true;
    time.advance(10_000);
    expect(sent).toEqual([]);
  });

  it("is sent when blocks come without it", () => {
    const { time, sent, work, state } = world();
    state.pending = 1;
    work.notify();
    for (let block = 0; block < 7; block += 1) {
      time.advance(FIRST_WAIT_MS);
      state.height += 1;
    }
    // After 1, 3 and 7 seconds.
    expect(sent).toEqual([1, 1, 1]);
  });

  it("is sent soon when a new peer is there", () => {
    const { time, sent, work, state } = world();
    state.pending = 1;
    work.notify();
    work.retrySoon();
    time.advance(15 * FIRST_WAIT_MS);
    expect(sent).toHaveLength(4);
    work.retrySoon();
    time.advance(FIRST_WAIT_MS);
    expect(sent).toHaveLength(5);
    state.pending = 0;
    time.advance(60_000);
    work.retrySoon();
    expect(time.pending).toBe(0);
  });

  it("needs no timer when nothing is pending, and none after its end", () => {
    const { time, work, state } = world();
    work.notify();
    time.advance(FIRST_WAIT_MS);
    expect(time.pending).toBe(0);
    state.pending = 1;
    work.notify();
    work.stop();
    work.notify();
    expect(time.pending).toBe(0);
  });
});

describe("the link between engine and network", () => {
  const message: ConsensusMessage = { type: "work", height: 1, transactions: [] };

  it("drops what is sent before and after there is a network", () => {
    const link = new ConsensusLink();
    const sent: ConsensusMessage[] = [];
    link.broadcast(message);
    link.attach({ sendConsensus: (sending): void => void sent.push(sending) });
    link.broadcast(message);
    link.attach(null);
    link.broadcast(message);
    expect(sent).toEqual([message]);
  });

  it("hands over what comes in until the receiver leaves", () => {
    const link = new ConsensusLink();
    const received: ConsensusMessage[] = [];
    const leave = link.onMessage((receiving) => received.push(receiving));
    link.deliver(message);
    leave();
    link.deliver(message);
    expect(received).toEqual([message]);
  });
});
