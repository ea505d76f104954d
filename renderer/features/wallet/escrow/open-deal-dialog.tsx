// Opening a deal: who sells, how much, who decides in a dispute, until when.

import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Checkbox } from "#renderer/components/controls/checkbox.tsx";
import { Select } from "#renderer/components/controls/select.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { RecipientForm } from "#renderer/components/people/recipient-form.tsx";
import { AmountField } from "#renderer/components/transactions/amount-field.tsx";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { ReviewDialog, type SheetEnds } from "#renderer/components/transactions/review-form.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { formatDateTime } from "#renderer/lib/format/time.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { amountProblem, readAmount } from "#renderer/lib/transactions/amount-input.ts";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { isDealId } from "#shared/protocol/primitives/asset-rules.ts";
import { toHex } from "#shared/util/bytes.ts";
import { useFound } from "../found/found-store.ts";
import { ESCROW } from "./deals.ts";
import { useDealState } from "./find-deal-dialog.tsx";

const DAY_S = 86_400;
const LIFETIMES = ["1", "3", "7", "14", "30", "90", "180", "360"] as const;
const ID_BYTES = 6;

/** A deal as it is to be opened. */
interface NewDeal {
  readonly id: string;
  readonly seller: PublicKeyHex;
  readonly arbiter: PublicKeyHex | undefined;
  readonly amountUt: AmountUt;
  /** Seconds from the review to the deadline. */
  readonly lifeS: number;
}

export function OpenDealDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const t = useMessages();
  const leastFeeUt = useLeastFee();
  const { masterPub } = useAccount();
  const [seller, setSeller] = useState<PublicKeyHex>();
  const [hasArbiter, setHasArbiter] = useState(false);
  const [arbiter, setArbiter] = useState<PublicKeyHex>();
  const [text, setText] = useState("");
  const [days, setDays] = useState<(typeof LIFETIMES)[number]>("14");
  const [idText, setIdText] = useState(() => `deal-${toHex(crypto.getRandomValues(new Uint8Array(ID_BYTES)))}`);
  const { data: balance } = useQuery(useNodeQueries().balance(masterPub));
  const most = balance === undefined ? undefined : Math.max(0, balance.balanceUt - leastFeeUt);
  const amount = readAmount(text, t.locale, most);
  const id = idText.trim();
  const state = useDealState(id);
  const idProblem = !isDealId(id) ? t("escrow.idWrong") : state === null || state === undefined ? undefined : t("assets.idTaken", { id });
  const chosenArbiter = hasArbiter ? arbiter : undefined;
  const isAgreed = state === null && (!hasArbiter || arbiter !== undefined);
  const refuse =
    (other: PublicKeyHex | undefined) =>
    (key: PublicKeyHex): string | undefined =>
      key === other ? t("escrow.differentPeople") : undefined;
  return (
    <ReviewDialog<NewDeal>
      title={t("escrow.open")}
      description={t("escrow.openText")}
      onClose={onClose}
      draft={
        seller !== undefined && amount.kind === "ok" && isAgreed
          ? { id, seller, arbiter: chosenArbiter, amountUt: amount.amountUt, lifeS: Number(days) * DAY_S }
          : undefined
      }
      review={(deal, ends): ReactElement => <OpenReview deal={deal} ends={ends} />}
    >
      <RecipientForm label={t("escrow.seller")} onChosen={setSeller} refuse={refuse(chosenArbiter)} />
      <AmountField value={text} onChange={setText} error={amountProblem(t, amount)} />
      <Checkbox label={t("escrow.nameArbiter")} hint={t("escrow.nameArbiterHint")} checked={hasArbiter} onChange={setHasArbiter} />
      {hasArbiter && <RecipientForm label={t("escrow.arbiter")} onChosen={setArbiter} refuse={refuse(seller)} />}
      <Select
        label={t("escrow.backAfter")}
        hint={t("escrow.backAfterHint")}
        value={days}
        onChange={setDays}
        options={LIFETIMES.map((value) => ({ value, label: t("common.time.days", { count: Number(value) }) }))}
      />
      <TextField
        label={t("escrow.dealId")}
        hint={t("escrow.dealIdHint")}
        mono
        spellCheck={false}
        value={idText}
        onChange={setIdText}
        error={idProblem}
      />
    </ReviewDialog>
  );
}

function OpenReview({ deal, ends }: { readonly deal: NewDeal; readonly ends: SheetEnds }): ReactElement {
  const { t, locale } = useLanguage();
  const { id, seller, arbiter, amountUt, lifeS } = deal;
  const { add } = useFound("deals");
  const [deadline] = useState(() => Math.floor(Date.now() / 1_000) + lifeS);
  const [person, judge] = [useLabelOf(seller), useLabelOf(arbiter ?? seller)];
  const values = { amount: amountText(t, amountUt), person, date: formatDateTime(locale, deadline * 1_000) };
  return (
    <CallSheet
      call={{ contractId: ESCROW, method: "open", args: [id, seller, arbiter ?? "", BigInt(deadline)], amountUt }}
      title={t("escrow.open")}
      sentence={arbiter === undefined ? t("escrow.openSentence", values) : t("escrow.openSentenceArbiter", { ...values, arbiter: judge })}
      rows={[
        { label: t("escrow.seller"), value: formatAddress(seller), mono: true },
        ...(arbiter === undefined ? [] : [{ label: t("escrow.arbiter"), value: formatAddress(arbiter), mono: true }]),
        { label: t("escrow.dealId"), value: id, mono: true },
      ]}
      confirmLabel={t("wallet.signAndOpen")}
      {...ends}
      onSent={(): void => {
        // What one made stays on the list, however many deals strangers open.
        add(id);
        ends.onSent();
      }}
    />
  );
}
