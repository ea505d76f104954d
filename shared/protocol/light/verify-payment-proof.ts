// Whether a proof of payment holds, from a genesis or a checkpoint that the reader trusts: no node is asked. Pure; the time is an argument.
import { fromHex, tryFromBase64 } from "#shared/util/bytes.ts";
import type { Checkpoint } from "../chain/checkpoint.ts";
import { type Genesis, genesisHash, parseGenesis } from "../chain/genesis.ts";
import { type BlockHeader, type HashHex, type Height, headerHash } from "../chain/header.ts";
import type { LightBlock, TrustedBlock } from "../chain/light-block.ts";
import { validatorsHash } from "../chain/validators.ts";
import { commitSigners } from "../chain/vote.ts";
import type { PublicKeyHex } from "../primitives/address.ts";
import type { AmountUt } from "../primitives/amount.ts";
import type { Sha256 } from "../primitives/hash.ts";
import { verifyMerkleProof } from "../primitives/merkle.ts";
import type { VerifySignature } from "../primitives/signature.ts";
import { decodePayload } from "../transactions/payload.ts";
import { signBytes } from "../transactions/sign-bytes.ts";
import { type PaymentProof, type PaymentProofFault, parsePaymentProof } from "./payment-proof-file.ts";
import { genesisStart, isWithinReach } from "./proof-start.ts";
import { CLOCK_DRIFT_MS, checkBlockOfHash, type LightRules, verifyLightBlock } from "./verify-light-block.ts";

/** What the reader trusts: a genesis, its hash where the file carries the genesis, or a block by height and hash. */
export type ProofTrust =
  | { readonly kind: "genesis"; readonly genesis: Genesis }
  | { readonly kind: "genesisHash"; readonly hash: HashHex }
  | { readonly kind: "checkpoint"; readonly checkpoint: Checkpoint };

export interface ProofRules {
  readonly verify: VerifySignature;
  readonly hash: Sha256;
  readonly nowMs: number;
  readonly knownVersions?: readonly number[] | undefined;
  /** Called before each block: a page draws meanwhile. */
  readonly pause?: () => Promise<void>;
}

/**
 * Why a file proves nothing.
 * - `otherNetwork`: it is of another chain than the trusted one.
 * - `genesisMissing`, `checkpointMissing`: it lacks what the trust names; `checkpointAbove`: that is newer than the payment.
 * - `otherValidators`: too few of the trusted validators signed.
 * - `altered`: payment, receipt, set or block are not those that the header names.
 * - `unsigned`: the signatures of the validators do not verify; `senderUnsigned`: that of the sender does not.
 * - `contradiction`: trusted validators signed what cannot stand on the trusted chain.
 * - `notPayment`: it is a transaction of another type; `failed`: it failed and moved nothing.
 * - `early`: its block is ahead of the clock; `newerRules`: the program is too old for its block.
 */
export type ProofProblem =
  | PaymentProofFault
  | "otherNetwork"
  | "genesisMissing"
  | "checkpointMissing"
  | "checkpointAbove"
  | "otherValidators"
  | "altered"
  | "unsigned"
  | "senderUnsigned"
  | "contradiction"
  | "notPayment"
  | "failed"
  | "early"
  | "newerRules";

/** What a proof shows. */
export interface ProvenPayment {
  readonly id: string;
  readonly from: PublicKeyHex;
  readonly to: PublicKeyHex;
  readonly amountUt: AmountUt;
  /** All that the sender paid beside the amount, µT. */
  readonly feeUt: AmountUt;
  /** Signed with the payment, written by the sender; "" for none. */
  readonly memo: string;
  readonly chainId: string;
  /** Null where trust began at a block: nothing in a file says which genesis that follows from. */
  readonly genesisHash: HashHex | null;
  readonly height: Height;
  readonly blockHash: HashHex;
  /** Time that the validators signed, ms. */
  readonly blockTimeMs: number;
  /** Validators that signed the block, and those of its set. */
  readonly signers: number;
  readonly validators: number;
  /** Where trust began: height and time of the genesis or the checkpoint. */
  readonly trustedHeight: Height;
  readonly trustedTimeMs: number;
}

export type ProofResult =
  | { readonly isProven: true; readonly payment: ProvenPayment }
  | { readonly isProven: false; readonly problem: ProofProblem };

interface Step {
  readonly trusted: TrustedBlock;
  /** Blocks above it, up to that of the payment. */
  readonly above: readonly LightBlock[];
}

/** Whether the text of a file proves a payment. Never throws for what is in the file. */
export async function verifyPaymentProof(text: string, trust: ProofTrust, rules: ProofRules): Promise<ProofResult> {
  const proof = parsePaymentProof(text);
  if (typeof proof === "string") return { isProven: false, problem: proof };
  const problem = contentProblem(proof, rules);
  if (problem !== undefined) return { isProven: false, problem };
  const begin = beginOf(proof, trust, rules);
  if (typeof begin === "string") return { isProven: false, problem: begin };
  let { trusted } = begin;
  for (const next of begin.above) {
    await rules.pause?.();
    const verified = stepTo(trusted, next, lightRules(proof, rules), rules.nowMs);
    if (typeof verified === "string") return { isProven: false, problem: verified };
    trusted = verified;
  }
  const checkedGenesis = trust.kind === "checkpoint" ? null : proof.genesisHash;
  return { isProven: true, payment: { ...paymentOf(proof, begin.trusted.header, trusted), genesisHash: checkedGenesis } };
}

/** What is wrong with the payment under its own header; cheap beside signatures of validators. */
function contentProblem(proof: PaymentProof, { hash, verify }: ProofRules): ProofProblem | undefined {
  const { block, transaction, transactionProof, receipt, receiptProof, chainId } = proof;
  const { header } = block;
  if (header.chainId !== chainId || transactionProof.size !== header.txCount || receipt.txId !== transaction.id) return "altered";
  const isHeld =
    verifyMerkleProof(fromHex(header.txRoot), proof.transactionBytes, transactionProof, hash) &&
    verifyMerkleProof(fromHex(header.receiptsRoot), proof.receiptBytes, receiptProof, hash);
  if (!isHeld) return "altered";
  if (transaction.type !== "TRANSFER" || transaction.amount < 1) return "notPayment";
  if (!receipt.isOk) return "failed";
  const signature = tryFromBase64(transaction.signature);
  const isSigned = signature !== undefined && verify(signature, signBytes(transaction), fromHex(transaction.from));
  return isSigned ? undefined : "senderUnsigned";
}

function beginOf(proof: PaymentProof, trust: ProofTrust, rules: ProofRules): Step | ProofProblem {
  if (trust.kind === "checkpoint") return fromCheckpoint(proof, trust.checkpoint, rules);
  if (trust.kind === "genesis") return fromGenesis(proof, trust.genesis, rules);
  if (trust.hash !== proof.genesisHash) return "otherNetwork";
  const genesis = tryGenesis(proof.genesis);
  if (genesis === undefined) return proof.genesis === undefined ? "genesisMissing" : "altered";
  return genesisHash(genesis) === trust.hash ? fromGenesis(proof, genesis, rules) : "altered";
}

/** No validator signs block 0: of it, set, time and chain follow from the genesis file, and no more is used. */
function fromGenesis(proof: PaymentProof, genesis: Genesis, { hash }: ProofRules): Step | ProofProblem {
  const parentHash = genesisHash(genesis);
  if (parentHash !== proof.genesisHash || genesis.chain_id !== proof.chainId) return "otherNetwork";
  const above = [...proof.path, proof.block];
  const begin = genesisStart(genesis, hash);
  const [first] = above;
  return { trusted: first?.header.height === 1 ? { ...begin, hash: first.header.parentHash } : begin, above };
}

function fromCheckpoint(proof: PaymentProof, { height, hash }: Checkpoint, rules: ProofRules): Step | ProofProblem {
  if (height > proof.block.header.height) return "checkpointAbove";
  const blocks = [...proof.path, proof.block];
  const index = blocks.findIndex(({ header }) => header.height === height);
  const block = blocks[index];
  if (block === undefined) return "checkpointMissing";
  if (headerHash(block.header, rules.hash) !== hash) return "otherNetwork";
  const trusted = checkBlockOfHash(block, hash, lightRules(proof, rules));
  return "reason" in trusted ? "unsigned" : { trusted, above: blocks.slice(index + 1) };
}

function stepTo(trusted: TrustedBlock, next: LightBlock, rules: LightRules, nowMs: number): TrustedBlock | ProofProblem {
  const { header, commit, validators } = next;
  if (header.chainId !== rules.chainId) return "otherNetwork";
  if (commit === null || commit.blockHash !== headerHash(header, rules.hash)) return "altered";
  if (validatorsHash(validators, rules.hash) !== header.validatorsHash) return "altered";
  if (!isWithinReach(trusted, next)) return "otherValidators";
  const result = verifyLightBlock(trusted, next, nowMs, rules);
  switch (result.outcome) {
    case "verified":
      return result.block;
    case "contradiction":
      return "contradiction";
    case "missingVersion":
      return "newerRules";
    case "early":
      return "early";
    case "invalid":
    case "tooFarApart":
    case "expired":
      return "unsigned";
  }
}

/** A file is read long after it was made: its blocks do not expire. What that means, the words say that show the result. */
function lightRules({ chainId }: PaymentProof, { verify, hash, knownVersions }: ProofRules): LightRules {
  return { chainId, verify, hash, knownVersions, trustingPeriodMs: Number.POSITIVE_INFINITY, clockDriftMs: CLOCK_DRIFT_MS };
}

function paymentOf(
  { transaction, receipt, chainId }: PaymentProof,
  begin: BlockHeader,
  at: TrustedBlock,
): Omit<ProvenPayment, "genesisHash"> {
  const { id, from, to, amount } = transaction;
  const memo = decodePayload(transaction.payload)?.memo;
  return {
    ...{ id, from, to, amountUt: amount, feeUt: receipt.feeUt, memo: typeof memo === "string" ? memo : "", chainId },
    ...{ height: at.header.height, blockHash: at.hash, blockTimeMs: at.header.timeMs },
    signers: at.commit === null ? 0 : commitSigners(at.commit, at.validators.length).length,
    validators: at.validators.length,
    ...{ trustedHeight: begin.height, trustedTimeMs: begin.timeMs },
  };
}

function tryGenesis(value: unknown): Genesis | undefined {
  try {
    return parseGenesis(value);
  } catch {
    return undefined;
  }
}
