// Amount and introduction of a contact request, with their costs said plainly.

import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { TextArea } from "#renderer/components/controls/text-area.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { amountProblem } from "#renderer/lib/transactions/amount-input.ts";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { MAX_INTRO_CHARS, MIN_CONTACT_FEE_UT } from "#shared/protocol/primitives/limits.ts";
import { type CheckedRequest, checkRequest, initialAmount, type RequestForm } from "./request-draft.ts";

/** The form with its meaning. */
export interface RequestFormState {
  readonly form: RequestForm;
  readonly change: (changes: Partial<RequestForm>) => void;
  readonly checked: CheckedRequest;
  readonly balanceUt: AmountUt | undefined;
  /** Smallest fee of the network. */
  readonly leastFeeUt: AmountUt;
  /** Problems are shown from the first attempt on, and while typing what is wrong anyway. */
  readonly areProblemsShown: boolean;
  readonly showProblems: () => void;
}

/** State of the form for a person; undefined while no person is chosen. What was typed stays when another person is. */
export function useRequestForm(person: PublicKeyHex | undefined): RequestFormState {
  const { masterPub } = useAccount();
  const { locale } = useLanguage();
  const { data } = useQuery(useNodeQueries().balance(masterPub));
  const leastFeeUt = useLeastFee();
  const [form, setForm] = useState<RequestForm>(() => ({ amount: initialAmount(locale), intro: "" }));
  const [areProblemsShown, setProblemsShown] = useState(false);
  return {
    form,
    change: (changes) => setForm((current) => ({ ...current, ...changes })),
    checked: checkRequest(form, person ?? "", { locale, balanceUt: data?.balanceUt, leastFeeUt }),
    balanceUt: data?.balanceUt,
    leastFeeUt,
    areProblemsShown,
    showProblems: () => setProblemsShown(true),
  };
}

export function RequestFields(props: { readonly form: RequestFormState; readonly autoFocus: boolean }): ReactElement {
  const { form: state, autoFocus } = props;
  const { form, change, checked, leastFeeUt } = state;
  const t = useMessages();
  const minimum = amountText(t, MIN_CONTACT_FEE_UT);
  const fee = amountText(t, leastFeeUt);
  const introProblem = checked.isIntroTooLong ? t("contacts.introTooLong", { limit: MAX_INTRO_CHARS }) : undefined;
  const amountUt = checked.intent?.amountUt;
  return (
    <>
      <p className={shared.hint}>{t("contacts.publicNote")}</p>
      <TextField
        label={t("transactions.amount")}
        value={form.amount}
        onChange={(amount): void => change({ amount })}
        inputMode="decimal"
        mono
        autoFocus={autoFocus}
        affix="T"
        hint={t("contacts.amountHint", { minimum })}
        error={useAmountProblem(state)}
      />
      <TextArea
        label={t("contacts.intro")}
        optional
        value={form.intro}
        onChange={(intro): void => change({ intro })}
        limit={MAX_INTRO_CHARS}
        placeholder={t("contacts.introPlaceholder")}
        hint={t("contacts.introHint")}
        error={introProblem}
      />
      <Banner tone="warning">
        {t("contacts.costNote", { amount: amountUt === undefined ? t("transactions.amount") : amountText(t, amountUt), fee })}
      </Banner>
    </>
  );
}

function useAmountProblem({ checked, form, balanceUt, leastFeeUt, areProblemsShown }: RequestFormState): string | undefined {
  const t = useMessages();
  const isShown = areProblemsShown || checked.amountProblem === "tooLarge" || checked.input.kind === "ambiguous";
  if (!isShown && form.amount !== "") return undefined;
  switch (checked.amountProblem) {
    case "invalid":
      return checked.input.kind === "ambiguous" || areProblemsShown
        ? (amountProblem(t, checked.input) ?? t("contacts.amountInvalid"))
        : undefined;
    case "tooSmall":
      return t("contacts.amountTooSmall", { minimum: amountText(t, MIN_CONTACT_FEE_UT) });
    case "tooLarge":
      return t("contacts.amountTooLarge", { balance: amountText(t, balanceUt ?? 0), fee: amountText(t, leastFeeUt) });
    case undefined:
      return undefined;
  }
}
