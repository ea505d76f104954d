// What a node may sign with a signer that remembers by itself. The signer never signs a position twice; what it cannot know is whether
// this node still has what led to its last signature. Where it has not (another node asked for it, or the log was lost) a lock may be
// forgotten, so this node signs nothing at that height.
import type { Height } from "#shared/protocol/chain/header.ts";
import { comparePositions, type SignedRecord, type SignGuard, type SignPosition } from "../../log/sign-guard.ts";
import type { RemoteSigner } from "./remote-signer.ts";
import { SIGNATURE_SEARCH_BLOCKS } from "./start-checks.ts";

export interface RemoteMemoryDependencies {
  readonly remote: RemoteSigner;
  readonly guard: SignGuard;
  readonly log: { warn(details: object, message: string): void };
  /** What kept this node from signing may be over. */
  onChange(): void;
}

/** The signer's memory beside that of this node. */
export class RemoteMemory {
  readonly #dependencies: RemoteMemoryDependencies;
  /** Undefined until the log is replayed: what is in it is not known before. */
  #explains: ((record: SignedRecord) => boolean) | undefined;
  /** Up to this height something was signed that this node did not ask for. */
  #foreignHeight: Height = 0;
  /** A signature in a commit that neither this node nor the signer is known to remember. */
  #unknown: SignPosition | undefined;
  #isBehind = false;
  /** Newest height that is known to be decided. */
  #decided: Height = 0;
  #stopListening: () => void = () => undefined;

  constructor(dependencies: RemoteMemoryDependencies) {
    this.#dependencies = dependencies;
  }

  /** Compares from now on. `explains` says whether this node asked for a signature, or would ask for it. */
  begin(explains: (record: SignedRecord) => boolean): void {
    this.#explains = explains;
    this.#stopListening = this.#dependencies.remote.onChange(() => {
      this.#compare();
      this.#dependencies.onChange();
    });
    this.#compare();
    if (this.#dependencies.remote.isReady) this.#dependencies.onChange();
  }

  /** True while nothing is to be signed at a height. */
  isHoldingBack(height: Height): boolean {
    if (this.#explains === undefined || !this.#dependencies.remote.isReady) return true;
    return this.#isBehind || this.#isUnknownAt(height) || height <= this.#foreignHeight;
  }

  /** A commit carries a signature of the key that this node does not know: another node asked for it, or the signer forgot. */
  noticeUnknown(position: SignPosition): void {
    const { remote, log } = this.#dependencies;
    const known = this.#unknown;
    if (known !== undefined && comparePositions(position, known) <= 0) return;
    this.#unknown = position;
    this.#compare();
    if (this.#unknown === undefined) return;
    remote.refresh();
    if (known !== undefined) return;
    log.warn({ ...position }, "A block carries a signature of the validator's key that its signer is not known to remember: not voting");
  }

  /** A height is decided: whatever the signer has signed up to it, this node need not explain any more. */
  remember(decided: Height): void {
    const { remote, guard } = this.#dependencies;
    this.#decided = decided;
    if (remote.isReady && remote.last !== undefined && remote.last.position.height <= decided) guard.adopt(remote.last);
  }

  close(): void {
    this.#stopListening();
  }

  /** A signer without any memory will never know the signature: then this node waits as one without a memory does. */
  #isUnknownAt(height: Height): boolean {
    if (this.#unknown === undefined) return false;
    const { last } = this.#dependencies.remote;
    if (last === undefined) return height <= this.#unknown.height + SIGNATURE_SEARCH_BLOCKS;
    return comparePositions(last.position, this.#unknown) < 0;
  }

  #compare(): void {
    const { remote, guard, log } = this.#dependencies;
    if (!remote.isReady || this.#explains === undefined) return;
    const { last } = remote;
    const wasBehind = this.#isBehind;
    this.#isBehind = isSigned(guard.last) && (last === undefined || comparePositions(last.position, guard.last.position) < 0);
    if (this.#isBehind && !wasBehind)
      log.warn(
        { signer: last?.position, node: guard.last?.position },
        "The signer remembers less than it has signed for this node: another signer has the key, or its folder is an old copy. Not voting",
      );
    if (last === undefined || this.#isBehind) return;
    if (this.#unknown !== undefined && comparePositions(last.position, this.#unknown) >= 0) this.#unknown = undefined;
    if (guard.last !== undefined && comparePositions(last.position, guard.last.position) <= 0) return;
    if (this.#explains(last)) return;
    guard.adopt(last);
    if (last.position.height <= Math.max(this.#foreignHeight, this.#decided) || !isSigned(last)) return;
    this.#foreignHeight = last.position.height;
    log.warn({ ...last.position }, "The signer has signed what this node did not ask for: not voting at that height");
  }
}

/** True for a real signature: what a new key remembers has none. */
function isSigned(record: SignedRecord | undefined): record is SignedRecord {
  return record !== undefined && record.signBytes.length > 0;
}
