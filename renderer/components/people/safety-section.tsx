// The number to compare with a person, and the mark that it was compared.
import { QrCode as QrCodeIcon, ScanLine } from "lucide-react";
import { type ReactElement, useMemo, useState } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger } from "#renderer/lib/messenger/messenger-context.tsx";
import { changeNotes, useNotesAbout } from "#renderer/lib/people/contacts/people-notes.ts";
import { safetyNumber } from "#shared/keyring/devices/safety-number.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { QrCode } from "../basics/qr-code.tsx";
import { Button } from "../controls/button.tsx";
import { Checkbox } from "../controls/checkbox.tsx";
import { Banner } from "../feedback/banner.tsx";
import { useToasts } from "../feedback/toast.tsx";
import { Section } from "../layout/section.tsx";
import { Dialog } from "../overlays/dialog.tsx";
import { Copyable } from "./copyable.tsx";
import { QrScanner } from "./qr-scanner.tsx";
import styles from "./safety-section.module.css";

/** The section; on a page, or in the information about a chat. */
export function SafetySection({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const messenger = useMessenger();
  const { masterPub } = useAccount();
  const { isVerified } = useNotesAbout(publicKey);
  const groups = useMemo(() => safetyNumber(masterPub, publicKey), [masterPub, publicKey]);
  const text = groups.join(" ");
  const [open, setOpen] = useState<"none" | "code" | "scanner">("none");
  const [isDifferent, setDifferent] = useState(false);
  const setVerified = (isVerified: boolean): void => {
    void changeNotes(publicKey, { isVerified });
    // Devices that changed before this comparison are not warned of after it.
    void messenger?.acknowledgeDevices(publicKey).catch(() => undefined);
  };
  const compare = (scanned: string): void => {
    setOpen("none");
    const isSame = scanned === safetyCode(groups);
    setDifferent(!isSame);
    if (!isSame) return;
    setVerified(true);
    toasts.show({ title: t("contacts.safetySame"), tone: "success" });
  };
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
      <div className={shared.buttons}>
        <Button icon={QrCodeIcon} onClick={(): void => setOpen("code")}>
          {t("contacts.safetyShow")}
        </Button>
        <Button icon={ScanLine} onClick={(): void => setOpen("scanner")}>
          {t("contacts.safetyScan")}
        </Button>
      </div>
      {isDifferent && (
        <Banner tone="danger" title={t("contacts.safetyDifferent")}>
          {t("contacts.safetyDifferentText")}
        </Banner>
      )}
      <Dialog
        open={open === "code"}
        onOpenChange={(): void => setOpen("none")}
        title={t("contacts.safetyShow")}
        description={t("contacts.safetyShowText")}
      >
        <div className={styles.code}>
          <QrCode text={safetyCode(groups)} label={t("contacts.safety")} />
        </div>
      </Dialog>
      {open === "scanner" && <QrScanner onFound={compare} onClose={(): void => setOpen("none")} />}
      <Checkbox label={t("contacts.safetyVerified")} hint={t("contacts.safetyVerifiedHint")} checked={isVerified} onChange={setVerified} />
    </Section>
  );
}

/** What the QR code of a safety number holds: both sides have the same. */
function safetyCode(groups: readonly string[]): string {
  return `parley:safety?number=${groups.join("")}`;
}
