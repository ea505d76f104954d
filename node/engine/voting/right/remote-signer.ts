// A validator's key in another process, as the engine uses it: it answers later, or not at all.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { GuardedKey, SignedRecord, SignGuard, SignPosition } from "../../log/sign-guard.ts";

/** A signer that may be away, slow, or serve another node as well. It remembers by itself what it has signed. */
export interface RemoteSigner {
  readonly isRemote: true;
  readonly publicKey: PublicKeyHex;
  /** True while it is connected and answers. */
  readonly isReady: boolean;
  /** The newest signature that it is known to remember; undefined when it remembers none. */
  readonly last: SignedRecord | undefined;
  /** The signature, or undefined when there is none in time. */
  sign(position: SignPosition, signBytes: Uint8Array): Promise<Uint8Array | undefined>;
  /** Asks what it has signed last. */
  refresh(): void;
  /** Calls back when it was connected or lost, answers again, or has signed something that this node did not ask for. */
  onChange(listener: () => void): () => void;
}

/** True for a signer in another process. */
export function isRemoteSigner(signer: object): signer is RemoteSigner {
  return "isRemote" in signer;
}

/** What signs for this node; null parts of a driver mean that it only watches. */
export interface VotingKey {
  readonly signer: GuardedKey;
  readonly guard: SignGuard;
  /** Null: the guard signs by itself. */
  readonly remote: RemoteSigner | null;
}
