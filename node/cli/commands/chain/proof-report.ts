// Whether a file proves a payment, in words. Reads files alone: no node is asked.
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { parseCheckpoint } from "#shared/protocol/chain/checkpoint.ts";
import { parseGenesis } from "#shared/protocol/chain/genesis.ts";
import { MAX_PAYMENT_PROOF_BYTES } from "#shared/protocol/light/payment-proof-file.ts";
import { type ProofProblem, type ProofTrust, type ProvenPayment, verifyPaymentProof } from "#shared/protocol/light/verify-payment-proof.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { formatTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { isHex } from "#shared/util/bytes.ts";
import { report } from "../../session/client-session.ts";
import { onOneLine } from "../../session/printing/printable-line.ts";
import { fieldLines } from "../../session/printing/table.ts";
import type { CommandContext } from "../../session/terminal.ts";

/** Options of `parley verify-proof`. */
export interface VerifyProofOptions {
  readonly genesis?: string;
  readonly checkpoint?: string;
  readonly json?: boolean;
}

const PROBLEMS: Readonly<Record<ProofProblem, string>> = {
  tooLarge: `it is larger than ${MAX_PAYMENT_PROOF_BYTES / 1_048_576} MiB, more than any proof of payment`,
  notAProof: "it is no proof of payment, or damaged",
  newerFormat: "a newer version of Parley made it: update this program",
  otherNetwork: "it is of another network than the one you trust",
  genesisMissing: "it does not carry the genesis: name the genesis file instead of its hash",
  checkpointMissing: "it does not hold the block of the checkpoint: name the genesis, or the block of the payment",
  checkpointAbove: "the checkpoint is newer than the payment: name the genesis, or the block of the payment",
  otherValidators: "too few of the validators that you trust signed it",
  altered: "it was altered: what it says is not what the validators signed",
  unsigned: "the signatures of the validators do not verify",
  senderUnsigned: "the signature of the sender does not verify",
  contradiction: "the validators signed a block that cannot be on the chain you trust",
  notPayment: "the transaction is no payment",
  failed: "the payment failed: it is in a block and moved nothing",
  early: "its block is of the future: check the clock of this computer",
  newerRules: "the network has newer rules than this program: update it",
};

/** @throws CodedError PROOF_INVALID that says why; CONFIG_INVALID unless one thing is trusted, and the files can be read */
export async function verifyProof(context: CommandContext, file: string, options: VerifyProofOptions): Promise<void> {
  const trust = trustOf(options);
  const rules = { verify: createNativeVerifier(), hash: sha256, nowMs: context.clock.nowMs() };
  const result = await verifyPaymentProof(readProof(file), trust, rules);
  if (!result.isProven) throw new CodedError("PROOF_INVALID", `${file} proves nothing: ${PROBLEMS[result.problem]}.`);
  const { payment } = result;
  report(context, options, { status: "proven", ...jsonOf(payment) }, linesOf(payment));
}

/** @throws CodedError CONFIG_INVALID unless exactly one thing is trusted */
function trustOf({ genesis, checkpoint }: VerifyProofOptions): ProofTrust {
  if ((genesis === undefined) === (checkpoint === undefined))
    throw new CodedError(
      "CONFIG_INVALID",
      "Say what you trust: --genesis FILE or HASH of your network, or --checkpoint HEIGHT:HASH of a block",
    );
  if (checkpoint !== undefined) return { kind: "checkpoint", checkpoint: parseCheckpoint(checkpoint) };
  if (isHex(genesis, 32)) return { kind: "genesisHash", hash: genesis.toLowerCase() };
  return { kind: "genesis", genesis: parseGenesis(readJson(genesis ?? "")) };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", `${file} is no genesis file that can be read`, { cause });
  }
}

/** No more of a file than a proof may have, and one byte. */
function readProof(file: string): string {
  const bytes = Buffer.alloc(MAX_PAYMENT_PROOF_BYTES + 1);
  try {
    const opened = openSync(file, "r");
    try {
      let length = 0;
      for (let read = -1; read !== 0 && length < bytes.length; length += read)
        read = readSync(opened, bytes, length, bytes.length - length, null);
      return bytes.toString("latin1", 0, length);
    } finally {
      closeSync(opened);
    }
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", `${file} cannot be read`, { cause });
  }
}

function jsonOf(payment: ProvenPayment): Readonly<Record<string, unknown>> {
  const { id, from, to, amountUt, feeUt, memo, chainId, genesisHash, height, blockHash, blockTimeMs, signers, validators } = payment;
  return {
    ...{ tx_id: id, from, to, amount_ut: amountUt, fee_ut: feeUt, memo, chain_id: chainId, genesis_hash: genesisHash },
    ...{ block_index: height, block_hash: blockHash, block_time: formatTimestamp(blockTimeMs), signers, validators },
    trusted_block_index: payment.trustedHeight,
  };
}

function linesOf(payment: ProvenPayment): readonly string[] {
  const { amountUt, feeUt, memo, height, blockHash, blockTimeMs, signers, validators, chainId, trustedHeight, trustedTimeMs } = payment;
  const start = trustedHeight === 0 ? "genesis" : `block ${trustedHeight}`;
  return [
    `Proven: this payment is in block ${height} of ${chainId}, and it succeeded.`,
    ...fieldLines([
      ["amount", formatAmount(amountUt)],
      ["from", formatAddress(payment.from)],
      ["to", formatAddress(payment.to)],
      ["fee", formatAmount(feeUt)],
      ...(memo === "" ? [] : ([["memo", onOneLine(memo)]] as const)),
      ["transaction", payment.id],
      ["block", `${height}  ${formatTimestamp(blockTimeMs)}  ${blockHash}`],
      ["signed by", `${signers} of ${validators} validators, and by the sender`],
      ["trust from", `${start}, ${formatTimestamp(trustedTimeMs)}`],
    ]),
    "Not proven: who the people behind the addresses are, what the payment was for, and what became of the money since.",
    "It rests on the validators from then on, including ones that left since: more than a third of those that you trust could make a false proof.",
  ];
}
