// The validator's key as the node has it: behind a connection that is made again whenever it ends. A signature counts when it comes within
// a second and verifies; otherwise the validator abstains.
import { formatSignerAddress } from "#node/config/signer-address.ts";
import { comparePositions, type SignedRecord, type SignPosition } from "#node/engine/log/sign-guard.ts";
import type { RemoteSigner } from "#node/engine/voting/right/remote-signer.ts";
import type { Log } from "#node/observability/log.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import type { DigestContradiction } from "#shared/protocol/transactions/payload.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { signedBytes, TX_ID_SALT_BYTES } from "#shared/protocol/transactions/transaction-id.ts";
import { fromHex, toBase64 } from "#shared/util/bytes.ts";
import type { CancelTimer, Clock, RandomBytes, Timers } from "#shared/util/clock.ts";
import { SIGNER_LIMITS } from "../signer-limits.ts";
import { ballotOf, voteOf } from "../wire/ballot.ts";
import type { LastSigned, SignerVersion, SignRequest } from "../wire/messages.ts";
import { readSignedBytes } from "../wire/signed-bytes.ts";
import { SignerConnection, type SignerPlace } from "./signer-connection.ts";

export interface RemoteSignerOptions extends SignerPlace {
  readonly chainId: string;
  readonly nodeKey: PublicKeyHex;
  /** Key of the validator: a signer with another one is not used. */
  readonly publicKey: PublicKeyHex;
  readonly verify: VerifySignature;
  readonly timers: Timers;
  /** From 0 to below 1: nodes do not connect again in step. */
  readonly random: () => number;
  readonly log: Log;
}

/** What became of requests since the start. */
export type SignerCounts = Readonly<Record<"signed" | "refused" | "late" | "lost", number>>;

/** A signer somewhere else. */
export class RemoteSignerClient implements RemoteSigner {
  readonly isRemote = true;
  readonly publicKey: PublicKeyHex;
  readonly #options: RemoteSignerOptions;
  readonly #listeners = new Set<() => void>();
  readonly #counts = { signed: 0, refused: 0, late: 0, lost: 0 };
  #connection: SignerConnection | undefined;
  #isReady = false;
  #last: SignedRecord | undefined;
  #backoffMs: number = SIGNER_LIMITS.firstBackoffMs;
  #problem = "";
  #isRefreshing = false;
  /** A request was refused or not sent: what kept the signer from it, as a full disk, may be over at its next sign of life. */
  #isAskedAgain = false;
  #cancel: CancelTimer = () => undefined;
  #isClosed = false;
  /** That of the next connection, and whether the last one that the signer greeted had the first one. */
  #version: SignerVersion = 2;
  #isEarlier = false;
  /** One vote about a relay at a time: they leave the others their place. */
  #voting: Promise<unknown> = Promise.resolve();

  constructor(options: RemoteSignerOptions) {
    this.#options = options;
    this.publicKey = options.publicKey;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  get last(): SignedRecord | undefined {
    return this.#last;
  }

  /** False while the signer is known to be of an earlier version, which signs no votes about relays. */
  get canVote(): boolean {
    return !this.#isEarlier;
  }

  get counts(): SignerCounts {
    return this.#counts;
  }

  /** Connects, and connects again until it is closed. */
  start(): void {
    this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
    this.#connection?.close("the node stops");
  }

  async sign(position: SignPosition, signBytes: Uint8Array): Promise<Uint8Array | undefined> {
    const { height, round, step } = position;
    const signature = await this.#ask({ purpose: step, height, round, bytes: signBytes });
    const isNewer = this.#last === undefined || comparePositions(position, this.#last.position) > 0;
    if (signature !== undefined && isNewer) this.#last = { position, signBytes, signature };
    return signature;
  }

  /** Signature of the head of a proposal's parts. */
  signParts(height: Height, round: number, bytes: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#ask({ purpose: "parts", height, round, bytes });
  }

  /** Signature of this node's seat. */
  signSeat(bytes: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#ask({ purpose: "seat", height: 0, round: 0, bytes });
  }

  /**
   * The validator's vote to suspend a relay, which offers no fee; undefined when the signer does not sign it in time. Votes wait for each
   * other, and count as no signatures of consensus.
   */
  voteToSuspend(
    evidence: DigestContradiction,
    { clock, random }: { readonly clock: Pick<Clock, "nowMs">; readonly random: RandomBytes },
  ): Promise<Transaction | undefined> {
    const vote = this.#voting.then(async () => {
      const timeS = Math.floor(clock.nowMs() / 1_000);
      return await this.#vote(evidence, { timeS, salt: random(TX_ID_SALT_BYTES) });
    });
    this.#voting = vote.catch(() => undefined);
    return vote;
  }

  async #vote(evidence: DigestContradiction, at: { readonly timeS: number; readonly salt: Uint8Array }): Promise<Transaction | undefined> {
    const { chainId, verify, log } = this.#options;
    const connection = this.#isReady && this.canVote ? this.#connection : undefined;
    if (connection === undefined) return undefined;
    const ballot = ballotOf(evidence, at);
    const unsigned = voteOf(chainId, this.publicKey, ballot);
    const reply = await connection.vote(ballot);
    // A signer of another version may make other bytes of it: that is no reason to leave it.
    if (reply.type === "signed" && verify(reply.signature, signedBytes(unsigned), fromHex(this.publicKey)))
      return { ...unsigned, signature: toBase64(reply.signature) };
    const why = {
      refused: "it refused",
      late: "it did not answer in time",
      lost: "the connection is lost",
      signed: "it signed something else",
    };
    const reason = reply.type === "refused" ? `${why.refused}: ${reply.reason}` : why[reply.type];
    log.warn({ relay: ballot.relay }, `The signer signed no vote to suspend a relay: ${reason}`);
    return undefined;
  }

  refresh(): void {
    if (this.#isReady && !this.#isRefreshing) this.#isRefreshing = this.#connection?.ping() === true;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return (): void => {
      this.#listeners.delete(listener);
    };
  }

  async #ask(request: Omit<SignRequest, "type" | "id">): Promise<Uint8Array | undefined> {
    const { verify, log } = this.#options;
    const { purpose, height, round, bytes } = request;
    const reply = this.#isReady && this.#connection !== undefined ? await this.#connection.sign(request) : ({ type: "lost" } as const);
    if (reply.type === "signed" && !verify(reply.signature, bytes, fromHex(this.publicKey))) {
      this.#connection?.close("its signature does not verify");
      this.#counts.refused += 1;
      return undefined;
    }
    this.#counts[reply.type] += 1;
    if (reply.type === "signed") return reply.signature;
    this.#isAskedAgain = true;
    const why = { refused: "it refused", late: "it did not answer in time", lost: "the connection is lost" }[reply.type];
    const reason = reply.type === "refused" ? `${why}: ${reply.reason}` : why;
    log.warn({ purpose, height, round }, `No signature of the signer, so the validator abstains: ${reason}`);
    return undefined;
  }

  #connect(): void {
    const { chainId, nodeKey, timers } = this.#options;
    const connection: SignerConnection = new SignerConnection({
      ...this.#options,
      chainId,
      nodeKey,
      timers,
      version: this.#version,
      onWelcome: (publicKey, last) => this.#welcome(connection, publicKey, last),
      onLast: (last) => {
        this.#isRefreshing = false;
        const before = this.#last;
        this.#learn(last);
        if (this.#isAskedAgain || !isSamePosition(before, this.#last)) this.#notify();
      },
      onLate: () => this.#notify(),
      onEnd: (reason, isEarlier) => this.#end(reason, isEarlier),
    });
    this.#connection = connection;
  }

  #welcome(connection: SignerConnection, publicKey: PublicKeyHex, last: LastSigned): void {
    const { log, address } = this.#options;
    if (publicKey !== this.publicKey) {
      connection.close(`it has the key of ${formatAddress(publicKey)}, not of ${formatAddress(this.publicKey)}`);
      return;
    }
    this.#last = undefined;
    if (last !== null && !this.#learn(last)) return;
    this.#backoffMs = SIGNER_LIMITS.firstBackoffMs;
    this.#problem = "";
    this.#isReady = true;
    this.#isRefreshing = false;
    this.#isEarlier = this.#version === 1;
    const height = last?.height;
    const votes = this.#isEarlier ? ", which is of an earlier version: it signs no votes to suspend relays" : "";
    log.info({ last_signed_height: height }, `Connected to the signer at ${formatSignerAddress(address)}${votes}`);
    this.#keepAsking();
    this.#notify();
  }

  /** What the signer remembers must be what it can have signed. */
  #learn(last: LastSigned): boolean {
    if (last === null) return true;
    const { signBytes, signature, ...position } = last;
    // Without bytes it remembers a position alone: of a new key, or one that it was given.
    const isTrue = signBytes.length === 0 || this.#isOwn(position, signBytes, signature);
    if (isTrue) this.#last = { position, signBytes, signature };
    else this.#connection?.close("what it remembers is not signed by its key");
    return isTrue;
  }

  #isOwn(position: SignPosition, signBytes: Uint8Array, signature: Uint8Array): boolean {
    const { chainId, verify } = this.#options;
    const content = readSignedBytes(chainId, signBytes);
    if (content.type !== "consensus") return false;
    const { height, round, step } = content.position;
    const isSame = height === position.height && round === position.round && step === position.step;
    return isSame && verify(signature, signBytes, fromHex(this.publicKey));
  }

  #keepAsking(): void {
    this.#cancel();
    this.#cancel = this.#options.timers.setTimer(SIGNER_LIMITS.pingMs, () => {
      this.refresh();
      this.#keepAsking();
    });
  }

  /** Connects again after a while; says why once for each reason. To a signer of an earlier version it speaks that one, this time. */
  #end(reason: string, isEarlier: boolean): void {
    const { log, address, timers, random } = this.#options;
    this.#version = isEarlier ? 1 : 2;
    const wasReady = this.#isReady;
    this.#isReady = false;
    this.#connection = undefined;
    this.#cancel();
    if (this.#isClosed) return;
    if (isEarlier) {
      this.#cancel = timers.setTimer(SIGNER_LIMITS.firstBackoffMs, () => this.#connect());
      return;
    }
    if (reason !== this.#problem)
      log.warn({}, `The signer at ${formatSignerAddress(address)} cannot be used, so the validator abstains: ${reason}`);
    this.#problem = reason;
    this.#cancel = timers.setTimer(this.#backoffMs * (1 + random() / 2), () => this.#connect());
    this.#backoffMs = Math.min(2 * this.#backoffMs, SIGNER_LIMITS.longestBackoffMs);
    if (wasReady) this.#notify();
  }

  #notify(): void {
    this.#isAskedAgain = false;
    for (const listener of this.#listeners) listener();
  }
}

function isSamePosition(a: SignedRecord | undefined, b: SignedRecord | undefined): boolean {
  return a === undefined || b === undefined ? a === b : comparePositions(a.position, b.position) === 0;
}
