// The validator's key as the node has it: behind a connection that is made again whenever it ends. A signature counts when it comes within
// a second and verifies; otherwise the validator abstains.
import { formatSignerAddress } from "#node/config/signer-address.ts";
import { comparePositions, type SignedRecord, type SignPosition } from "#node/engine/log/sign-guard.ts";
import type { RemoteSigner } from "#node/engine/voting/right/remote-signer.ts";
import type { Log } from "#node/observability/log.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import { fromHex } from "#shared/util/bytes.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";
import { SIGNER_LIMITS } from "../signer-limits.ts";
import type { LastSigned, SignRequest } from "../wire/messages.ts";
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
      onWelcome: (publicKey, last) => this.#welcome(connection, publicKey, last),
      onLast: (last) => {
        this.#isRefreshing = false;
        const before = this.#last;
        this.#learn(last);
        if (this.#isAskedAgain || !isSamePosition(before, this.#last)) this.#notify();
      },
      onLate: () => this.#notify(),
      onEnd: (reason) => this.#end(reason),
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
    const height = last?.height;
    log.info({ last_signed_height: height }, `Connected to the signer at ${formatSignerAddress(address)}`);
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

  /** Connects again after a while; says why once for each reason. */
  #end(reason: string): void {
    const { log, address, timers, random } = this.#options;
    const wasReady = this.#isReady;
    this.#isReady = false;
    this.#connection = undefined;
    this.#cancel();
    if (this.#isClosed) return;
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
