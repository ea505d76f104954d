// Checks the signatures of a block on another thread before the main thread needs them. What is found valid is remembered; everything
// else is left to the checks that decide.
import { keysOf, signatureInput } from "#node/ledger/check-transaction.ts";
import type { SignatureInput } from "#node/ledger/transactions/transaction-rule.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { type Commit, commitSigners, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { fromHex } from "#shared/util/bytes.ts";
import type { RememberedSignatures } from "./remembered-signatures.ts";

/** Fewer signatures than this are checked sooner where they are needed. */
const LEAST_SIGNATURES = 8;

/** What preparation works with. */
export interface BlockPreparationDependencies {
  readonly chainId: string;
  readonly signatures: RememberedSignatures;
  readonly verifyLater: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean | Promise<boolean>;
  /** Keys that blocks bring; nothing is learnt by default. */
  readonly keys?: {
    learnSigner(publicKey: PublicKeyHex): void;
    learnKeys(publicKeys: readonly PublicKeyHex[]): Promise<void> | undefined;
  };
  /** True for a transaction that needs no check, because it was checked when it came in. */
  isChecked(tx: Transaction): boolean;
}

export interface BlockPreparation {
  /** The transactions of a proposed block; null when there is nothing worth the way. */
  prepareBlock(block: Block): Promise<void> | null;
  /** The transactions of a block whose commit is proven. */
  prepareDecided(block: Block): Promise<void>;
  /** The signatures of a commit by these validators. */
  prepareCommit(commit: Commit, validators: ValidatorSet): Promise<void>;
}

export function createBlockPreparation(dependencies: BlockPreparationDependencies): BlockPreparation {
  const { chainId, signatures, verifyLater, keys, isChecked } = dependencies;
  const check = async ({ signature, message, publicKey }: SignatureInput): Promise<void> => {
    if (signatures.isKnown(signature, message, publicKey)) return;
    if (await verifyLater(signature, message, publicKey)) signatures.remember(signature, message, publicKey);
  };
  const checkTransaction = async (tx: Transaction): Promise<void> => {
    const input = signatureInput(tx);
    await check(input);
    if (!signatures.isKnown(input.signature, input.message, input.publicKey)) return;
    signatures.rememberTransaction(tx);
    keys?.learnSigner(tx.from);
  };
  const checkAll = async (transactions: readonly Transaction[]): Promise<void> => {
    const named = keys?.learnKeys([...new Set(transactions.flatMap(otherKeysOf))]);
    await Promise.all([named, ...transactions.map(checkTransaction)]);
  };
  const unchecked = (block: Block): readonly Transaction[] => block.transactions.filter((tx) => !isChecked(tx));
  return {
    prepareBlock(block): Promise<void> | null {
      const transactions = unchecked(block);
      return transactions.length < LEAST_SIGNATURES ? null : checkAll(transactions);
    },
    prepareDecided: (block): Promise<void> => checkAll(unchecked(block)),
    async prepareCommit(commit, validators): Promise<void> {
      await Promise.all(commitInputs(chainId, commit, validators).map(check));
    },
  };
}

/** Keys of a transaction but its sender's, which its signature covers. */
function otherKeysOf(tx: Transaction): readonly PublicKeyHex[] {
  return keysOf(tx).slice(1);
}

function commitInputs(chainId: string, commit: Commit, validators: ValidatorSet): readonly SignatureInput[] {
  const { height, round, blockHash, signatures } = commit;
  const message = voteSignBytes(chainId, { type: "precommit", height, round, blockHash });
  return commitSigners(commit, validators.length).flatMap((index, position) => {
    const [validator, signature] = [validators[index], signatures[position]];
    return validator === undefined || signature === undefined ? [] : [{ signature, message, publicKey: fromHex(validator.publicKey) }];
  });
}
