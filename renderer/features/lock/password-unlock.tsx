// Unlocking with the password, after the computer's keychain where the person chose that.
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { CenteredCard } from "#renderer/components/layout/centered-card.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { CurrentPasswordField } from "#renderer/components/secrets/current-password-field.tsx";
import { useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { usePasswordForm } from "#renderer/lib/keyring/use-password-form.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { type KeychainTry, useKeychainUnlock } from "./use-keychain-unlock.ts";

/** The password card. */
export function PasswordUnlock(props: { readonly onForgot: () => void }): ReactElement {
  const t = useMessages();
  const { keyring, status } = useKeyringValue();
  const form = usePasswordForm((password) => keyring.unlock({ password }));
  const keychain = useKeychainUnlock(keyring, status?.opensWithKeychain === true);
  return (
    <CenteredCard
      title={t("lock.title")}
      text={t("lock.text")}
      aside={status?.account && <AddressChip publicKey={status.account.masterPub} plain />}
      onSubmit={form.submit}
      actions={
        <>
          <Button variant="ghost" onClick={props.onForgot}>
            {t("lock.forgot")}
          </Button>
          <Button variant="primary" type="submit" busy={form.isPending} disabled={form.password === ""}>
            {t("lock.unlock")}
          </Button>
        </>
      }
    >
      <KeychainNote keychain={keychain} />
      <CurrentPasswordField form={form} autoFocus />
    </CenteredCard>
  );
}

/** What the keychain does or why it did not open: the password below works all the while. */
function KeychainNote({ keychain }: { readonly keychain: KeychainTry }): ReactElement | null {
  const t = useMessages();
  if (keychain.state === "idle") return null;
  if (keychain.state === "asking") return <Banner>{t("lock.keychainAsking")}</Banner>;
  return (
    <Banner
      tone="warning"
      title={t("lock.keychainFailed")}
      actions={
        <Button size="small" onClick={keychain.ask}>
          {t("common.retry")}
        </Button>
      }
    >
      {t("lock.keychainFailedText")}
    </Banner>
  );
}
