// What a transaction did, in one sentence that names each person in it.
import type { ReactElement } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { kindOfType, typeOfIntent } from "#renderer/lib/transactions/transaction-kind.ts";
import type { IntentSummary } from "#shared/keyring/intents/intents.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { Amount } from "../basics/amount.tsx";
import { RichText, slot } from "../basics/rich-text.tsx";
import { AddressChip } from "../people/address-chip.tsx";
import styles from "./transaction-sentence.module.css";

/** What a sentence needs; every listing of the node has them. */
export interface SentenceInput {
  readonly type: string;
  readonly from: PublicKeyHex | "";
  readonly to: PublicKeyHex | "";
  readonly amount_ut: AmountUt;
}

/** Input for a submitted transaction that is in no block yet. */
export function sentenceOfSummary({ kind, from, to, amountUt }: IntentSummary): SentenceInput {
  return { type: typeOfIntent(kind), from, to: to ?? "", amount_ut: amountUt };
}

export interface TransactionSentenceProps {
  readonly transaction: SentenceInput;
  /** It was refused in its block: the sentence says that it was only tried. */
  readonly hasFailed?: boolean;
  /** Chips without actions: inside a row that is itself a link. */
  readonly plain?: boolean;
}

/** For example "Anna paid 5 T to you". */
export function TransactionSentence(props: TransactionSentenceProps): ReactElement {
  const { transaction, hasFailed = false, plain = false } = props;
  const { type, from, to, amount_ut: amountUt } = transaction;
  const t = useMessages();
  const kind = kindOfType(type);
  const shape = kind === "transfer" && from === to ? "selfTransfer" : kind;
  const slots = { from: slot("from"), to: slot("to"), amount: slot("amount"), type };
  const text = t(`transactions.${hasFailed ? "tried" : "said"}.${shape}`, slots);
  const chip = (key: PublicKeyHex | ""): ReactElement | undefined =>
    key === "" ? undefined : <AddressChip publicKey={key} {...(plain && { plain })} />;
  return (
    <span className={styles.sentence}>
      <RichText text={text} parts={{ from: chip(from), to: chip(to), amount: <Amount amountUt={amountUt} size="strong" /> }} />
    </span>
  );
}
