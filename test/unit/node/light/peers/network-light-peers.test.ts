// Requests to peers over time that the test moves: who is asked first, how many at once, how fast, and what becomes of silent ones.
import { describe, expect, it } from "vitest";
import { LIGHT_LIMITS } from "#node/light/light-limits.ts";
import { NetworkLightPeers } from "#node/light/peers/network-light-peers.ts";
import { lightResponseCodec } from "#node/light/wire/light-responses.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import type { PeerOffence, PeerView } from "#node/network/peer-network.ts";
import { encode } from "#shared/codec/codec.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { MAX_VALIDATORS } from "#shared/protocol/primitives/limits.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { blockOf, constantSets, lightChain, untrusted } from "#test/support/worlds/light-world.ts";

const CHAIN = lightChain(constantSets([1, 2], 6));
const BODY = { kind: "body", height: 1 } as const;
const UNKNOWN = encode(lightResponseCodec, { kind: "unknown" });
const { requestsPerPeer, waitingRequests, responseMs, requestBurst, requestsPerSecond } = LIGHT_LIMITS;

/** What peers do is in the hands of the test. */
class Bench {
  readonly time = new VirtualTime();
  readonly reports: string[] = [];
  /** Ways to answer, in the order of the requests. */
  readonly open: ((response: Uint8Array) => void)[] = [];
  readonly views: PeerView[] = [];
  asked = 0;
  /** Bytes that each response may have. */
  readonly most: (number | undefined)[] = [];
  readonly peers = new NetworkLightPeers({
    network: {
      peers: (): readonly PeerView[] => this.views,
      report: (peer: string, offence: PeerOffence): void => void this.reports.push(`${peer} ${offence}`),
      requestLight: (_peer, { responseBytes }): Promise<Uint8Array> => {
        this.asked += 1;
        this.most.push(responseBytes);
        return new Promise((resolve) => this.open.push(resolve));
      },
    },
    clock: this.time.clock(0),
    timers: this.time,
  });

  join(name: string, height: number, firstHeight = 1): void {
    const nothing = { nodeKey: null, address: "", isRelayed: false, version: null, apiVersion: null, connectedAtMs: 0, latencyMs: null };
    this.views.push({ name, direction: "outbound", score: 0, status: { height, tipHash: "", firstHeight }, ...nothing });
  }

  /** Answers the request that waits longest. */
  async respond(response: Uint8Array): Promise<void> {
    await this.pass(0);
    this.open.shift()?.(response);
  }

  /** Lets time pass, and what waits for it continue. */
  async pass(ms: number): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.time.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const isBusy = (error: unknown): boolean => isCodedError(error, "BUSY");
const hasFailed = (error: unknown): boolean => isCodedError(error, "UPSTREAM_FAILED");

describe("peers of a light node", () => {
  it("are those with blocks: the highest of those that proved something first, then who was not asked for longest", async () => {
    const bench = new Bench();
    bench.join("light", 99, 100);
    bench.join("low", 5);
    bench.join("a", 9);
    bench.join("b", 9);
    bench.views.push({ ...(bench.views[0] as PeerView), name: "new", status: null });
    const names = (): readonly string[] => bench.peers.peers().map(({ name }) => name);
    for (const name of ["low", "a", "b"]) bench.peers.noteProven(name);
    expect(names()).toEqual(["a", "b", "low"]);
    const asking = bench.peers.ask("a", BODY);
    expect(names()).toEqual(["b", "a", "low"]);
    await bench.respond(UNKNOWN);
    expect(await asking).toEqual({ kind: "unknown" });
  });

  it("may be at genesis, unlike light nodes there", () => {
    const bench = new Bench();
    bench.join("new", 0);
    bench.join("light", 0, 2);
    expect(bench.peers.peers()).toEqual([{ name: "new", height: 0, firstHeight: 1, firstHeader: 1, isProven: false }]);
  });

  it("that do not answer in time pay and are asked last for a while", async () => {
    const bench = new Bench();
    bench.join("silent", 9);
    bench.join("other", 5);
    for (const name of ["silent", "other"]) bench.peers.noteProven(name);
    const asking = expect(bench.peers.ask("silent", BODY)).rejects.toSatisfy(hasFailed);
    await bench.pass(responseMs);
    await asking;
    expect(bench.reports).toEqual(["silent unresponsive"]);
    expect(bench.peers.peers().map(({ name }) => name)).toEqual(["other", "silent"]);
    await bench.pass(30_000);
    // It has to prove something again.
    expect(bench.peers.peers()).toEqual([
      { name: "other", height: 5, firstHeight: 1, firstHeader: 1, isProven: true },
      { name: "silent", height: 9, firstHeight: 1, firstHeader: 1, isProven: false },
    ]);
    expect(bench.time.pending).toBe(0);
  });

  it("that are new win nothing by claims, however many they are, and are asked in turn", async () => {
    const bench = new Bench();
    bench.join("honest", 9);
    for (let n = 0; n < 20; n += 1) bench.join(`fresh ${n}`, 1_000_000 + n);
    const first = (): string | undefined => bench.peers.peers()[0]?.name;
    expect(first()).toBe("honest");
    void bench.peers.ask("honest", BODY).catch(() => undefined);
    expect(first()).toBe("fresh 0");
    bench.peers.noteProven("honest");
    expect(first()).toBe("honest");
    bench.peers.report("honest", "lie");
    expect(first()).toBe("fresh 0");
    // What was on its way when it was found to lie restores nothing.
    bench.peers.noteProven("honest");
    expect(bench.peers.peers().at(-1)).toMatchObject({ name: "honest", isProven: false });
  });

  it("may respond with no more bytes than an honest response has", async () => {
    const bench = new Bench();
    bench.join("a", 9);
    const blocks = { kind: "blocks", from: 1, count: 1 } as const;
    const fork = { first: untrusted(blockOf(CHAIN, 1)), second: untrusted(blockOf(CHAIN, 2)) };
    const one = [{ kind: "block", height: 1, knownSet: null } as const, { kind: "header", height: 1 } as const];
    for (const request of [blocks, { ...blocks, count: 64 }, { kind: "fork", ...fork } as const, BODY, ...one])
      void bench.peers.ask("a", request).catch(() => undefined);
    await bench.pass(0);
    const { lightBlockBytes, messageBytes } = LIGHT_LIMITS;
    const expected = [
      messageBytes + lightBlockBytes,
      messageBytes + 64 * lightBlockBytes,
      messageBytes,
      NETWORK_LIMITS.light.responseBytes,
      messageBytes + lightBlockBytes,
      messageBytes,
    ];
    expect(bench.most).toEqual(expected);
    // A block of the largest set fits.
    const validators = Array.from({ length: MAX_VALIDATORS }, (_, n) => ({
      publicKey: n.toString(16).padStart(64, "f"),
      bondUt: Number.MAX_SAFE_INTEGER,
    }));
    const { header } = blockOf(CHAIN, 1);
    const signatures = validators.map(() => new Uint8Array(64));
    const bitmap = new Uint8Array(Math.ceil(MAX_VALIDATORS / 8)).fill(255);
    const commit = { height: header.height, round: 1_000_000, blockHash: "ff".repeat(32), bitmap, signatures };
    const largest = { header: { ...header, chainId: "c".repeat(64), timeMs: Number.MAX_SAFE_INTEGER }, commit, validators };
    expect(encode(lightResponseCodec, { kind: "blocks", blocks: [largest] }).length).toBeLessThan(lightBlockBytes);
  });

  it("are not to blame for requests that were given up", async () => {
    const bench = new Bench();
    bench.join("a", 9);
    const giveUp = new AbortController();
    const asking = expect(bench.peers.lightBlock("a", 1, giveUp.signal)).rejects.toSatisfy(hasFailed);
    await bench.pass(1);
    giveUp.abort();
    await asking;
    expect(bench.reports).toEqual([]);
    expect(bench.time.pending).toBe(0);
  });

  it("get few requests at once, and those that wait have an end", async () => {
    const bench = new Bench();
    const asked = Array.from({ length: requestsPerPeer + 2 }, () => bench.peers.ask("a", BODY));
    await bench.pass(0);
    expect(bench.asked).toBe(requestsPerPeer);
    void bench.peers.ask("b", BODY).catch(() => undefined);
    await bench.pass(0);
    expect(bench.asked).toBe(requestsPerPeer + 1);
    await bench.respond(UNKNOWN);
    expect(await asked[0]).toEqual({ kind: "unknown" });
    await bench.pass(1);
    expect(bench.asked).toBe(requestsPerPeer + 2);
    const outcomes = Promise.allSettled(asked);
    await bench.pass(responseMs);
    // The one that waited the whole time was never asked.
    expect((await outcomes).map((outcome) => outcome.status === "rejected" && isBusy(outcome.reason))).toEqual([
      ...Array.from({ length: requestsPerPeer + 1 }, () => false),
      true,
    ]);
    expect(bench.asked).toBe(requestsPerPeer + 2);
  });

  it("get no more requests than they take, and no more wait than the limit", async () => {
    const bench = new Bench();
    let answered = 0;
    const ask = async (): Promise<void> => {
      await bench.peers.ask("a", BODY);
      answered += 1;
    };
    for (let n = 0; n < requestBurst; n += 1) {
      const asking = ask();
      await bench.respond(UNKNOWN);
      await asking;
    }
    const more = Array.from({ length: waitingRequests }, () => ask().catch((error: unknown) => error));
    await bench.pass(0);
    expect(bench.asked).toBe(requestBurst);
    await expect(bench.peers.ask("b", BODY)).rejects.toSatisfy(isBusy);
    for (let n = 0; n < 10; n += 1) {
      await bench.pass(100);
      for (const response of bench.open.splice(0)) response(UNKNOWN);
    }
    await bench.pass(0);
    expect(answered - requestBurst).toBeGreaterThan(0.8 * requestsPerSecond);
    expect(answered - requestBurst).toBeLessThanOrEqual(requestsPerSecond);
    await bench.pass(responseMs);
    for (const response of bench.open.splice(0)) response(UNKNOWN);
    expect((await Promise.all(more)).filter(isBusy).length).toBeGreaterThan(0);
  });

  it.each([
    ["too many blocks", [3, 4, 5], "a malformed"],
    ["a gap", [3, 5], "a malformed"],
    ["other blocks", [2, 3], "a malformed"],
    ["what was asked for", [3, 4], undefined],
    ["fewer", [3], undefined],
    ["none", [], undefined],
  ] as const)("that answer with %s", async (_, heights, report) => {
    const bench = new Bench();
    const asking = bench.peers.lightBlocks("a", 3, 2, new AbortController().signal).catch((error: unknown) => error);
    await bench.respond(encode(lightResponseCodec, { kind: "blocks", blocks: heights.map((height) => untrusted(blockOf(CHAIN, height))) }));
    const response = await asking;
    if (report === undefined) expect(response).toEqual(heights.map((height) => untrusted(blockOf(CHAIN, height))));
    else expect(hasFailed(response)).toBe(true);
    expect(bench.reports).toEqual(report === undefined ? [] : [report]);
  });

  const { header, commit, validators } = untrusted(blockOf(CHAIN, 3));
  const [known, other] = [
    { hash: header.validatorsHash, validators },
    { hash: "ab".repeat(32), validators },
  ];

  it.each([
    ["a block with its set", known, { kind: "block", header, commit, validators }, undefined],
    ["a block without the set that is known", known, { kind: "block", header, commit, validators: null }, undefined],
    ["a block without another set than the known one", other, { kind: "block", header, commit, validators: null }, "a malformed"],
    ["a block without its set, of which none is known", undefined, { kind: "block", header, commit, validators: null }, "a malformed"],
    ["a block of another height", known, { ...untrusted(blockOf(CHAIN, 4)), kind: "block" }, "a malformed"],
  ] as const)("that answer with %s", async (_, set, answer, report) => {
    const bench = new Bench();
    const asking = bench.peers.lightBlock("a", 3, new AbortController().signal, set).catch((error: unknown) => error);
    await bench.respond(encode(lightResponseCodec, answer));
    if (report === undefined) expect(await asking).toEqual({ header, commit, validators });
    else expect(hasFailed(await asking)).toBe(true);
    expect(bench.reports).toEqual(report === undefined ? [] : [report]);
  });

  it.each([
    [3, "the header", undefined],
    [4, "another header", "a malformed"],
  ])("that answer with header %s: %s", async (height, _, report) => {
    const bench = new Bench();
    const asking = bench.peers.header("a", 3, new AbortController().signal).catch((error: unknown) => error);
    await bench.respond(encode(lightResponseCodec, { kind: "header", header: blockOf(CHAIN, height).header }));
    if (report === undefined) expect(await asking).toEqual(header);
    else expect(hasFailed(await asking)).toBe(true);
    expect(bench.reports).toEqual(report === undefined ? [] : [report]);
  });

  it("that have no block or header of a height are not to blame", async () => {
    const bench = new Bench();
    const { signal } = new AbortController();
    const asking = Promise.all([bench.peers.lightBlock("a", 9, signal, known), bench.peers.header("a", 9, signal)]);
    await bench.respond(UNKNOWN);
    await bench.respond(UNKNOWN);
    expect(await asking).toEqual([undefined, undefined]);
    expect(bench.reports).toEqual([]);
  });
});
