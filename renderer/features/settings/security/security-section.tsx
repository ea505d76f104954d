// Locks and the password.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Select } from "#renderer/components/controls/select.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { NewPasswordFields } from "#renderer/components/secrets/new-password-fields.tsx";
import { PasswordField } from "#renderer/components/secrets/password-field.tsx";
import { useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { AUTO_LOCK_MINUTES, idleMsOf, minutesOf, useAutoLockChoice } from "#renderer/lib/keyring/use-auto-lock-choice.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNewPassword } from "#renderer/lib/profile/use-new-password.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { AutoLockSettings, AutoLockState } from "#shared/keyring/keyring-api.ts";
import styles from "../settings.module.css";
import { KeychainSection } from "./keychain-section.tsx";
import { LockFaceSection } from "./lock-face-section.tsx";

const MINUTES_PER_HOUR = 60;

export function SecuritySection(): ReactElement {
  const t = useMessages();
  const { current, change, error } = useAutoLockChoice();
  return (
    <>
      <Section title={t("settings.autoLock")} hint={t("settings.autoLockHint")}>
        {current.data === undefined ? <SkeletonRows count={1} /> : <AutoLockFields state={current.data} onChange={change} />}
        {error !== null && !isCodedError(error, "CONFIRMATION_DECLINED") && (
          <Banner tone="danger" title={errorInWords(t, error).title}>
            {errorInWords(t, error).text}
          </Banner>
        )}
      </Section>
      <LockFaceSection />
      <KeychainSection />
      <PasswordForm />
    </>
  );
}

interface AutoLockFieldsProps {
  readonly state: AutoLockState;
  readonly onChange: (next: AutoLockSettings) => void;
}

function AutoLockFields({ state: { walletIdleMs, fullIdleMs }, onChange }: AutoLockFieldsProps): ReactElement {
  const t = useMessages();
  const options = AUTO_LOCK_MINUTES.map((minutes) => ({ value: String(minutes), label: durationLabel(t, minutes) }));
  return (
    <div className={styles.columns}>
      <Select
        label={t("settings.walletLock")}
        hint={t("settings.walletLockHint")}
        options={options}
        value={String(minutesOf(walletIdleMs))}
        onChange={(minutes): void => onChange({ walletIdleMs: idleMsOf(Number(minutes)), fullIdleMs })}
      />
      <Select
        label={t("settings.fullLock")}
        hint={t("settings.fullLockHint")}
        options={options}
        value={String(minutesOf(fullIdleMs))}
        onChange={(minutes): void => onChange({ walletIdleMs, fullIdleMs: idleMsOf(Number(minutes)) })}
      />
    </div>
  );
}

function PasswordForm(): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const { keyring, refresh } = useKeyringValue();
  const [current, setCurrent] = useState("");
  const chosen = useNewPassword();
  const save = useMutation({
    mutationFn: (next: string) => keyring.changePassword({ current, next }),
    onSuccess: async () => {
      setCurrent("");
      chosen.clear();
      // What was said of the old password goes.
      await refresh();
      toasts.show({ title: t("settings.passwordChanged"), tone: "success" });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!save.isPending) chosen.submit((next) => save.mutate(next));
  };
  const typeCurrent = (value: string): void => {
    setCurrent(value);
    save.reset();
  };
  return (
    <form onSubmit={submit}>
      <Section title={t("common.password")} hint={t("settings.passwordText")}>
        <PasswordField
          label={t("settings.currentPassword")}
          purpose="current"
          value={current}
          onChange={typeCurrent}
          error={save.error === null ? undefined : errorInWords(t, save.error).text}
        />
        <NewPasswordFields label={t("settings.newPassword")} chosen={chosen} />
        <div>
          <Button type="submit" busy={save.isPending} disabled={current === "" || chosen.password === ""}>
            {t("settings.changePassword")}
          </Button>
        </div>
      </Section>
    </form>
  );
}

function durationLabel(t: Translate, minutes: number): string {
  if (minutes === 0) return t("common.never");
  return minutes < MINUTES_PER_HOUR
    ? t("common.time.minutes", { count: minutes })
    : t("common.time.hours", { count: minutes / MINUTES_PER_HOUR });
}
