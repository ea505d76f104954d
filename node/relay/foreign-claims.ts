// Fees of mail that a node brought along from the previous chain: their senders signed them for that one, and here they would be refused.
import { MAX_STORED_CLAIMS, type RelayClaimRepository, type StoredClaim } from "#node/storage/mailbox/relay-claim-repository.ts";
import { feeSignBytes } from "#shared/protocol/mail/envelope.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import { fromHex, tryFromBase64 } from "#shared/util/bytes.ts";

/** Forgets the claims whose signature is not one for this chain, and gives their number. */
export function forgetForeignClaims(claims: RelayClaimRepository, chainId: string, verify: VerifySignature): number {
  const isForeign = ({ envelope_id, fee_ut, fee_sig, sender_pub }: StoredClaim): boolean => {
    const signature = tryFromBase64(fee_sig);
    return signature === undefined || !verify(signature, feeSignBytes(chainId, envelope_id, fee_ut), fromHex(sender_pub));
  };
  const foreign = claims.list(MAX_STORED_CLAIMS).filter(isForeign);
  claims.remove(foreign.map(({ seq }) => seq));
  return foreign.length;
}
