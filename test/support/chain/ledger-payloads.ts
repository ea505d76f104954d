// Payloads with signatures inside, and a ledger with a clock that takes one transaction after the other.
import { checkTransaction, type TransactionProblem } from "#node/ledger/check-transaction.ts";
import type { BlockContext } from "#node/ledger/context.ts";
import { applyTransaction } from "#node/ledger/execute.ts";
import { activateUpgrade, paramsAfter } from "#node/ledger/records/params-records.ts";
import { readAccount } from "#node/ledger/records/records.ts";
import type { OverlayStateView } from "#node/state/overlay-state-view.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { proposalSignBytes, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { contradictionOf, digestVersion, signDigest } from "#shared/protocol/keepers/kept-digest.ts";
import { feeSignBytes } from "#shared/protocol/mail/envelope.ts";
import { ROTATION_VERSION } from "#shared/protocol/primitives/limits.ts";
import { firstParams, type NetworkParams, upgradeOf } from "#shared/protocol/primitives/params.ts";
import { signEd25519, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import {
  approvalSignBytes,
  rotationSignBytes,
  upgradeSignBytes,
  type ValidatorAction,
  voucherSignBytes,
  walletSignBytes,
} from "#shared/protocol/transactions/authorisations.ts";
import { type NativeContractName, nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Cosignature, DigestContradiction, Equivocation, PayloadOf, RelayClaim } from "#shared/protocol/transactions/payload.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction, TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import {
  type Actor,
  blockContext,
  CHAIN_ID,
  type Draft,
  deviceKey,
  GENESIS,
  genesisState,
  START_MS,
  signed,
} from "../worlds/ledger-world.ts";

/** {@link GENESIS} with the given validators. */
export function genesisWith(validators: readonly Pick<Actor, "pub">[], bondUt = 1_000_000): Genesis {
  return { ...GENESIS, validators: validators.map(({ pub }) => ({ pub_key: pub, bond_ut: bondUt })) };
}

/** The same on a network whose validators can replace their keys. */
export function rotatingGenesis(validators: readonly Actor[], bondUt = 1_000_000): Genesis {
  const genesis = genesisWith(validators, bondUt);
  return { ...genesis, params: { ...genesis.params, version: ROTATION_VERSION } };
}

/** Base64 signature of an actor. */
export function signatureOf(signer: Actor, bytes: Uint8Array): string {
  return toBase64(signEd25519(bytes, signer.seed));
}

/** A relay's claim, authorised by its sender. */
export function claimOf(sender: Actor, envelopeId: string, feeUt = 1_000): RelayClaim {
  return {
    envelope_id: envelopeId,
    recipient_pub: deviceKey(7),
    sender_pub: sender.pub,
    fee_ut: feeUt,
    fee_sig: signatureOf(sender, feeSignBytes(CHAIN_ID, envelopeId, feeUt)),
  };
}

/** Payload of a BIND_WALLET. */
export function bindingOf(node: Actor, wallet: Actor): PayloadOf<"BIND_WALLET"> {
  return { wallet_pub: wallet.pub, wallet_sig: signatureOf(wallet, walletSignBytes(CHAIN_ID, node.pub)) };
}

/** An approval outside a transaction. */
export function cosignature(signer: Actor, action: ValidatorAction, candidate: Actor, signedAt: number): Cosignature {
  const bytes = approvalSignBytes(CHAIN_ID, { action, publicKey: candidate.pub, signedAt });
  return { validator_pub: signer.pub, signed_at: signedAt, signature: signatureOf(signer, bytes) };
}

/** A change of the network, as UPGRADE names it. */
export type UpgradeWish = Pick<PayloadOf<"UPGRADE">, "set" | "version" | "at_height">;

/** An approval of a change of the network outside a transaction. */
export function upgradeCosignature(signer: Actor, { set, version, at_height }: UpgradeWish, signedAt: number): Cosignature {
  const bytes = upgradeSignBytes(CHAIN_ID, upgradeOf(set, version, at_height), signedAt);
  return { validator_pub: signer.pub, signed_at: signedAt, signature: signatureOf(signer, bytes) };
}

/** Payload of a ROTATE_KEY. */
export function rotationOf(present: Actor, next: Actor): PayloadOf<"ROTATE_KEY"> {
  return { new_pub: next.pub, new_sig: signatureOf(next, rotationSignBytes(CHAIN_ID, present.pub, next.pub)) };
}

/** A payer's voucher. */
export function voucherOf(payer: Actor, channelId: string, paidUt: number): string {
  return signatureOf(payer, voucherSignBytes(CHAIN_ID, channelId, paidUt));
}

/** Two digests of a slot that a keeper signed at a time, ms. */
export function digestLie({ pub, seed }: Actor, nowMs: number, chainId = CHAIN_ID): DigestContradiction {
  const place = { slot: 7, version: digestVersion(nowMs / 1_000), fingerprint: "ab".repeat(32) };
  const [one, other] = [1, 2].map((count) => signDigest(chainId, { ...place, count }, { publicKey: pub, secret: seed }));
  const evidence = one && other && contradictionOf(one, other);
  if (evidence === undefined) throw new Error("Both digests are the same");
  return evidence;
}

/** Two votes of one validator for different blocks. */
export function doubleVote(offender: Actor, height: number, round = 0, step: "prevote" | "precommit" = "precommit"): Equivocation {
  const statement = (blockHash: string | null): { readonly block_hash: string | null; readonly signature: string } => ({
    block_hash: blockHash,
    signature: signatureOf(offender, voteSignBytes(CHAIN_ID, { type: step, height, round, blockHash })),
  });
  return { validator_pub: offender.pub, height, round, step, first: statement("ab".repeat(32)), second: statement(null) };
}

/** Two proposals of one validator for different blocks. */
export function doubleProposal(offender: Actor, height: number, round = 0): Equivocation {
  const statement = (blockHash: string, validRound: number): { block_hash: string; valid_round: number; signature: string } => ({
    block_hash: blockHash,
    valid_round: validRound,
    signature: signatureOf(offender, proposalSignBytes(CHAIN_ID, { height, round, validRound, blockHash })),
  });
  const first = statement("ab".repeat(32), -1);
  return { validator_pub: offender.pub, height, round, step: "proposal", first, second: statement("cd".repeat(32), 0) };
}

/** What a call of a native contract may be given beside its arguments. */
export interface CallOptions {
  readonly amount?: number;
  readonly gasLimit?: number;
}

/** Draft of a call of a native contract. */
export function callOf(
  contract: NativeContractName,
  method: string,
  args: readonly unknown[],
  { amount = 0, gasLimit = 1_000_000 }: CallOptions = {},
): Draft<"CALL_CONTRACT"> {
  const payload = { contract_id: nativeContractId(contract), method, args_json: JSON.stringify(args), gas_limit: gasLimit };
  return { type: "CALL_CONTRACT", amount, payload };
}

/** A ledger that takes one transaction after the other, at a time and height of the test's choice. */
export class LedgerWorld {
  readonly state: OverlayStateView;
  height = 1;
  timeMs = START_MS + 1_000;
  readonly #first: NetworkParams;
  #params: NetworkParams;

  constructor(genesis: Genesis = GENESIS) {
    this.state = genesisState(genesis);
    this.#first = firstParams(genesis.params);
    this.#params = this.#first;
  }

  /** Unix seconds of the block. */
  get now(): number {
    return Math.floor(this.timeMs / 1000);
  }

  get context(): BlockContext {
    return blockContext({ height: this.height, timeMs: this.timeMs, params: this.#params });
  }

  /** Lets block time pass, and a block with it. */
  pass(seconds: number): void {
    const parent = { height: this.height, timeMs: this.timeMs };
    this.timeMs += seconds * 1_000;
    this.height += 1;
    this.#params = paramsAfter(this.state, this.#first, parent);
    activateUpgrade(this.state, this.#params, parent);
  }

  signed<T extends TransactionType>(sender: Actor, draft: Draft<T>): Transaction {
    return signed(sender, { ...draft, nowMs: this.timeMs });
  }

  /** What the stateless check says. */
  problemOf<T extends TransactionType>(sender: Actor, draft: Draft<T>): TransactionProblem | undefined {
    return checkTransaction(this.signed(sender, draft), { chainId: CHAIN_ID, verify: verifyZip215 });
  }

  /** Receipt of a transaction that passes the stateless check and stands in the block. */
  run<T extends TransactionType>(sender: Actor, draft: Draft<T>): Receipt {
    const tx = this.signed(sender, draft);
    const problem = checkTransaction(tx, { chainId: CHAIN_ID, verify: verifyZip215 });
    if (problem !== undefined) throw new Error(`${problem.code}: ${problem.message}`);
    const outcome = applyTransaction(this.state, tx, this.context);
    if (!outcome.isIncluded) throw new Error(`${outcome.code}: ${outcome.message}`);
    return outcome.receipt;
  }

  balance({ pub }: Pick<Actor, "pub">): number {
    return readAccount(this.state, pub).balanceUt;
  }
}
