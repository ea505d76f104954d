// Votes to suspend relays by a key in a signer: the one transaction that it signs, which costs nothing, for what the relay itself has signed.
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseSignerAddress } from "#node/config/signer-address.ts";
import { systemClock, systemRandom, systemTimers } from "#node/config/system-clock.ts";
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { checkTransaction } from "#node/ledger/check-transaction.ts";
import { createLog } from "#node/observability/log.ts";
import { RemoteSignerClient } from "#node/signer/client/remote-signer.ts";
import { SignerMemory } from "#node/signer/memory/signer-memory.ts";
import { startSigner } from "#node/signer/run-signer.ts";
import { SignDesk } from "#node/signer/server/sign-desk.ts";
import { initSigner, signerPaths } from "#node/signer/signer-folder.ts";
import { SIGNER_LIMITS } from "#node/signer/signer-limits.ts";
import { ballotOf, voteOf } from "#node/signer/wire/ballot.ts";
import { FrameReader } from "#node/signer/wire/frames.ts";
import {
  answerFrame,
  type Ballot,
  decodeAnswer,
  decodeRequest,
  requestFrame,
  type SignerAnswer,
  type SignerRequest,
} from "#node/signer/wire/messages.ts";
import { voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { contradictionOf, signDigest } from "#shared/protocol/keepers/kept-digest.ts";
import type { DigestContradiction } from "#shared/protocol/transactions/payload.ts";
import { signedBytes } from "#shared/protocol/transactions/transaction-id.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { digestLie } from "#test/support/chain/ledger-payloads.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { actor, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const NODE = "11".repeat(32);
const SEED = new Uint8Array(32).fill(5);
const key = createValidatorSigner(SEED);
const verify = createNativeVerifier();
const relay = actor(21);
const at = { timeS: Math.floor(Date.now() / 1_000), salt: new Uint8Array(8).fill(3) };
const prevote = (height: number): Uint8Array => voteSignBytes(CHAIN_ID, { type: "prevote", height, round: 0, blockHash: NODE });
const position = { height: 4, round: 0, step: "prevote" } as const;

let folder: TemporaryFolder;
let lines: string[];
let opened: AsyncDisposableStack;

beforeEach(async () => {
  folder = await createTemporaryFolder();
  lines = [];
  opened = new AsyncDisposableStack();
});
afterEach(async () => {
  await opened.disposeAsync();
  await folder.remove();
});

const log = createLog("json", { write: (line) => void lines.push(line) });
const path = (): string => join(folder.path, "run", "sock");

function clientOf(address = path(), timers: VirtualTime | typeof systemTimers = systemTimers): RemoteSignerClient {
  const identity = { chainId: CHAIN_ID, nodeKey: NODE, publicKey: key.publicKey };
  const client = new RemoteSignerClient({
    address: parseSignerAddress(address),
    ...identity,
    verify,
    timers,
    random: (): number => 0,
    log,
  });
  opened.defer(() => client.close());
  client.start();
  return client;
}

const ready = (client: RemoteSignerClient): Promise<unknown> => pollUntil(() => client.isReady, { what: "the signer to be connected" });
const voteAt = { clock: systemClock, random: systemRandom };

async function start(): Promise<void> {
  const dir = join(folder.path, "signer");
  initSigner({ dir, chainId: CHAIN_ID, fromDataDir: undefined, random: () => SEED });
  const listen = [parseSignerAddress(path())];
  await startSigner({ dir, keyPath: signerPaths(dir).key, chainId: CHAIN_ID, listen, allowed: [], log: "json" }, log, opened);
}

describe("a node whose validator's key is in a signer", () => {
  it("gets the vote that every node takes, without a fee, beside votes of consensus", async () => {
    await start();
    const client = clientOf();
    await ready(client);
    const evidence = digestLie(relay, Date.now());
    const tx = await client.voteToSuspend(evidence, voteAt);
    expect(tx).toMatchObject({ type: "SUSPEND_RELAY", from: key.publicKey, to: "", amount: 0, fee: 0 });
    expect(tx && checkTransaction(tx, { chainId: CHAIN_ID, verify, minFeeUt: 0 })).toBeUndefined();
    expect([client.last?.position.height, client.counts.signed, client.canVote]).toEqual([0, 0, true]);
    expect(await client.sign(position, prevote(4))).toHaveLength(64);
    expect(await client.voteToSuspend(evidence, voteAt)).toBeDefined();
    // What it may sign of consensus is what it was.
    expect(await client.sign({ ...position, height: 3 }, prevote(3))).toBeUndefined();
    expect(client.last?.position).toEqual(position);
    expect(lines.join("")).toContain("Signed a vote to suspend a relay that lied");
  });

  it("gets none for what the relay has not signed, and stays connected", async () => {
    await start();
    const client = clientOf();
    await ready(client);
    const evidence = digestLie(relay, Date.now());
    const { first } = digestLie(actor(22), Date.now());
    expect(await client.voteToSuspend({ ...evidence, first: { ...first, count: 9 } }, voteAt)).toBeUndefined();
    expect(lines.join("")).toContain("The signer signed no vote to suspend a relay: it refused: the relay has not signed both digests");
    expect([client.isReady, await client.voteToSuspend(evidence, voteAt)]).toEqual([true, expect.anything()]);
  });

  it("gets none while the signer is away", async () => {
    const client = clientOf();
    expect(await client.voteToSuspend(digestLie(relay, Date.now()), voteAt)).toBeUndefined();
    expect(client.canVote).toBe(true);
  });
});

describe("the desk of a signer", () => {
  const time = new VirtualTime();
  const memory = (): SignerMemory =>
    new SignerMemory(
      { read: () => undefined, replace: () => undefined } as unknown as ConstructorParameters<typeof SignerMemory>[0],
      CHAIN_ID,
      key,
    );
  const deskOf = (its = memory()): SignDesk =>
    new SignDesk({ chainId: CHAIN_ID, publicKey: key.publicKey, memory: its, verify, clock: time.clock(0) });
  const ballot = (change: Partial<Ballot> = {}): Ballot => ({ ...ballotOf(digestLie(relay, Date.now()), at), ...change });

  it("signs the transaction that it makes itself, and remembers nothing of it", () => {
    const its = memory();
    const outcome = deskOf(its).vote(ballot());
    const signature = "signature" in outcome ? outcome.signature : new Uint8Array();
    expect(verify(signature, signedBytes(voteOf(CHAIN_ID, key.publicKey, ballot())), fromHex(key.publicKey))).toBe(true);
    expect(its.last).toBeUndefined();
  });

  const ofOtherChain = (): DigestContradiction => {
    const place = { slot: 7, version: 3_000_000, fingerprint: NODE };
    const [one, other] = [1, 2].map((count) => signDigest("other-1", { ...place, count }, { publicKey: relay.pub, secret: relay.seed }));
    return (one && other && contradictionOf(one, other)) as DigestContradiction;
  };

  it.each<[string, () => Partial<Ballot>, string]>([
    [
      "digests that say the same",
      (): Partial<Ballot> => ({ second: ballot().first }),
      "digests of one relay, slot and version that differ",
    ],
    ["digests of another slot than was signed", (): Partial<Ballot> => ({ slot: 8 }), "has not signed both"],
    ["digests of another version", (): Partial<Ballot> => ({ version: 1 }), "has not signed both"],
    ["digests of another relay", (): Partial<Ballot> => ({ relay: actor(22).pub }), "has not signed both"],
    [
      "one digest that the relay did not sign",
      (): Partial<Ballot> => ({ second: { ...ballot().second, count: 3 } }),
      "has not signed both",
    ],
    ["digests of another chain", (): Partial<Ballot> => ballotOf(ofOtherChain(), at), "has not signed both"],
    ["a slot that there is not", (): Partial<Ballot> => ({ slot: 1 << 20 }), "digests of one relay"],
    ["an id that every chain would take", (): Partial<Ballot> => ({ salt: new Uint8Array(8) }), "no salt"],
  ])("signs nothing for %s", (_what, change, refusal) => {
    expect(deskOf().vote(ballot(change()))).toEqual({ refusal: expect.stringContaining(refusal) });
  });

  it("checks a few a second, however many are asked for", () => {
    const desk = deskOf();
    const outcomes = Array.from({ length: SIGNER_LIMITS.ballotBurst + 1 }, () => "signature" in desk.vote(ballot()));
    expect([outcomes.filter(Boolean).length, outcomes.at(-1)]).toEqual([SIGNER_LIMITS.ballotBurst, false]);
    time.advance(1_000);
    expect("signature" in desk.vote(ballot())).toBe(true);
  });

  it("signs no transaction by another way", () => {
    const bytes = signedBytes(voteOf(CHAIN_ID, key.publicKey, ballot()));
    const request = { type: "sign", id: 1, purpose: "seat", height: 0, round: 0, bytes } as const;
    expect(deskOf().sign(NODE, request)).toEqual({ offence: expect.stringContaining("no transactions either") });
  });
});

describe("sides of different versions", () => {
  let server: Server;
  let speaks: 1 | 2 = 1;
  const requests: (SignerRequest | undefined)[] = [];
  let peer: Socket | undefined;

  beforeEach(async () => {
    requests.length = 0;
    speaks = 1;
    server = createServer((socket) => {
      peer = socket;
      const reader = new FrameReader();
      socket.on("error", () => undefined);
      socket.on("data", (piece: Buffer) => {
        for (const frame of reader.take(piece) ?? []) answer(socket, decodeRequest(frame, speaks));
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(join(folder.path, "earlier"), resolve);
    });
  });
  afterEach(async () => {
    peer?.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });

  /** As a signer of that version. */
  function answer(socket: Socket, request: SignerRequest | undefined): void {
    requests.push(request);
    if (request === undefined) {
      socket.write(answerFrame({ type: "bye", reason: "this is no message of version 1" }, 1));
      socket.destroySoon();
    } else if (request.type === "hello") socket.write(answerFrame({ type: "welcome", publicKey: key.publicKey, last: null }, speaks));
    else if (request.type === "sign")
      socket.write(answerFrame({ type: "signed", id: request.id, signature: key.sign(request.bytes) }, speaks));
  }

  it("leave all but the votes: a signer of an earlier version goes on signing, and is asked for none", async () => {
    const client = clientOf(join(folder.path, "earlier"));
    await ready(client);
    expect(requests.map((request) => request?.type)).toEqual([undefined, "hello"]);
    expect(await client.sign(position, prevote(4))).toHaveLength(64);
    expect([client.canVote, await client.voteToSuspend(digestLie(relay, Date.now()), voteAt)]).toEqual([false, undefined]);
    expect(requests.filter((request) => request === undefined)).toHaveLength(1);
    expect(lines.join("")).not.toContain("cannot be used");
    // It is replaced.
    speaks = 2;
    peer?.destroy();
    await pollUntil(() => client.isReady && client.canVote, { what: "the next version" });
  });

  it("speak that of the node where it is the earlier one, which cannot ask for a vote", async () => {
    await start();
    const answers: SignerAnswer[] = [];
    const node = connect(path());
    opened.defer(() => void node.destroy());
    node.on("error", () => undefined);
    const reader = new FrameReader();
    node.on("data", (piece: Buffer) => {
      for (const frame of reader.take(piece) ?? []) answers.push(decodeAnswer(frame, 1) ?? { type: "bye", reason: "of version 2" });
    });
    node.write(requestFrame({ type: "hello", chainId: CHAIN_ID, nodeKey: NODE }, 1));
    node.write(requestFrame({ type: "ping", id: 1 }, 1));
    await pollUntil(() => answers.length === 2, { what: "two answers" });
    expect(answers.map(({ type }) => type)).toEqual(["welcome", "pong"]);
    node.write(requestFrame({ type: "suspend", id: 2, ballot: ballotOf(digestLie(relay, Date.now()), at) }));
    await pollUntil(() => answers.length === 3, { what: "the end" });
    expect(answers[2]).toMatchObject({ type: "bye", reason: expect.stringContaining("no message of version 1") });
  });
});
