// RELAY_PROOF: a relay collects the fees that senders authorised for their envelopes. A claim that cannot be paid is skipped and
// named in the receipt; a transaction that pays nothing at all fails.
import { feeSignBytes, isEnvelopeId } from "#shared/protocol/mail/envelope.ts";
import { LARGE_PAYLOAD_BYTES, MAX_RELAY_CLAIMS } from "#shared/protocol/primitives/limits.ts";
import type { FailureCode } from "#shared/protocol/transactions/failure-codes.ts";
import type { RelayClaim } from "#shared/protocol/transactions/payload.ts";
import type { ReceiptLog } from "#shared/protocol/transactions/receipt.ts";
import { fromBase64, fromHex } from "#shared/util/bytes.ts";
import { move } from "../../records/balance.ts";
import { isClaimed, readNodeCounters, readRelay, readWallet, writeClaim, writeNodeCounters } from "../../records/node-records.ts";
import { readAccount } from "../../records/records.ts";
import type { StateReader } from "../../state-view.ts";
import { amountField, checkedField, hexField, listField, objectField, signatureField, x25519KeyField } from "../payload-fields.ts";
import type { TransactionRule } from "../transaction-rule.ts";

const claimField = objectField<RelayClaim>({
  envelope_id: checkedField("an envelope id", isEnvelopeId),
  recipient_pub: x25519KeyField("any case"),
  sender_pub: hexField(32, "an Ed25519 key"),
  fee_ut: amountField(1),
  fee_sig: signatureField(),
});

export const relayProof: TransactionRule<"RELAY_PROOF"> = {
  recipient: "none",
  minimumAmountUt: "none",
  fields: { claims: listField(claimField, 1, MAX_RELAY_CLAIMS) },
  maxPayloadBytes: LARGE_PAYLOAD_BYTES,
  signatures: (_tx, { claims }, chainId) =>
    claims.map((claim) => ({
      signature: fromBase64(claim.fee_sig),
      message: feeSignBytes(chainId, claim.envelope_id, claim.fee_ut),
      publicKey: fromHex(claim.sender_pub),
    })),
  failure: (state, tx): FailureCode | undefined => (readRelay(state, tx.from) === undefined ? "RELAY_NOT_REGISTERED" : undefined),
  apply: (view, tx, { claims }) => {
    const wallet = readWallet(view, tx.from);
    const logs: ReceiptLog[] = [];
    for (const claim of claims) {
      const reason = unpaidReason(view, claim);
      if (reason === undefined) {
        move(view, claim.sender_pub, wallet, claim.fee_ut);
        writeClaim(view, claim.sender_pub, claim.envelope_id, tx.from);
      } else logs.push({ contractId: "", message: `unpaid ${claim.envelope_id} ${claim.sender_pub} ${reason}` });
    }
    if (logs.length === claims.length) return { failure: "RELAY_NOTHING_PAID", logs };
    const counters = readNodeCounters(view, tx.from);
    writeNodeCounters(view, tx.from, { ...counters, relayProofs: counters.relayProofs + 1 });
    return { logs, concerns: [wallet] };
  },
};

function unpaidReason(state: StateReader, claim: RelayClaim): "claimed" | "unaffordable" | undefined {
  if (isClaimed(state, claim.sender_pub, claim.envelope_id)) return "claimed";
  return readAccount(state, claim.sender_pub).balanceUt < claim.fee_ut ? "unaffordable" : undefined;
}
