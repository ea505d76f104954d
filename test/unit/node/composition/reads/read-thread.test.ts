// Heavy reads on their thread: the same answers, a line with an end, a thread that dies, an orderly stop, and one snapshot a response.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { formatEvents } from "#node/api/events/event-chunk.ts";
import type { HeavyReads } from "#node/api/heavy-operations.ts";
import { createApiServer } from "#node/api/server.ts";
import { createReadThread, READ_THREAD_LIMITS, type ReadThread, type ReadThreadLimits } from "#node/composition/reads/read-thread.ts";
import { type Reader, startReadWorker } from "#node/composition/reads/reader.ts";
import { lightResponseCodec } from "#node/light/wire/light-responses.ts";
import { openChainReader } from "#node/storage/chain/chain-reader.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { verifyStateProof } from "#shared/protocol/chain/state-proof.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { CONTRACTS_GENESIS, callNative } from "#test/support/chain/contract-calls.ts";
import { openTestChain } from "#test/support/chain/test-chain.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { workerOf } from "#test/support/host/worker-source.ts";
import { workerFile } from "#test/support/nodes/node-program.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, deviceKey, START_MS, signed } from "#test/support/worlds/ledger-world.ts";

const WORKER = workerFile("node/composition/reads/read-worker.ts");
const MAX_U64 = "18446744073709551615";

/** A thread that runs the given source, under a clock that the test moves. */
function threadOf(source: string, limits?: ReadThreadLimits): { readonly thread: ReadThread; advance(ms: number): void } {
  let passedMs = 0;
  const clock = { nowMs: (): number => passedMs, monotonicMs: (): number => passedMs };
  const parts = { start: (): Reader => startReadWorker(workerOf(source), "somewhere"), clock };
  return {
    thread: createReadThread(limits === undefined ? parts : { ...parts, limits }),
    advance: (ms): void => {
      passedMs += ms;
    },
  };
}

const ENDS = "parentPort.on('message', (question) => question === undefined && parentPort.close());";
const ECHO = `parentPort.on('message', (question) => question === undefined ? parentPort.close()
  : parentPort.postMessage({ id: question.id, text: JSON.stringify([workerData, question.operation, question.input]) }));`;

describe("responses of the thread", () => {
  let world: ApiWorld;
  let thread: ReadThread;
  let txId: string;
  beforeAll(async () => {
    world = await createApiWorld({ genesis: CONTRACTS_GENESIS });
    const txs = [
      callNative(alice, "username_registry", "register", { args: ["alice"], amountUt: 10_000 }),
      callNative(alice, "tokens", "issue", { args: ["tea", "Tea", "TEA", 2, MAX_U64] }),
      callNative(alice, "nfts", "mint", { args: ["cup", "Cup", "{}"] }),
      callNative(bob, "nfts", "mint", { args: ["cup", "Too late", ""] }),
      signed(alice, { type: "CONTACT_REQUEST", to: bob.pub, amount: 5_000, payload: { intro: "hi" } }),
      signed(alice, { type: "ADD_VALIDATOR", payload: { pub_key: alice.pub } }),
      signed(bob, { type: "REGISTER_RELAY", payload: { x25519_pub_key: deviceKey(51), fee_per_msg_ut: 3 } }),
      signed(alice, {
        type: "OPEN_PAY_CHAN",
        to: bob.pub,
        amount: 5,
        payload: { channel_id: "ab".repeat(16), expires_at: START_MS / 1000 + 3_600 },
      }),
    ];
    txId = txs[0]?.id ?? "";
    for (const tx of txs) await world.services.mempool.submit(tx, world.clock.nowMs());
    world.commit();
    thread = createReadThread({ start: () => startReadWorker(WORKER, world.directory), clock: world.clock });
  });
  afterAll(async () => {
    await thread.stop();
    await world[Symbol.asyncDispose]();
  });

  it.each([
    `/api/address/${alice.pub}?limit=500`,
    `/api/address/${formatAddress(bob.pub)}?offset=2000`,
    `/v2/chain/accounts/${alice.pub}/transactions?limit=500`,
    `/api/node/${bob.pub}?window=5000`,
    "/api/block/1",
    "/api/block/9",
    "/api/block/hash/:hash",
    "/api/charts?resolution=day",
    "/api/validators/proposals",
    `/api/channels?account=${bob.pub}`,
    "/api/channels?account=x",
    `/relay/contacts?pub=${bob.pub}`,
    `/relay/contacts/sent?pub=${alice.pub}`,
    "/api/contracts?limit=2",
    "/api/tokens",
    "/api/nfts",
    `/api/nfts/owner/${alice.pub}`,
    "/api/nfts/owner/x",
    "/api/relays",
    "/api/relays?after=x",
    "/api/proofs/tx/:tx",
    "/api/proofs/tx/none",
    "/api/search?q=ali",
    "/api/search?q=%20",
  ])("are those of the main thread: %s", async (path) => {
    const [newest] = await world.services.explorer.listBlocks({ limit: 1 });
    const url = path.replace(":tx", txId).replace(":hash", newest?.hash ?? "");
    const asked: string[] = [];
    const heavyReads: HeavyReads = {
      read: (operation, input, caller) => {
        asked.push(operation);
        return thread.read(operation, input, caller);
      },
    };
    await using beside = await createApiServer({ listenHost: "127.0.0.1" }, { ...world.services, heavyReads }).then((server) => ({
      app: server.app,
      [Symbol.asyncDispose]: () => server.close(),
    }));
    const [here, there] = [await world.server.app.inject(url), await beside.app.inject(url)];
    expect([there.statusCode, there.headers["content-type"], there.json()]).toEqual([
      here.statusCode,
      here.headers["content-type"],
      here.json(),
    ]);
    expect(asked).toHaveLength(1);
    if (path === "/api/tokens") expect(there.body).toContain(`"supply":${MAX_U64}`);
  });

  it("are proofs for light nodes, too", async () => {
    const request = { kind: "records", keys: [{ namespace: "account", key: fromHex(alice.pub) }] } as const;
    const response = tryDecode(lightResponseCodec, await thread.readLight(request));
    if (response?.kind !== "records") throw new Error("Records were expected");
    const [record] = response.records;
    const claim = { namespace: "account", key: fromHex(alice.pub), value: record?.value };
    expect(record !== undefined && verifyStateProof(fromHex(response.at.header.stateRoot), claim, record.proof)).toBe(true);
    const [there, here] = [await thread.readLight({ kind: "body", height: 99 }), encode(lightResponseCodec, { kind: "unknown" })];
    expect(Buffer.from(there).equals(here)).toBe(true);
  });

  it("show a block as soon as it is committed", async () => {
    for (let height = 2; height < 5; height += 1) {
      await world.services.mempool.submit(signed(bob, { type: "TRANSFER", to: alice.pub, amount: 1, payload: {} }), world.clock.nowMs());
      world.commit();
      const { text } = await thread.read("getBlock", { index: height });
      expect(JSON.parse(text)).toMatchObject({ index: height, tx_count: 1 });
    }
  });

  it("are events for readers that catch up, as the main thread makes them", async () => {
    for (let n = 0; n < 3; n += 1) {
      world.clock.advance(60_000);
      world.commit();
    }
    const caller = { isOwn: false };
    const tip = world.executor.tip().height;
    for (const position of [
      { height: 0, skip: 0 },
      { height: 1, skip: 3 },
      { height: 1, skip: 99 },
      { height: tip, skip: 0 },
    ]) {
      const chunk = await thread.readEvents?.(position, caller);
      const blocks = await Promise.all(
        Array.from({ length: tip + 1 - position.height }, (_, n) => world.services.explorer.getBlock(position.height + n)),
      );
      const texts = blocks.flatMap((block, n) => (block === undefined ? [] : formatEvents(block).slice(n === 0 ? position.skip : 0)));
      expect([Buffer.from(chunk?.bytes ?? []).toString(), chunk?.next]).toEqual([texts.join(""), tip + 1]);
    }
    expect(await thread.readEvents?.({ height: tip + 1, skip: 0 }, caller)).toBeUndefined();
  });
});

describe("the line of reads", () => {
  it("is answered in order", async () => {
    const { thread } = threadOf(ECHO);
    const responses = await Promise.all([1, 2, 3, 4, 5].map((n) => thread.read("search", { q: String(n) })));
    expect(responses.map(({ text }) => JSON.parse(text))).toEqual([1, 2, 3, 4, 5].map((n) => ["somewhere", "search", { q: String(n) }]));
    await thread.stop();
  });

  it("has an end: more are refused at once", async () => {
    const { thread } = threadOf(ENDS, { ...READ_THREAD_LIMITS, waitingReads: 3 });
    const asked = Array.from({ length: 5 }, () => thread.read("getChart", {}).catch((error: unknown) => error));
    await expect(thread.read("getChart", {})).rejects.toMatchObject({ code: "BUSY", status: 503 });
    await thread.stop();
    for (const response of await Promise.all(asked)) expect(response).toMatchObject({ code: "UNAVAILABLE" });
  });

  it("refuses the address that asks most as such, and serves the others", async () => {
    const { thread, advance } = threadOf(ENDS, { waitingReads: 4, waitingReadsPerAddress: 4, readTimeoutMs: 700, idleMs: 1_000 });
    const codes: string[] = [];
    const ask = (address: string, isOwn = false): Promise<unknown> =>
      thread.read("getChart", {}, { address, isOwn, onHangUp: () => undefined }).catch((error: { code: string; status: number }) => {
        codes.push(`${address} ${error.code} ${error.status}`);
      });
    // Two are under way, four wait.
    const asked = Array.from({ length: 6 }, () => ask("flood"));
    asked.push(ask("flood"), ask("single"), ask("program", true), ask("other"));
    await Promise.resolve();
    await Promise.resolve();
    expect(codes).toEqual(Array.from({ length: 4 }, () => "flood RATE_LIMITED 429"));
    advance(700);
    await Promise.all(asked);
    const left = ["flood RATE_LIMITED 429", "flood RATE_LIMITED 429", "flood RATE_LIMITED 429"];
    expect(codes.slice(4).sort()).toEqual([...left, "other BUSY 503", "program BUSY 503", "single BUSY 503"]);
    await thread.stop();
  });

  it("loses those who hang up, but not what the thread was asked already", async () => {
    const { thread } = threadOf(ECHO, { ...READ_THREAD_LIMITS, waitingReads: 3 });
    const hangUps: (() => void)[] = [];
    const asked = [1, 2, 3, 4, 5].map((n) =>
      thread.read("search", { q: String(n) }, { onHangUp: (listener) => void hangUps.push(listener) }).then(({ text }) => text, String),
    );
    expect(hangUps).toHaveLength(3);
    const refused = thread.read("search", {});
    hangUps[1]?.();
    const next = thread.read("search", { q: "6" });
    await expect(refused).rejects.toMatchObject({ code: "BUSY" });
    expect(await asked[3]).toContain("hung up");
    expect((await next).text).toContain('"6"');
    expect((await Promise.all(asked)).map((text) => /"q":"(\d)"/.exec(text)?.[1])).toEqual(["1", "2", "3", undefined, "5"]);
    hangUps[0]?.();
    await thread.stop();
  });

  it("gives up what takes too long, and ignores a late response", async () => {
    const late = `parentPort.on('message', (question) => {
      if (question === undefined) return parentPort.close();
      if (question.input.isFast) parentPort.postMessage({ id: question.id, text: '"fast"' });
      else setTimeout(() => parentPort.postMessage({ id: question.id, text: '"late"' }), 1_000);
    });`;
    const { thread, advance } = threadOf(late, { ...READ_THREAD_LIMITS, readTimeoutMs: 700 });
    const slow = thread.read("search", {});
    advance(699);
    const fast = thread.read("search", { isFast: true });
    advance(1);
    await expect(slow).rejects.toMatchObject({ code: "BUSY" });
    expect((await fast).text).toBe('"fast"');
    await thread.stop();
  });

  it("continues with another thread when one dies", async () => {
    const dies = `parentPort.on('message', (question) => question === undefined ? parentPort.close()
      : question.input.isLast ? process.exit(3) : parentPort.postMessage({ id: question.id, text: "1" }));`;
    const { thread } = threadOf(dies);
    expect((await thread.read("search", {})).text).toBe("1");
    await expect(thread.read("search", { isLast: true })).rejects.toThrow("exit code 3");
    expect((await thread.read("search", {})).text).toBe("1");
    await thread.stop();
  });

  it("waits longer and longer before it starts another one when one soon after the other dies", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    try {
      const died: (() => void)[] = [];
      const killed: number[] = [];
      const start = (): Reader => {
        const number = died.length;
        return {
          post: () => undefined,
          onResponse: () => undefined,
          onEnd: (listener): void => {
            died[number] = died[number] ?? ((): void => listener(new Error("died")));
          },
          holdProcess: () => undefined,
          kill: () => void killed.push(number),
        };
      };
      const clock = { nowMs: () => Date.now(), monotonicMs: () => elapsedMs };
      let elapsedMs = 0;
      const trial = { bytes: new Uint8Array(0), nowMs: 0 };
      const known = { tip: { chainId: "", height: 0, timeMs: 0 }, records: [] };
      const limits = { ...READ_THREAD_LIMITS, readTimeoutMs: 600_000, underWay: 1, runTimeoutMs: 1_000 };
      const thread = createReadThread({ start, clock, limits, onEnd: () => new CodedError("UNAVAILABLE", "It died") });
      const reads = Array.from({ length: 6 }, () => thread.read("search", {}).catch((error: unknown) => error));
      const starts: number[] = [];
      for (let end = 0; end < 5; end += 1) {
        starts.push(died.length);
        died.at(-1)?.();
        expect(await reads[end]).toMatchObject({ code: "UNAVAILABLE" });
        if (end === 0) continue;
        expect(died.length).toBe(end + 1);
        // Submissions do not wait for it.
        for (const trying of [thread.readTrial(trial), thread.readPass({ task: { trial }, known })])
          await expect(trying).rejects.toMatchObject({ code: "BUSY" });
        vi.advanceTimersByTime(50 * 2 ** end - 1);
        expect(died.length).toBe(end + 1);
        vi.advanceTimersByTime(1);
      }
      expect(starts).toEqual([1, 2, 3, 4, 5]);
      elapsedMs = 999;
      vi.advanceTimersByTime(1_000);
      expect(killed).toEqual([]);
      elapsedMs = 1_000;
      vi.advanceTimersByTime(1_000);
      expect(new Set(killed)).toEqual(new Set([5]));
      died.at(-1)?.();
      expect(await reads[5]).toMatchObject({ code: "UNAVAILABLE" });
      await thread.stop();
    } finally {
      vi.useRealTimers();
    }
  });

  it("refuses what it cannot start a thread for, and starts one later", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    try {
      let starts = 0;
      let respond: ((response: { readonly id: number; readonly text: string }) => void) | undefined;
      const start = (): Reader => {
        starts += 1;
        if (starts <= 3) throw new Error("spawn ENOMEM");
        return {
          post: (request) => respond?.({ id: request?.id ?? 0, text: "late" }),
          onResponse: (listener): void => {
            respond = listener;
          },
          onEnd: (): void => undefined,
          holdProcess: () => undefined,
        };
      };
      const clock = { nowMs: (): number => 0, monotonicMs: (): number => 0 };
      const thread = createReadThread({ start, clock, onEnd: () => new CodedError("UNAVAILABLE", "It died") });
      const reads = Array.from({ length: 4 }, () =>
        thread.read("search", {}).then(
          ({ text }) => text,
          ({ code }: CodedError) => code,
        ),
      );
      expect([await reads[0], await reads[1], starts]).toEqual(["UNAVAILABLE", "UNAVAILABLE", 2]);
      // Of those that nothing waits for no error reaches the process either.
      vi.advanceTimersByTime(100);
      expect([await reads[2], starts]).toEqual(["UNAVAILABLE", 3]);
      vi.advanceTimersByTime(200);
      expect([await reads[3], starts]).toEqual(["late", 4]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("ends its thread when nothing was asked for a while, and starts another when something is", async () => {
    const tells = `import { threadId } from "node:worker_threads";
      parentPort.on('message', (question) => question === undefined ? parentPort.close()
        : parentPort.postMessage({ id: question.id, text: String(threadId) }));`;
    const { thread } = threadOf(tells, { ...READ_THREAD_LIMITS, idleMs: 5 });
    const ask = async (): Promise<string> => (await thread.read("search", {})).text;
    const first = await ask();
    await pollUntil(async () => (await ask()) !== first, { intervalMs: 50 });
    const lasting = threadOf(tells);
    const same = (await lasting.thread.read("search", {})).text;
    expect((await lasting.thread.read("search", {})).text).toBe(same);
    await Promise.all([thread.stop(), lasting.thread.stop()]);
  });

  it("tells a failure inside as one, and refuses everything once stopped", async () => {
    const fails = `parentPort.on('message', (question) => question === undefined ? parentPort.close()
      : parentPort.postMessage({ id: question.id, failure: new Error("disk") }));`;
    const { thread } = threadOf(fails);
    await expect(thread.read("search", {})).rejects.toThrow("disk");
    await thread.stop();
    await expect(thread.read("search", {})).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await thread.stop();
  });

  it("refuses each read of a folder that cannot be opened", async () => {
    const thread = createReadThread({ start: () => startReadWorker(WORKER, "/nowhere"), clock: { nowMs: () => 0, monotonicMs: () => 0 } });
    await expect(thread.read("search", { q: "a" })).rejects.toThrow();
    await expect(thread.read("search", { q: "a" })).rejects.toThrow();
    await thread.stop();
  });
});

describe("a reading connection", () => {
  it("sees within one snapshot what it saw first, and cannot write", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openTestChain(folder.path);
    chain.commit([signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {} })]);
    const reader = openChainReader(folder.path);
    await reader.inSnapshot(async () => {
      expect(reader.blocks.tipHeight()).toBe(1);
      chain.commit([signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {} })]);
      await Promise.resolve();
      expect([reader.blocks.tipHeight(), reader.explorer.recentTransactions(9).length]).toEqual([1, 1]);
    });
    await pollUntil(() => reader.blocks.tipHeight() === 2);
    await expect(reader.inSnapshot(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(() => reader.explorer.removeAbove(0)).toThrow(/readonly/);
    reader.close();
  });
});
