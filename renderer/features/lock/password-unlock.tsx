// Unlocking with the password, after the computer's keychain where the person chose that.
import { type ReactElement, useMemo } from "react";
import { Identicon } from "#renderer/components/basics/identicon.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { CenteredCard } from "#renderer/components/layout/centered-card.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { CurrentPasswordField } from "#renderer/components/secrets/current-password-field.tsx";
import { useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { usePasswordForm } from "#renderer/lib/keyring/use-password-form.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { type LockFace, readLockFace } from "#renderer/lib/profile/lock-face.ts";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";
import styles from "./lock.module.css";
import { type KeychainTry, useKeychainUnlock } from "./use-keychain-unlock.ts";

const FACE_PIXELS = 48;

/** The password card. */
export function PasswordUnlock(props: { readonly onForgot: () => void }): ReactElement {
  const t = useMessages();
  const { keyring, status } = useKeyringValue();
  const form = usePasswordForm((password) => keyring.unlock({ password }));
  const keychain = useKeychainUnlock(keyring, status?.opensWithKeychain === true);
  const account = status?.account?.masterPub;
  const isAllowed = useSettings(({ lockFace }) => lockFace);
  const face = useMemo(() => (isAllowed ? readLockFace(account) : undefined), [isAllowed, account]);
  return (
    <CenteredCard
      title={t("lock.title")}
      text={t("lock.text")}
      aside={face === undefined && status?.account && <AddressChip publicKey={status.account.masterPub} plain />}
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
      {face !== undefined && <OwnFace face={face} />}
      <KeychainNote keychain={keychain} />
      <CurrentPasswordField form={form} autoFocus />
    </CenteredCard>
  );
}

/** Decorative picture, and the name. */
function OwnFace({ face: { account, name, picture } }: { readonly face: LockFace }): ReactElement {
  return (
    <div className={styles.face}>
      {picture === undefined ? (
        <Identicon publicKey={account} size={FACE_PIXELS} />
      ) : (
        <img src={picture} width={FACE_PIXELS} height={FACE_PIXELS} alt="" />
      )}
      <bdi className={styles.name}>{name}</bdi>
    </div>
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
