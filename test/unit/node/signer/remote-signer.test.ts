// A node's side of the connection: what counts as a signature, and what happens when the other side is away, slow, or not what it should be.
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseSignerAddress, type SignerAddress } from "#node/config/signer-address.ts";
import { systemTimers } from "#node/config/system-clock.ts";
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { createLog } from "#node/observability/log.ts";
import { RemoteSignerClient, type RemoteSignerOptions } from "#node/signer/client/remote-signer.ts";
import { SeatKeeper } from "#node/signer/client/seat-keeper.ts";
import { startSigner } from "#node/signer/run-signer.ts";
import { initSigner, signerPaths } from "#node/signer/signer-folder.ts";
import { SIGNER_LIMITS } from "#node/signer/signer-limits.ts";
import { createTlsIdentity } from "#node/signer/tls/self-signed-certificate.ts";
import { fingerprintOf, readTlsIdentity } from "#node/signer/tls/tls-files.ts";
import { FrameReader, frameOf } from "#node/signer/wire/frames.ts";
import { answerFrame, decodeRequest, type LastSigned, type SignerRequest } from "#node/signer/wire/messages.ts";
import { proposalSignBytes, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";

const CHAIN = "parley-1";
const NODE = "11".repeat(32);
const HASH = "aa".repeat(32);
const SEED = new Uint8Array(32).fill(5);
const key = createValidatorSigner(SEED);

const voteBytes = (height: number): Uint8Array => voteSignBytes(CHAIN, { type: "prevote", height, round: 0, blockHash: HASH });
const positionOf = (height: number): { height: number; round: 0; step: "prevote" } => ({ height, round: 0, step: "prevote" });

const zero = (): number => 0;

let folder: TemporaryFolder;
let lines: string[];
const clients: RemoteSignerClient[] = [];

beforeEach(async () => {
  folder = await createTemporaryFolder();
  lines = [];
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await folder.remove();
});

function clientOf(address: SignerAddress, changes: Partial<RemoteSignerOptions> = {}): RemoteSignerClient {
  const client = new RemoteSignerClient({
    address,
    chainId: CHAIN,
    nodeKey: NODE,
    publicKey: key.publicKey,
    verify: createNativeVerifier(),
    timers: systemTimers,
    random: zero,
    log: createLog("json", { write: (line) => void lines.push(line) }),
    ...changes,
  });
  clients.push(client);
  client.start();
  return client;
}

const ready = (client: RemoteSignerClient): Promise<unknown> => pollUntil(() => client.isReady, { what: "the signer to be connected" });

describe("a node with a signer", () => {
  const dir = (): string => join(folder.path, "signer");
  const socket = (): SignerAddress => parseSignerAddress(join(folder.path, "run", "sock"));

  async function start(
    listen: readonly SignerAddress[],
    allowed: readonly string[] = [],
  ): Promise<AsyncDisposableStack & { port?: number }> {
    initSigner({ dir: dir(), chainId: CHAIN, fromDataDir: undefined, random: () => SEED });
    const opened: AsyncDisposableStack & { port?: number } = new AsyncDisposableStack();
    const settings = { dir: dir(), keyPath: signerPaths(dir()).key, chainId: CHAIN, listen, allowed, log: "json" as const };
    const listeners = await startSigner(settings, createLog("json", { write: () => undefined }), opened);
    for (const { address } of listeners) if (address.type === "tls") opened.port = address.port;
    return opened;
  }

  it("gets signatures that verify, knows the last one, and connects again to a signer that was away", async () => {
    const first = await start([socket()]);
    const client = clientOf(socket());
    await ready(client);
    const signature = await client.sign(positionOf(3), voteBytes(3));
    expect(createNativeVerifier()(signature ?? new Uint8Array(), voteBytes(3), Buffer.from(key.publicKey, "hex"))).toBe(true);
    expect(client.last?.position).toEqual(positionOf(3));
    await first.disposeAsync();
    await pollUntil(() => !client.isReady, { what: "the node to notice" });
    expect(await client.sign(positionOf(4), voteBytes(4))).toBeUndefined();
    await using _second = await start([socket()]);
    await ready(client);
    expect(client.last?.position).toEqual(positionOf(3));
    expect(await client.sign(positionOf(3), voteBytes(3))).toEqual(signature);
    expect(await client.sign(positionOf(2), voteBytes(2))).toBeUndefined();
    expect(client.counts).toEqual({ signed: 2, refused: 1, late: 0, lost: 1 });
  });

  it("asks by TLS, and uses no signer with another fingerprint", async () => {
    const identity = createTlsIdentity("parley-node");
    await using opened = await start([parseSignerAddress("127.0.0.1:0")], [fingerprintOf(identity)]);
    const address = parseSignerAddress(`127.0.0.1:${opened.port}`);
    const { fingerprint } = initSigner({ dir: join(folder.path, "other"), chainId: CHAIN, fromDataDir: undefined, random: () => SEED });
    const mistaken = clientOf(address, { tls: { identity, fingerprint } });
    await pollUntil(() => lines.join("").includes("not the one that this node was given"), { what: "the refusal" });
    expect(mistaken.isReady).toBe(false);
    await opened.disposeAsync();
    await using again = await start([parseSignerAddress("127.0.0.1:0")], [fingerprintOf(identity)]);
    const client = clientOf(parseSignerAddress(`127.0.0.1:${again.port}`), { tls: { identity, fingerprint: ownFingerprint(dir()) } });
    await ready(client);
    expect(await client.sign(positionOf(9), voteBytes(9))).toHaveLength(64);
  });

  it("has its seat signed, and the parts of its own proposal", async () => {
    await using _signer = await start([socket()]);
    const client = clientOf(socket());
    await ready(client);
    const timers = new VirtualTime();
    const seat = new SeatKeeper({
      chainId: CHAIN,
      nodeKey: NODE,
      signer: client,
      clock: { nowMs: () => 1_800_000_000_000, monotonicMs: () => 0 },
      timers,
    });
    let seats = 0;
    seat.onSeat(() => {
      seats += 1;
    });
    seat.start();
    await pollUntil(() => seats === 1, { what: "the seat" });
    expect(seat.seat()).toMatchObject({ validator: key.publicKey, sinceSec: 1_800_000_000 });
    // Another node took it: this one takes it back once it is the one that gets signatures.
    seat.onTaken(1_800_000_050);
    timers.advance(20_000);
    expect(seats).toBe(1);
    const bytes = proposalSignBytes(CHAIN, { height: 5, round: 0, validRound: -1, blockHash: HASH });
    expect(await client.sign({ height: 5, round: 0, step: "proposal" }, bytes)).toHaveLength(64);
    timers.advance(20_000);
    await pollUntil(() => seats === 2, { what: "the seat to be taken back" });
    expect(seat.seat()?.sinceSec).toBe(1_800_000_051);
    seat.close();
  });
});

/** The fingerprint of a folder that exists. */
function ownFingerprint(dir: string): string {
  return fingerprintOf(readTlsIdentity(signerPaths(dir).tls, ""));
}

it("a seat of a clock that was far ahead is followed by one of the right time", async () => {
  const clock = { ms: 1_800_000_000_000 + 86_400_000 };
  const signer = {
    publicKey: key.publicKey,
    isReady: true,
    counts: { signed: 0, refused: 0, late: 0, lost: 0 },
    signSeat: (): Promise<Uint8Array> => Promise.resolve(new Uint8Array(64)),
    signParts: (): Promise<undefined> => Promise.resolve(undefined),
    onChange: () => (): void => undefined,
  };
  const timers = new VirtualTime();
  const seat = new SeatKeeper({ chainId: CHAIN, nodeKey: NODE, signer, clock: { nowMs: () => clock.ms, monotonicMs: zero }, timers });
  seat.start();
  await Promise.resolve();
  expect(seat.seat()?.sinceSec).toBe(1_800_086_400);
  clock.ms = 1_800_000_000_000;
  timers.advance(20_000);
  await Promise.resolve();
  expect(seat.seat()?.sinceSec).toBe(1_800_000_000);
  seat.close();
});

describe("a signer that is not what it should be", () => {
  let server: Server;
  let time: VirtualTime;
  const requests: SignerRequest[] = [];
  let peer: Socket | undefined;
  const path = (): string => join(folder.path, "fake");

  beforeEach(async () => {
    requests.length = 0;
    time = new VirtualTime();
    server = createServer((connection) => {
      peer = connection;
      const reader = new FrameReader();
      connection.on("error", () => undefined);
      connection.on("data", (piece: Buffer) => {
        for (const frame of reader.take(piece) ?? []) {
          const request = decodeRequest(frame);
          if (request !== undefined) requests.push(request);
        }
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(path(), resolve);
    });
  });
  afterEach(async () => {
    peer?.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });

  async function greeted(publicKey = key.publicKey, last: LastSigned = null): Promise<RemoteSignerClient> {
    const client = clientOf({ type: "socket", path: path() }, { timers: time });
    await pollUntil(() => requests.some(({ type }) => type === "hello"), { what: "the node to say who it is" });
    peer?.write(answerFrame({ type: "welcome", publicKey, last }));
    return client;
  }

  const said = (text: string): Promise<unknown> => pollUntil(() => lines.join("").includes(text), { what: text });

  it("and slow: the node abstains after a second, drops what comes later, and hears that the signer answers again", async () => {
    const client = await greeted();
    await ready(client);
    let changes = 0;
    client.onChange(() => {
      changes += 1;
    });
    const asked = client.sign(positionOf(7), voteBytes(7));
    await pollUntil(() => requests.some(({ type }) => type === "sign"), { what: "the request" });
    time.advance(SIGNER_LIMITS.answerMs);
    expect(await asked).toBeUndefined();
    expect(client.counts.late).toBe(1);
    expect(client.isReady).toBe(true);
    peer?.write(answerFrame({ type: "signed", id: 0, signature: key.sign(voteBytes(7)) }));
    await pollUntil(() => changes > 0, { what: "the late answer" });
    expect(client.last).toBeUndefined();
  });

  it("and could not store what it was to sign: the node hears of its next sign of life, once", async () => {
    const client = await greeted();
    await ready(client);
    let changes = 0;
    client.onChange(() => {
      changes += 1;
    });
    const asked = client.sign(positionOf(7), voteBytes(7));
    await pollUntil(() => requests.some(({ type }) => type === "sign"), { what: "the request" });
    peer?.write(answerFrame({ type: "refused", id: 0, reason: "the disk is full" }));
    expect(await asked).toBeUndefined();
    expect(changes).toBe(0);
    for (const id of [1, 2]) {
      time.advance(SIGNER_LIMITS.pingMs);
      await pollUntil(() => requests.some((request) => request.type === "ping" && request.id === id), { what: "a ping" });
      peer?.write(answerFrame({ type: "pong", id, last: null }));
      await pollUntil(() => changes === 1, { what: "the node to hear of it" });
    }
    // What was answered last was read before this.
    const last = client.sign(positionOf(8), voteBytes(8));
    peer?.write(answerFrame({ type: "signed", id: 3, signature: key.sign(voteBytes(8)) }));
    expect(await last).toHaveLength(64);
    expect(changes).toBe(1);
  });

  it("and silent: the connection is given up", async () => {
    const client = await greeted();
    await ready(client);
    const asked = client.sign(positionOf(7), voteBytes(7));
    time.advance(SIGNER_LIMITS.deadMs);
    expect(await asked).toBeUndefined();
    expect(client.isReady).toBe(false);
    expect(lines.join("")).toContain("it does not answer");
  });

  it("and of another validator", async () => {
    const client = await greeted("22".repeat(32));
    await said("it has the key of");
    expect(client.isReady).toBe(false);
  });

  it("and remembers what its key did not sign", async () => {
    const last = { ...positionOf(9), signBytes: voteBytes(9), signature: new Uint8Array(64) };
    const client = await greeted(key.publicKey, last);
    await said("what it remembers is not signed by its key");
    expect(client.isReady).toBe(false);
  });

  it("and signs something else", async () => {
    const client = await greeted();
    await ready(client);
    const asked = client.sign(positionOf(7), voteBytes(7));
    await pollUntil(() => requests.some(({ type }) => type === "sign"), { what: "the request" });
    peer?.write(answerFrame({ type: "signed", id: 0, signature: key.sign(voteBytes(8)) }));
    expect(await asked).toBeUndefined();
    expect(client.isReady).toBe(false);
  });

  it.each([
    ["garbage", frameOf(Uint8Array.of(1, 2, 3)), "does not speak version 2"],
    ["a frame without end", Uint8Array.of(0xff, 0xff, 0xff, 0xff), "too large"],
    ["an answer to nothing", answerFrame({ type: "refused", id: 77, reason: "no" }), "not asked"],
  ])("and sends %s", async (_what, bytes, problem) => {
    const client = await greeted();
    await ready(client);
    peer?.write(bytes);
    await said(problem);
    expect(client.isReady).toBe(false);
  });
});
