// Whether this node may sign at a height: what its guard, its log, the chain and its signer say of earlier signatures of its key.
import type { ValidatorSigner } from "#node/crypto/validator-signer.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import type { Commit } from "#shared/protocol/chain/vote.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import type { ChainTip } from "../../execution/block-application.ts";
import type { ReplaceableFile } from "../../log/engine-storage.ts";
import type { LogRecord } from "../../log/log-record.ts";
import { type GuardedKey, type SignedRecord, SignGuard } from "../../log/sign-guard.ts";
import { HistoryWait, LostMemory, nothingSignedAbove } from "../lost-memory.ts";
import { RemoteMemory } from "./remote-memory.ts";
import { isRemoteSigner, type RemoteSigner, type VotingKey } from "./remote-signer.ts";
import {
  abstainAfter,
  abstainThrough,
  assertGuardIsCurrent,
  type CommitReader,
  precommitOf,
  unknownSignature,
  validatorPosition,
} from "./start-checks.ts";

export interface VotingRightDependencies {
  readonly chainId: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: { warn(details: object, message: string): void };
  readonly commits: CommitReader;
  /** What kept this node from signing may be over. */
  onChange(): void;
}

/** The right of one key on one node. */
export class VotingRight {
  readonly #dependencies: VotingRightDependencies;
  readonly #memory: LostMemory;
  readonly #history: HistoryWait;
  #voting: VotingKey | null = null;
  #remote: RemoteMemory | null = null;
  #abstainThrough: Height = 0;

  constructor(dependencies: VotingRightDependencies) {
    this.#dependencies = dependencies;
    this.#memory = new LostMemory(dependencies.clock);
    this.#history = new HistoryWait(this.#memory, dependencies.timers, () => dependencies.onChange());
  }

  /** The key; null for a node that only watches. */
  get voting(): VotingKey | null {
    return this.#voting;
  }

  /** True for a node that began without a memory on a network too young to have blocks. */
  get isNewNetwork(): boolean {
    return this.#history.isNewNetwork;
  }

  /** Begins with what is stored. @throws CodedError VALIDATOR_UNSAFE, STORAGE_CORRUPT. */
  restore(
    {
      signer,
      file,
      hasNewKey,
    }: { readonly signer: ValidatorSigner | RemoteSigner; readonly file: ReplaceableFile; readonly hasNewKey: boolean },
    tip: ChainTip,
    records: readonly LogRecord[],
  ): void {
    const { chainId, commits, log } = this.#dependencies;
    const remote = isRemoteSigner(signer) ? signer : null;
    const key: GuardedKey = isRemoteSigner(signer) ? { publicKey: signer.publicKey } : signer;
    const guard = new SignGuard(file, chainId, key);
    if (hasNewKey) guard.adopt(nothingSignedAbove(tip.height));
    if (remote === null) assertGuardIsCurrent(guard, key, tip, commits);
    this.#abstainThrough = abstainThrough(guard, key, tip, records);
    if (this.#abstainThrough > 0) log.warn({ through: this.#abstainThrough }, "not voting until this height is decided");
    this.#voting = { signer: key, guard, remote };
    if (guard.last === undefined) this.#history.begin(tip, remote !== null);
    if (remote === null) return;
    this.#remote = new RemoteMemory({ ...this.#dependencies, remote, guard });
    // A signer remembers by itself, and may have signed for another node meanwhile: it may know what this node does not.
    const unknown = unknownSignature(guard, key, tip, commits);
    if (unknown !== undefined) this.#remote.noticeUnknown(unknown);
  }

  /** The log is replayed: `explains` says whether the node asked for a signature itself. */
  begin(explains: (record: SignedRecord) => boolean): void {
    this.#remote?.begin(explains);
  }

  /** Own position at a height after the tip, null when this node does not vote at it. */
  ownIndexAt(height: Height, tip: ChainTip, sawFirstHeight: () => boolean): number | null {
    if (this.#voting === null || height <= this.#abstainThrough) return null;
    const { guard, signer } = this.#voting;
    this.#remote?.remember(tip.height);
    if (guard.last === undefined && tip.height > 0) {
      if (!this.#memory.isAfterStart(tip.timeMs) && !sawFirstHeight()) return null;
      guard.adopt(nothingSignedAbove(tip.height));
      this.#history.end();
    }
    return validatorPosition(tip.nextValidators, signer);
  }

  /** True while nothing is to be signed at a height, though this node is a validator of it. */
  isHeldBack(height: Height): boolean {
    return this.#isWaiting || this.#remote?.isHoldingBack(height) === true;
  }

  /** On a new network a signer that remembers, if only that it has signed nothing, need not wait for what others have decided. */
  get #isWaiting(): boolean {
    const remembers = this.#voting?.remote?.last !== undefined;
    return this.#history.isWaiting && !(this.#history.isNewNetwork && remembers);
  }

  /** A commit may hold a signature of the key that this node does not know. */
  noticeForgotten(commit: Commit, validators: ValidatorSet): void {
    if (this.#voting === null) return;
    const { guard, signer } = this.#voting;
    const through = abstainAfter(guard, signer, validators, commit);
    if (through === 0) return;
    if (this.#remote !== null) {
      this.#remote.noticeUnknown(precommitOf(commit));
      return;
    }
    if (through <= this.#abstainThrough) return;
    if (this.#abstainThrough < commit.height)
      this.#dependencies.log.warn(
        { through },
        "Blocks carry signatures of this key that its sign guard does not know: not voting for some heights",
      );
    this.#abstainThrough = through;
  }

  close(): void {
    this.#history.cancel();
    this.#remote?.close();
  }
}
