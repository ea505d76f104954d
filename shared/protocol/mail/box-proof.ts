// What a mailbox key signs: proofs that every node can check and none can invent.
import { fromBase64, fromHex } from "#shared/util/bytes.ts";
import { domainBytes } from "../primitives/domains.ts";
import type { VerifySignature } from "../primitives/signature.ts";
import type { X25519KeyHex } from "./envelope.ts";
import { isSignedByBoxKey } from "./xeddsa.ts";

/** Most envelopes that one signature deletes. */
export const MAX_DELETED_IDS = 256;
/** A proof is passed on by nodes whose chain is so many blocks from its height, before and after. */
export const PROOF_HEIGHTS = 600;

/** Envelopes that the owner of a mailbox deletes. */
export interface BoxDeletion {
  readonly mailbox: X25519KeyHex;
  readonly ids: readonly string[];
  /** Height of the chain when it was signed. */
  readonly height: number;
  /** Base64 of the XEdDSA signature. */
  readonly signature: string;
}

/** Bytes that a mailbox key signs to delete: domain `parley-box` over ["delete", mailbox, ids, height]. */
export function deletionSignBytes(chainId: string, { mailbox, ids, height }: Omit<BoxDeletion, "signature">): Uint8Array {
  return domainBytes("box", chainId, ["delete", fromHex(mailbox), ids, height]);
}

/** True when the mailbox key has signed the deletion. */
export function isSignedDeletion(
  chainId: string,
  deletion: BoxDeletion,
  verify: (...input: Parameters<VerifySignature>) => boolean | Promise<boolean>,
): Promise<boolean> {
  const message = deletionSignBytes(chainId, deletion);
  return isSignedByBoxKey(verify, { message, signature: fromBase64(deletion.signature), publicKey: deletion.mailbox });
}
