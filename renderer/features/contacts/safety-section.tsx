// The number to compare with a person, and the mark that it was compared.
import { type ReactElement, useMemo } from "react";
import { Checkbox } from "#renderer/components/checkbox.tsx";
import { Copyable } from "#renderer/components/copyable.tsx";
import { Section } from "#renderer/components/section.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { changeNotes, useNotesAbout } from "#renderer/lib/people/people-notes.ts";
import { safetyNumber } from "#shared/keyring/safety-number.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import styles from "./person.module.css";

/** The section. */
export function SafetySection({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const { isVerified } = useNotesAbout(publicKey);
  const groups = useMemo(() => safetyNumber(masterPub, publicKey), [masterPub, publicKey]);
  const text = groups.join(" ");
  return (
    <Section title={t("contacts.safety")} hint={t("contacts.safetyHint")}>
      <Copyable text={text} label={t("contacts.safetyCopy")}>
        <span className={styles.number}>
          {groups.map((group, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: groups may repeat and never move
            <span key={position}>{group}</span>
          ))}
        </span>
      </Copyable>
      <Checkbox
        label={t("contacts.safetyVerified")}
        hint={t("contacts.safetyVerifiedHint")}
        checked={isVerified}
        onChange={(isChecked): void => void changeNotes(publicKey, { isVerified: isChecked })}
      />
    </Section>
  );
}
