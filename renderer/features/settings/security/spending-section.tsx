// Spending rules: the keyring keeps them. What is stricter holds at once, what is looser asks for the password and holds a day later.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Checkbox } from "#renderer/components/controls/checkbox.tsx";
import { Select } from "#renderer/components/controls/select.tsx";
import { Switch } from "#renderer/components/controls/switch.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { AmountField } from "#renderer/components/transactions/amount-field.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { durationInWords } from "#renderer/lib/format/duration.ts";
import { useConfirmed } from "#renderer/lib/keyring/confirm-context.tsx";
import { useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { putSpending, useBlockMs, useSpending } from "#renderer/lib/keyring/use-spending.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import { amountProblem, readAmount } from "#renderer/lib/transactions/amount-input.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { SpendingView } from "#shared/keyring/intents/spending/spending-api.ts";
import { MAX_ALLOWED_KEYS, type SpendingRules } from "#shared/keyring/intents/spending/spending-rules.ts";
import styles from "../settings.module.css";
import { DELAY_MINUTES, draftOfRules, meansOther, rulesOfDraft, type SpendingDraft } from "./spending-draft.ts";

const MINUTE_MS = 60_000;

export function SpendingSection(): ReactElement {
  const { data, error, refetch } = useSpending();
  if (data === undefined)
    return error === null ? <SkeletonRows count={3} /> : <ErrorState error={error} onRetry={(): void => void refetch()} />;
  return <Rules key={JSON.stringify(data.rules)} view={data} />;
}

interface PartProps {
  readonly draft: SpendingDraft;
  readonly onChange: (changes: Partial<SpendingDraft>) => void;
  readonly wasTried: boolean;
}

function Rules({ view }: { readonly view: SpendingView }): ReactElement {
  const t = useMessages();
  const [before] = useState(() => draftOfRules(view.rules, t.locale));
  const [draft, setDraft] = useState(before);
  const [wasTried, setTried] = useState(false);
  const { save, isPending, error } = useSave();
  const isChanged = meansOther(draft, before, t.locale);
  const part: PartProps = { draft, wasTried, onChange: (changes): void => setDraft({ ...draft, ...changes }) };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    const rules = rulesOfDraft(draft, t.locale);
    if (!("wrong" in rules)) save(rules);
  };
  return (
    <form className={shared.stack4} onSubmit={submit}>
      <p className={shared.hint}>{t("spending.intro")}</p>
      {view.loosened !== null && (
        <Banner
          tone="warning"
          title={t("spending.loosenedTitle", { duration: durationInWords(t, view.loosened.leftMs) })}
          actions={
            <Button size="small" busy={isPending} onClick={(): void => save(view.rules)}>
              {t("spending.keepRules")}
            </Button>
          }
        >
          {t("spending.loosenedText")}
        </Banner>
      )}
      <LimitPart {...part} view={view} />
      <DelayPart {...part} />
      <ContactsPart {...part} />
      {error !== null && !isCodedError(error, "CONFIRMATION_DECLINED") && (
        <Banner tone="danger" title={errorInWords(t, error).title}>
          {errorInWords(t, error).text}
        </Banner>
      )}
      <p role="status" className={shared.hint}>
        {t(isChanged ? "spending.unsaved" : "spending.holds")}
      </p>
      <div className={shared.buttons}>
        <Button type="submit" variant="primary" busy={isPending} disabled={!isChanged}>
          {t("spending.save")}
        </Button>
        {isChanged && <Button onClick={(): void => setDraft(before)}>{t("spending.discard")}</Button>}
      </div>
    </form>
  );
}

function LimitPart({ draft, onChange, wasTried, view }: PartProps & { readonly view: SpendingView }): ReactElement {
  const t = useMessages();
  const amount = readAmount(draft.limit, t.locale);
  const { leftUt } = view;
  return (
    <Section title={t("spending.limit")}>
      <Switch
        label={t("spending.limitSwitch")}
        hint={t("spending.limitHint")}
        checked={draft.hasLimit}
        onChange={(hasLimit): void => onChange({ hasLimit })}
      />
      {draft.hasLimit && (
        <AmountField
          label={t("spending.limitAmount")}
          value={draft.limit}
          onChange={(limit): void => onChange({ limit })}
          error={amountProblem(t, amount) ?? (wasTried && amount.kind === "empty" ? t("wallet.amountEmpty") : undefined)}
          hint={leftUt === null ? undefined : t("spending.leftNow", { left: amountText(t, leftUt) })}
        />
      )}
    </Section>
  );
}

function DelayPart({ draft, onChange, wasTried }: PartProps): ReactElement {
  const t = useMessages();
  const minutes = [...new Set([...DELAY_MINUTES, draft.minutes])].sort((a, b) => a - b);
  const isNothing = wasTried && draft.above.trim() === "" && !draft.firstTime;
  return (
    <Section title={t("spending.delay")}>
      <Switch
        label={t("spending.delaySwitch")}
        hint={t("spending.delayHint")}
        checked={draft.hasDelay}
        onChange={(hasDelay): void => onChange({ hasDelay })}
      />
      {draft.hasDelay && (
        <>
          <div className={styles.columns}>
            <Select
              label={t("spending.delayTime")}
              options={minutes.map((count) => ({ value: String(count), label: durationInWords(t, count * MINUTE_MS) }))}
              value={String(draft.minutes)}
              onChange={(value): void => onChange({ minutes: Number(value) })}
            />
            <AmountField
              label={t("spending.above")}
              optional
              value={draft.above}
              onChange={(above): void => onChange({ above })}
              error={amountProblem(t, readAmount(draft.above, t.locale)) ?? (isNothing ? t("spending.delayNothing") : undefined)}
            />
          </div>
          <Checkbox
            label={t("spending.firstTime")}
            hint={t("spending.firstTimeHint")}
            checked={draft.firstTime}
            onChange={(firstTime): void => onChange({ firstTime })}
          />
        </>
      )}
    </Section>
  );
}

/** The keyring keeps the list: contacts that come later are not on it until it is taken again. */
function ContactsPart({ draft, onChange }: PartProps): ReactElement {
  const t = useMessages();
  const { directory, isKnown } = useContactDirectory();
  const contacts = directory.people.map(({ publicKey }) => publicKey).slice(0, MAX_ALLOWED_KEYS);
  const { only } = draft;
  const isSame = only !== null && contacts.length === only.length && contacts.every((key) => only.includes(key));
  return (
    <Section title={t("spending.contacts")}>
      <Switch
        label={t("spending.contactsSwitch")}
        hint={t("spending.contactsHint")}
        checked={only !== null}
        disabled={!isKnown && only === null}
        onChange={(isOn): void => onChange({ only: isOn ? contacts : null })}
      />
      {only !== null && (
        <>
          <p className={shared.hint}>{t("spending.chosen", { count: only.length })}</p>
          <div className={shared.buttons}>
            {only.map((key) => (
              <AddressChip key={key} publicKey={key} />
            ))}
          </div>
          {isKnown && !isSame && (
            <div>
              <Button size="small" onClick={(): void => onChange({ only: contacts })}>
                {t("spending.takeContacts")}
              </Button>
            </div>
          )}
        </>
      )}
    </Section>
  );
}

function useSave(): { readonly save: (rules: SpendingRules) => void; readonly isPending: boolean; readonly error: Error | null } {
  const t = useMessages();
  const keyring = useKeyring();
  const confirmed = useConfirmed();
  const toasts = useToasts();
  const cache = useQueryClient();
  const blockMs = useBlockMs();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (rules: SpendingRules) =>
      confirmed((password) => keyring.setSpendingRules({ rules, blockMs: blockMs(), ...(password !== undefined && { password }) })),
    onSuccess: (view) => {
      putSpending(cache, view);
      toasts.show({ title: t(view.loosened === null ? "spending.saved" : "spending.savedLater"), tone: "success" });
    },
  });
  return { save: (rules): void => mutate(rules), isPending, error };
}
