// Signed digests of keepers over real libp2p: one that tells two others different things is found out by these, and no partner has a node do,
// hold or wait for more than an honest one.
import type { Stream } from "@libp2p/interface";
import { describe, expect, it } from "vitest";
import { systemClock, systemRandom, systemTimers } from "#node/config/system-clock.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { readFrames, writeFrame } from "#node/network/wire/frames.ts";
import { mailRequestCodec, mailResponseCodec } from "#node/network/wire/mail-codec.ts";
import { DigestExchange } from "#node/relay/keepers/repair/digest-exchange.ts";
import { encode } from "#shared/codec/codec.ts";
import { digestsOf, digestVersion, isSignedDigest, signDigest } from "#shared/protocol/keepers/kept-digest.ts";
import type { MailDigest, MailRequest, MailResponse, SeenDigest } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import type { DigestContradiction } from "#shared/protocol/transactions/payload.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { connectRudePeer, type RudePeer } from "#test/support/nodes/rude-peer.ts";
import { startNetwork, type TestNetwork } from "#test/support/nodes/test-network.ts";
import { actor, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const [ONE, OTHER, LIAR] = [11, 12, 13];
const SLOTS = [3, 7, 11];
const MANY = Array.from({ length: NETWORK_LIMITS.mailItems.signedSlots + 1 }, (_, slot) => slot);
const KEYS = [ONE, OTHER, LIAR].map((n) => actor(n).pub);
const verify = createNativeVerifier();
const digestOf = (count: number): MailDigest => ({ count, fingerprint: count.toString(16).padStart(64, "0") });
const keyOf = (n: number): { readonly publicKey: PublicKeyHex; readonly secret: Uint8Array } => ({
  publicKey: actor(n).pub,
  secret: actor(n).seed,
});
const versionNow = (): number => digestVersion(Date.now() / 1_000);

type SignedRequest = Extract<MailRequest, { readonly type: "signed" }>;
const requestOf = (slots: readonly number[], seen: readonly SeenDigest[] = []): SignedRequest => ({
  type: "signed",
  version: versionNow(),
  slots,
  seen,
});

interface KeeperNode extends AsyncDisposable {
  readonly node: TestNetwork;
  readonly found: DigestContradiction[];
  readonly liars: PublicKeyHex[];
  /** Requests for digests that reached it. */
  readonly asked: MailRequest[];
  readonly figures: DigestExchange["figures"];
  /** Has another node sign. @throws CodedError UPSTREAM_FAILED */
  compare(n: number, address: string, timeoutMs?: number): Promise<void>;
}

/** A keeper of all {@link SLOTS}. */
async function startKeeper(n: number): Promise<KeeperNode> {
  const found: DigestContradiction[] = [];
  const liars: PublicKeyHex[] = [];
  const asked: MailRequest[] = [];
  const exchange = new DigestExchange({
    ...{ chainId: CHAIN_ID, key: keyOf(n), verify, clock: systemClock, timers: systemTimers, random: systemRandom },
    ranks: {
      find: (key): unknown => (KEYS.includes(key) ? key : undefined),
      isKeeperOfSlot: (key, slot): boolean => KEYS.includes(key) && SLOTS.includes(slot),
      keepersOfSlot: (): { readonly all: readonly PublicKeyHex[] } => ({ all: KEYS }),
      epoch: 4,
    },
    slotMail: (): { digest: typeof digestOf } => ({ digest: digestOf }),
    mark: { latest: 0 },
    onContradiction: (evidence): void => void found.push(evidence),
    onLie: (keeper): void => void liars.push(keeper),
  });
  const node = await startNetwork(n, {
    handlers: {
      mail: async (request, from) => {
        asked.push(request);
        return request.type === "signed" ? await exchange.respond(request, from) : { type: "busy" };
      },
    },
  });
  return {
    ...{ node, found, liars, asked, figures: exchange.figures },
    compare: (of, address, timeoutMs = 20_000): Promise<void> =>
      exchange.compare(actor(of).pub, SLOTS, (request) =>
        node.network.requestMail({ key: actor(of).pub, multiaddr: address }, request, AbortSignal.timeout(timeoutMs)),
      ),
    [Symbol.asyncDispose]: () => node[Symbol.asyncDispose](),
  };
}

/** What the liar says of each slot, another thing each time that it is asked. */
function liarResponse({ slots, version }: SignedRequest, time: number): MailResponse {
  const digests = slots.map((slot) => {
    const { count, fingerprint, signature } = signDigest(CHAIN_ID, { slot, version, ...digestOf(time) }, keyOf(LIAR));
    return { count, fingerprint, signature };
  });
  return { type: "signed", digests };
}

describe("a keeper that tells two others different things of a slot", () => {
  it("is found out by them, with evidence that everyone can check", async () => {
    let times = 0;
    await using one = await startKeeper(ONE);
    await using other = await startKeeper(OTHER);
    await using liar = await startNetwork(LIAR, {
      handlers: {
        mail: async (request) => {
          times += 1;
          return await Promise.resolve(request.type === "signed" ? liarResponse(request, times) : { type: "busy" });
        },
      },
    });
    await other.compare(LIAR, liar.address);
    await one.compare(LIAR, liar.address);
    expect([times, one.found, other.found]).toEqual([2, [], []]);
    await one.compare(OTHER, other.node.address);
    expect(other.found.map(({ slot }) => slot).toSorted((a, b) => a - b)).toEqual(SLOTS);
    for (const evidence of other.found) {
      expect(evidence.relay_pub).toBe(actor(LIAR).pub);
      expect(await Promise.all(digestsOf(evidence).map((digest) => isSignedDigest(CHAIN_ID, digest, verify)))).toEqual([true, true]);
    }
    // It was asked once in this version, and the one that showed it has no part in it.
    await one.compare(LIAR, liar.address);
    expect([times, one.liars, other.liars]).toEqual([2, [], []]);
    // Three of the liar, and three that it was shown.
    expect([other.figures, one.figures.taken]).toEqual([{ signed: 0, taken: 6, false: 0 }, 3]);
  });
});

const scoreOf = ({ node }: KeeperNode, name: string): number => node.network.peers().find((peer) => peer.name === name)?.score ?? 0;

/** Sends bytes as a request for digests; resolves once the stream is over. */
async function send(rude: RudePeer, bytes: Uint8Array): Promise<void> {
  const stream = await rude.open(rude.names.digests);
  readFrames(stream, { maxBytes: 1_000_000, onFrame: () => undefined, onEnd: () => undefined });
  writeFrame(stream, bytes);
  await pollUntil(() => stream.status !== "open" || stream.remoteWriteStatus === "closed", { what: "the stream to end" });
}

describe("hostile partners of signed digests", () => {
  it.each<[string, () => Uint8Array]>([
    ["a giant request", (): Uint8Array => new Uint8Array(2 * NETWORK_LIMITS.digests.requestBytes)],
    ["bytes that are none", (): Uint8Array => Uint8Array.of(1, 2, 3)],
    ["more slots than one request has", (): Uint8Array => encodeCbor([1, 11, versionNow(), MANY, []])],
    ["a request of another protocol", (): Uint8Array => encode(mailRequestCodec, { type: "digest", slots: SLOTS })],
  ])("pay for %s, which reaches no keeper", async (_what, bytesOf) => {
    await using keeper = await startKeeper(ONE);
    await using rude = await connectRudePeer(OTHER, keeper.node.address);
    await pollUntil(() => keeper.node.network.peers().length === 1, { what: "the peer to be known" });
    await send(rude, bytesOf());
    await pollUntil(() => scoreOf(keeper, rude.name) < 0, { what: "the peer to pay" });
    expect(keeper.asked).toEqual([]);
  });

  it("pay for digests that others have not signed, and get nothing of a stranger's", async () => {
    await using keeper = await startKeeper(ONE);
    await using rude = await connectRudePeer(OTHER, keeper.node.address);
    await using stranger = await connectRudePeer(20, keeper.node.address);
    await pollUntil(() => keeper.node.network.peers().length === 2, { what: "both to be known" });
    await send(stranger, encode(mailRequestCodec, requestOf(SLOTS)));
    expect([keeper.asked.length, scoreOf(keeper, stranger.name)]).toEqual([1, 0]);
    const forged = { ...signDigest(CHAIN_ID, { slot: 3, version: versionNow(), ...digestOf(1) }, keyOf(OTHER)), keeper: actor(LIAR).pub };
    await send(rude, encode(mailRequestCodec, requestOf(SLOTS, [forged])));
    await pollUntil(() => scoreOf(keeper, rude.name) < 0, { what: "the peer to pay" });
    expect([keeper.found, keeper.figures]).toEqual([[], { signed: 0, taken: 0, false: 1 }]);
  });

  it("get no more than they take when they flood, and others are served meanwhile", async () => {
    await using keeper = await startKeeper(ONE);
    await using honest = await startKeeper(OTHER);
    await using rude = await connectRudePeer(LIAR, keeper.node.address);
    await pollUntil(() => keeper.node.network.peers().length === 1, { what: "the peer to be known" });
    const { requests } = NETWORK_LIMITS.digests;
    const beganMs = performance.now();
    const bytes = encode(mailRequestCodec, requestOf(SLOTS));
    for (let n = 0; n < 4 * requests.burst; n += 1) {
      const stream = await rude.open(rude.names.digests).catch(() => undefined);
      if (stream === undefined) break;
      // The node closes streams beyond what it takes.
      if (stream.status === "open") writeFrame(stream, bytes);
    }
    await honest.compare(ONE, keeper.node.address);
    const allowed = requests.burst + (requests.perSecond * (performance.now() - beganMs)) / 1_000 + 1;
    expect(keeper.asked.length).toBeLessThanOrEqual(allowed + 1);
  });

  it.each<[string, (stream: Stream) => unknown, number]>([
    ["say nothing", (): void => undefined, 500],
    ["answer without an end", (stream): unknown => writeFrame(stream, new Uint8Array(4 * NETWORK_LIMITS.digests.responseBytes)), 20_000],
    ["answer what is no response", (stream): unknown => writeFrame(stream, Uint8Array.of(9, 9)), 20_000],
    [
      "sign other slots than were asked",
      (stream): unknown => writeFrame(stream, encode(mailResponseCodec, liarResponse(requestOf([1]), 1))),
      20_000,
    ],
  ])("are waited for no longer than the turn lasts, and not believed, where they %s", async (_what, answer, timeoutMs) => {
    await using keeper = await startKeeper(ONE);
    await using rude = await connectRudePeer(LIAR, keeper.node.address, {
      unnamed: { [`/parley/${CHAIN_ID}/digests/1`]: (stream): void => void answer(stream) },
    });
    await pollUntil(() => keeper.node.network.peers().length === 1, { what: "the peer to be known" });
    const beganMs = performance.now();
    await expect(keeper.compare(LIAR, "/ip4/127.0.0.1/tcp/1", timeoutMs)).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    expect(performance.now() - beganMs).toBeLessThan(15_000);
    expect([keeper.found, keeper.liars, rude.names.digests]).toEqual([[], [], `/parley/${CHAIN_ID}/digests/1`]);
  });
});
