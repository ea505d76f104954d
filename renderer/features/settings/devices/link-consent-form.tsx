// The person lets the new device in: the digits that it shows, how much history it gets, the password. Digits are checked first and once;
// a wrong password can be mended.

import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { CurrentPasswordField } from "#renderer/components/secrets/current-password-field.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { amountText } from "#renderer/lib/format/amount.ts";
import { usePasswordForm } from "#renderer/lib/keyring/use-password-form.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { OldDeviceRun } from "#shared/linking/begin-link.ts";
import type { NewDevice } from "#shared/linking/link-message.ts";
import styles from "../link-device.module.css";
import { HISTORY_SCOPES, type HistoryScope, useGrantLink } from "./use-grant-link.ts";

export interface LinkConsentFormProps {
  readonly run: OldDeviceRun;
  /** Undefined until the new device has named itself. */
  readonly device: NewDevice | undefined;
  /** The digits were right. */
  readonly isAccepted: boolean;
  readonly onLinked: () => void;
}

export function LinkConsentForm({ run, device, isAccepted, onLinked }: LinkConsentFormProps): ReactElement {
  const t = useMessages();
  const leastFeeUt = useLeastFee();
  const [digits, setDigits] = useState("");
  const [scope, setScope] = useState<HistoryScope>("all");
  const grant = useGrantLink(run);
  const password = usePasswordForm((text) => grant({ password: text, scope }), onLinked);
  const isWrongPassword = isCodedError(password.error, "VAULT_WRONG_PASSWORD");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (password.isPending || device === undefined) return;
    if (!isAccepted) run.input({ kind: "digits", digits });
    password.submit();
  };
  const error = password.error === null || isWrongPassword ? undefined : errorInWords(t, password.error);
  return (
    <form className={shared.stack4} onSubmit={submit}>
      {error !== undefined && (
        <Banner tone="danger" title={error.title}>
          {error.text}
        </Banner>
      )}
      <KeyValueList
        rows={[
          { label: t("settings.linkDevice"), value: device?.name ?? "…" },
          { label: t("transactions.fee"), value: amountText(t, leastFeeUt) },
        ]}
      />
      <TextField
        label={t("settings.linkDigits")}
        hint={t("settings.linkDigitsHint")}
        value={digits}
        onChange={(value): void => setDigits(value.replace(/\D/g, ""))}
        inputMode="numeric"
        maxLength={2}
        mono
        autoFocus
        disabled={isAccepted}
      />
      <div className={shared.stack2}>
        <span className={shared.medium} aria-hidden="true">
          {t("settings.linkHistory")}
        </span>
        <SegmentedControl
          label={t("settings.linkHistory")}
          options={HISTORY_SCOPES.map((value) => ({ value, label: t(`settings.linkHistory.${value}`) }))}
          value={scope}
          onChange={setScope}
        />
      </div>
      <CurrentPasswordField form={password} error={isWrongPassword ? password.error : null} />
      <p className={styles.hint}>{t("settings.linkPublic")}</p>
      <div className={styles.actions}>
        <Button
          variant="primary"
          type="submit"
          busy={password.isPending}
          disabled={digits.length !== 2 || password.password === "" || device === undefined}
        >
          {t("settings.linkDevice.confirm")}
        </Button>
      </div>
    </form>
  );
}
