// A real signer on a socket and on a port, and everything that can be wrong at its door.
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseSignerAddress, type SignerAddress } from "#node/config/signer-address.ts";
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { seatSignBytes } from "#node/network/wire/seat.ts";
import { createLog } from "#node/observability/log.ts";
import { startSigner } from "#node/signer/run-signer.ts";
import type { SignerListener } from "#node/signer/server/signer-listener.ts";
import { initSigner, signerPaths } from "#node/signer/signer-folder.ts";
import { SIGNER_LIMITS } from "#node/signer/signer-limits.ts";
import { createTlsIdentity, type TlsIdentity } from "#node/signer/tls/self-signed-certificate.ts";
import { fingerprintOf } from "#node/signer/tls/tls-files.ts";
import { FrameReader, frameOf } from "#node/signer/wire/frames.ts";
import { decodeAnswer, requestFrame, type SignerAnswer, type SignRequest } from "#node/signer/wire/messages.ts";
import { voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { walletSignBytes } from "#shared/protocol/transactions/authorisations.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";

const CHAIN = "parley-1";
const [ONE, TWO] = ["11".repeat(32), "22".repeat(32)];
/** The key of the signer. */
const OWN = createValidatorSigner(new Uint8Array(32).fill(5)).publicKey;
const [A, B] = ["aa".repeat(32), "bb".repeat(32)];

/** One side of a connection, with what came back. */
class Visitor {
  readonly answers: (SignerAnswer | undefined)[] = [];
  isClosed = false;
  readonly #socket: Socket;
  readonly #reader = new FrameReader();

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.isClosed = true;
    });
    socket.on("data", (piece: Buffer) => this.answers.push(...(this.#reader.take(piece) ?? []).map((body) => decodeAnswer(body))));
  }

  send(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  hello(nodeKey: string, chainId = CHAIN): void {
    this.send(requestFrame({ type: "hello", chainId, nodeKey }));
  }

  /** Asks for a vote; the answer. */
  async vote(id: number, height: number, blockHash: string): Promise<SignerAnswer | undefined> {
    this.send(requestFrame(voteRequest(id, height, blockHash)));
    return await this.answer((answer) => "id" in answer && answer.id === id);
  }

  async answer(isIt: (answer: SignerAnswer) => boolean): Promise<SignerAnswer | undefined> {
    return await pollUntil(() => this.answers.find((answer) => answer !== undefined && isIt(answer)), { what: "an answer" });
  }

  /** Why it was closed. */
  async bye(): Promise<string> {
    await pollUntil(() => this.isClosed, { what: "the connection to be closed" });
    const byes = this.answers.flatMap((answer) => (answer?.type === "bye" ? [answer.reason] : []));
    expect(byes).toHaveLength(1);
    return byes[0] ?? "";
  }

  /** Sends nothing more, in order. */
  finish(): void {
    this.#socket.end();
  }

  close(): void {
    this.#socket.destroy();
  }
}

const seatOf = (validator: string, node: string): Uint8Array => seatSignBytes(CHAIN, { validator, node, sinceSec: 1_800_000_000 });

function voteRequest(id: number, height: number, blockHash: string): SignRequest {
  const bytes = voteSignBytes(CHAIN, { type: "prevote", height, round: 0, blockHash });
  return { type: "sign", id, purpose: "prevote", height, round: 0, bytes };
}

describe("a signer at its door", () => {
  let folder: TemporaryFolder;
  let opened: AsyncDisposableStack;
  let lines: string[];
  let listeners: readonly SignerListener[];
  let node: TlsIdentity;
  const visitors: Visitor[] = [];

  beforeEach(async () => {
    folder = await createTemporaryFolder();
    opened = new AsyncDisposableStack();
    lines = [];
    node = createTlsIdentity("parley-node");
    initSigner({ dir: dirOf(), chainId: CHAIN, fromDataDir: undefined, random: (length) => new Uint8Array(length).fill(5) });
    listeners = await start([socketAddress(), parseSignerAddress("127.0.0.1:0")]);
  });

  afterEach(async () => {
    for (const visitor of visitors.splice(0)) visitor.close();
    await opened.disposeAsync();
    await folder.remove();
  });

  const dirOf = (): string => join(folder.path, "signer");
  const socketAddress = (): SignerAddress => parseSignerAddress(join(folder.path, "run", "sock"));

  function start(listen: readonly SignerAddress[], stack = opened): Promise<readonly SignerListener[]> {
    const log = createLog("json", { write: (line) => void lines.push(line) });
    const settings = {
      dir: dirOf(),
      keyPath: signerPaths(dirOf()).key,
      chainId: CHAIN,
      listen,
      allowed: [fingerprintOf(node)],
      log: "json",
    };
    return startSigner(settings as Parameters<typeof startSigner>[0], log, stack);
  }

  function visit(): Visitor {
    const visitor = new Visitor(connect(join(folder.path, "run", "sock")));
    visitors.push(visitor);
    return visitor;
  }

  function visitByTls(identity?: TlsIdentity, options: object = {}): Visitor {
    const [, { address }] = listeners as [SignerListener, SignerListener];
    const port = address.type === "tls" ? address.port : 0;
    const credentials = identity === undefined ? {} : { key: identity.key, cert: identity.certificate };
    const socket = connectTls({
      host: "127.0.0.1",
      port,
      rejectUnauthorized: false,
      ALPNProtocols: ["parley-signer/1"],
      ...credentials,
      ...options,
    });
    const visitor = new Visitor(socket);
    visitors.push(visitor);
    return visitor;
  }

  it("signs for nodes by the socket and by TLS, at no position for two", async () => {
    const [first, second] = [visit(), visitByTls(node)];
    first.hello(ONE);
    second.hello(TWO);
    expect(await second.answer(({ type }) => type === "welcome")).toMatchObject({ last: { height: 0 } });
    expect(await first.vote(1, 4, A)).toMatchObject({ type: "signed" });
    expect(await second.vote(1, 4, B)).toMatchObject({ type: "refused", reason: expect.stringContaining("contradict") });
    expect(await second.vote(2, 5, B)).toMatchObject({ type: "signed" });
    expect(await first.vote(2, 5, A)).toMatchObject({ type: "refused" });
    first.send(requestFrame({ type: "ping", id: 9 }));
    expect(await first.answer(({ type }) => type === "pong")).toMatchObject({ last: { height: 5, step: "prevote" } });
  });

  it("has a socket and a folder that no other user can use", () => {
    expect(statSync(join(folder.path, "run", "sock")).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder.path, "run")).mode & 0o777).toBe(0o700);
  });

  it.each([
    ["garbage", frameOf(Uint8Array.of(1, 2, 3)), "no message of version 1"],
    ["a frame that is too large", Uint8Array.of(0, 0, 0x10, 0x01), "1 to 4096 bytes"],
    ["an empty frame", Uint8Array.of(0, 0, 0, 0), "1 to 4096 bytes"],
    ["a request before it says who it is", requestFrame(voteRequest(1, 1, A)), "begins with who is there"],
    ["another chain", requestFrame({ type: "hello", chainId: "other-1", nodeKey: ONE }), 'on the chain "other-1"'],
  ])("closes a connection with one reason and goes on: %s", async (_what, bytes, reason) => {
    const visitor = visit();
    visitor.send(bytes);
    expect(await visitor.bye()).toContain(reason);
    const next = visit();
    next.hello(ONE);
    expect(await next.vote(1, 1, A)).toMatchObject({ type: "signed" });
  });

  it.each([
    ["what is no consensus", { purpose: "prevote", height: 1, round: 0, bytes: walletSignBytes(CHAIN, ONE) }, "signs proposals, votes"],
    ["a transaction", { purpose: "prevote", height: 1, round: 0, bytes: Buffer.from('{"type":"TRANSFER"}') }, "no transactions"],
    ["another height than that of the bytes", { ...voteRequest(1, 2, A), height: 3 }, "another purpose or position"],
    ["another step than that of the bytes", { ...voteRequest(1, 2, A), purpose: "precommit" }, "another purpose or position"],
    [
      "a vote of another chain",
      { ...voteRequest(1, 2, A), bytes: voteSignBytes("parley-2", { type: "prevote", height: 2, round: 0, blockHash: A }) },
      "another chain",
    ],
    ["the seat of another node", { purpose: "seat", height: 0, round: 0, bytes: seatOf(OWN, TWO) }, "of the node that asks"],
    ["the seat of another validator", { purpose: "seat", height: 0, round: 0, bytes: seatOf(ONE, ONE) }, "of this signer's validator"],
  ])("signs nothing for a node that asks for %s, and closes its connection", async (_what, request, reason) => {
    const visitor = visit();
    visitor.hello(ONE);
    visitor.send(requestFrame({ type: "sign", id: 1, ...request } as SignRequest));
    expect(await visitor.bye()).toContain(reason);
    expect(visitor.answers.some((answer) => answer?.type === "signed")).toBe(false);
  });

  it("gives no signature that it cannot store, and signs again once it can", async () => {
    const visitor = visit();
    visitor.hello(ONE);
    const inTheWay = `${signerPaths(dirOf()).memory}.new`;
    mkdirSync(inTheWay);
    expect(await visitor.vote(1, 4, A)).toMatchObject({ type: "refused", reason: expect.stringContaining("cannot store") });
    visitor.send(requestFrame({ type: "ping", id: 2 }));
    expect(await visitor.answer(({ type }) => type === "pong")).toMatchObject({ last: { height: 0 } });
    rmdirSync(inTheWay);
    expect(await visitor.vote(3, 4, B)).toMatchObject({ type: "signed" });
  });

  it("closes a connection that asks for too much at once", async () => {
    const visitor = visit();
    visitor.hello(ONE);
    await visitor.answer(({ type }) => type === "welcome");
    visitor.send(Buffer.concat(Array.from({ length: SIGNER_LIMITS.inFlight + 1 }, (_, id) => requestFrame({ type: "ping", id }))));
    expect(await visitor.bye()).toContain("at once");
  });

  it("serves a few nodes, and of each node the newest connection", async () => {
    const nodes = Array.from({ length: SIGNER_LIMITS.nodes }, (_, index) => `${index + 1}`.repeat(64));
    const all = nodes.map((key) => {
      const visitor = visit();
      visitor.hello(key);
      return visitor;
    });
    for (const visitor of all) await visitor.answer(({ type }) => type === "welcome");
    const further = visit();
    further.hello("f".repeat(64));
    expect(await further.bye()).toContain("nodes are served already");
    const again = visit();
    again.hello(nodes[0] ?? "");
    expect(await again.answer(({ type }) => type === "welcome")).toBeDefined();
    expect(await all[0]?.bye()).toContain("connected again");
  });

  it("lets a newcomer take the place of the oldest that says nothing", async () => {
    const silent = Array.from({ length: SIGNER_LIMITS.pending }, visit);
    const newcomer = visit();
    newcomer.hello(ONE);
    expect(await newcomer.answer(({ type }) => type === "welcome")).toBeDefined();
    await pollUntil(() => silent.some(({ isClosed }) => isClosed), { what: "one of the silent to be closed" });
  });

  it("says nothing to a node that it does not know, or without TLS 1.3", async () => {
    const strangers = [
      visitByTls(createTlsIdentity("parley-node")),
      visitByTls(),
      visitByTls(node, { maxVersion: "TLSv1.2" }),
      visitByTls(node, { ALPNProtocols: ["http/1.1"] }),
    ];
    for (const stranger of strangers) {
      stranger.hello(ONE);
      await pollUntil(() => stranger.isClosed, { what: "the stranger to be refused" });
      expect(stranger.answers).toEqual([]);
    }
    expect(lines.join("")).toContain("A connection was refused");
    const known = visitByTls(node);
    known.hello(ONE);
    expect(await known.answer(({ type }) => type === "welcome")).toBeDefined();
  });

  it("outlives strangers who send anything at all to its port, more of them than it has room for", async () => {
    const [, { address }] = listeners as [SignerListener, SignerListener];
    const port = address.type === "tls" ? address.port : 0;
    const strangers = Array.from({ length: 3 * SIGNER_LIMITS.pending }, (_, index) => {
      const visitor = new Visitor(connect({ host: "127.0.0.1", port }));
      visitors.push(visitor);
      if (index % 2 === 0) visitor.send(new Uint8Array(500).fill(index));
      return visitor;
    });
    await pollUntil(() => strangers.every(({ isClosed }) => isClosed), {
      what: "strangers to be closed",
    });
    const known = visitByTls(node);
    known.hello(ONE);
    expect(await known.vote(1, 3, A)).toMatchObject({ type: "signed" });
  });

  it("gives for a repeated message the same signature, whoever repeats it, and for one that came before it none", async () => {
    const [first, second] = [visitByTls(node), visitByTls(node)];
    first.hello(ONE);
    second.hello(TWO);
    const given = await first.vote(1, 4, A);
    expect(given).toMatchObject({ type: "signed" });
    expect(await second.vote(1, 4, A)).toEqual(given);
    expect(await first.vote(2, 5, A)).toMatchObject({ type: "signed" });
    for (const visitor of [first, second]) {
      visitor.answers.length = 0;
      expect(await visitor.vote(1, 4, A)).toMatchObject({
        type: "refused",
        reason: expect.stringContaining("the last signature is of height 5"),
      });
    }
  });

  it("signs nothing of a message that is cut off, wherever", async () => {
    const frame = requestFrame(voteRequest(1, 4, A));
    for (const length of [1, 3, 4, 5, frame.length >> 1, frame.length - 1]) {
      const visitor = visitByTls(node);
      visitor.hello(ONE);
      await visitor.answer(({ type }) => type === "welcome");
      visitor.send(frame.subarray(0, length));
      visitor.finish();
      await pollUntil(() => visitor.isClosed, { what: "the connection to be closed" });
      expect(visitor.answers.map((answer) => answer?.type)).not.toContain("signed");
    }
    const visitor = visitByTls(node);
    visitor.hello(ONE);
    expect(await visitor.answer(({ type }) => type === "welcome")).toMatchObject({ last: { height: 0 } });
    expect(await visitor.vote(1, 4, B)).toMatchObject({ type: "signed" });
  });

  it("answers nothing to what was recorded on the wire of a known node", async () => {
    const [, { address }] = listeners as [SignerListener, SignerListener];
    const port = address.type === "tls" ? address.port : 0;
    const recorded: Buffer[] = [];
    const wire = createServer((near) => {
      const far = connect({ host: "127.0.0.1", port });
      for (const socket of [near, far]) socket.on("error", () => undefined);
      near.on("data", (piece: Buffer) => recorded.push(piece));
      near.pipe(far);
      far.pipe(near);
    });
    await once(wire.listen(0, "127.0.0.1"), "listening");
    const known = visitByTls(node, { port: (wire.address() as AddressInfo).port });
    known.hello(ONE);
    expect(await known.vote(1, 4, A)).toMatchObject({ type: "signed" });
    known.close();
    wire.close();
    const thief = new Visitor(connect({ host: "127.0.0.1", port }));
    visitors.push(thief);
    for (const piece of recorded) thief.send(piece);
    await pollUntil(() => thief.isClosed, { what: "the thief to be refused" });
    expect(thief.answers.filter((answer) => answer !== undefined)).toEqual([]);
    expect(lines.join("")).toContain("the TLS handshake failed");
  });

  it("is one of a folder, and of a socket", async () => {
    await using second = new AsyncDisposableStack();
    await expect(start([parseSignerAddress(join(folder.path, "run", "other"))], second)).rejects.toMatchObject({ code: "STORAGE_LOCKED" });
    await opened.disposeAsync();
    opened = new AsyncDisposableStack();
    await start([socketAddress()]);
    const log = createLog("json", { write: () => undefined });
    const dir = join(folder.path, "second");
    initSigner({ dir, chainId: CHAIN, fromDataDir: undefined, random: (length) => new Uint8Array(length).fill(6) });
    const settings = { dir, keyPath: signerPaths(dir).key, chainId: CHAIN, listen: [socketAddress()], allowed: [], log: "json" as const };
    await expect(startSigner(settings, log, second)).rejects.toMatchObject({ code: "ADDRESS_IN_USE" });
  });

  it("refuses a key, a TLS key and a folder for its socket that others can read", async () => {
    await opened.disposeAsync();
    opened = new AsyncDisposableStack();
    const { key, tls } = signerPaths(dirOf());
    for (const path of [key, tls]) {
      chmodSync(path, 0o640);
      await expect(start([socketAddress(), parseSignerAddress("127.0.0.1:0")])).rejects.toThrow("is open to other users");
      await opened.disposeAsync();
      opened = new AsyncDisposableStack();
      chmodSync(path, 0o600);
    }
    const open = join(folder.path, "open");
    mkdirSync(open);
    chmodSync(open, 0o755);
    await expect(start([parseSignerAddress(join(open, "sock"))])).rejects.toThrow("is open to other users");
    await opened.disposeAsync();
    opened = new AsyncDisposableStack();
    chmodSync(open, 0o700);
    writeFileSync(join(open, "sock"), "no socket");
    await expect(start([parseSignerAddress(join(open, "sock"))])).rejects.toThrow("in the way");
    expect(existsSync(join(open, "sock"))).toBe(true);
  });

  it("takes its folder, where its memory is, from other users at its start", async () => {
    await opened.disposeAsync();
    opened = new AsyncDisposableStack();
    chmodSync(dirOf(), 0o777);
    await start([socketAddress()]);
    expect(statSync(dirOf()).mode & 0o777).toBe(0o700);
  });

  it("writes no secret to its log", async () => {
    const visitor = visit();
    visitor.hello(ONE);
    await visitor.vote(1, 3, A);
    expect(lines.join("")).not.toContain("05".repeat(32));
    expect(lines.join("")).not.toContain("PRIVATE");
  });
});
