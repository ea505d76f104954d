// What the keyring asks before money moves or keys change, in each of its states.
import { type ReactElement, useEffect, useState } from "react";
import { FullAddress } from "#renderer/components/basics/full-address.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { ConfirmSheet } from "#renderer/components/overlays/confirm-sheet.tsx";
import type { ConfirmSheetProps } from "#renderer/components/overlays/confirm-window.tsx";
import { LookAlikeWarning } from "#renderer/components/people/look-alike-warning.tsx";
import { UnlockDialog } from "#renderer/features/lock/unlock-dialog.tsx";
import { CodedError } from "#shared/errors/coded-error.ts";
import styles from "./gallery.module.css";

const KNOWN = "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c";
const IMITATION = "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf37488010187865c";

/** A busy sheet cannot be closed: this one ends by itself. */
const BUSY_MS = 4_000;

type Sample = Omit<ConfirmSheetProps, "open" | "onCancel" | "onConfirm">;

const PAYMENT: Sample = {
  title: "Send 5 T to Ada?",
  sentence: "You pay 5 T to Ada. The fee is 0.001 T, so 5.001 T leave your account. This cannot be taken back.",
  rows: [
    { label: "To", value: <FullAddress publicKey={KNOWN} /> },
    { label: "Amount", value: "5 T" },
    { label: "Fee", value: "0.001 T" },
    { label: "Total", value: "5.001 T", strong: true },
  ],
  confirmLabel: "Sign and send",
};
const REVOCATION: Sample = {
  title: "Unlink Robin's phone?",
  sentence: "The device can no longer sign or read new messages. Linking it again takes the phone in your hand.",
  rows: [
    { label: "Fee", value: "0.001 T" },
    { label: "Total", value: "0.001 T", strong: true },
  ],
  confirmLabel: "Sign and unlink",
  danger: true,
};

/** Each state by the label of its button. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  "Money, ready": PAYMENT,
  "Cost not known yet": { ...PAYMENT, rows: [], disabled: true },
  "Being signed": { ...PAYMENT, busy: true },
  "Not enough money": { ...PAYMENT, error: new CodedError("TX_INSUFFICIENT_BALANCE", "The account holds 3 T") },
  "Node away": { ...PAYMENT, error: new CodedError("UNAVAILABLE", "The node cannot be reached") },
  "A key goes": REVOCATION,
  "A key goes, being signed": { ...REVOCATION, busy: true },
};

/** Sheets of the keyring. */
export function SigningSamples(): ReactElement {
  const [open, setOpen] = useState<string>();
  const [isOverridden, setOverridden] = useState(false);
  const close = (): void => setOpen(undefined);
  useEffect(() => {
    if (open === undefined || SAMPLES[open]?.busy !== true) return undefined;
    const timer = setTimeout(() => setOpen(undefined), BUSY_MS);
    return (): void => clearTimeout(timer);
  }, [open]);
  return (
    <Section title="Signing">
      <div className={styles.row}>
        {Object.keys(SAMPLES).map((name) => (
          <Button key={name} onClick={(): void => setOpen(name)}>
            {name}
          </Button>
        ))}
        <Button onClick={(): void => setOpen("unlock")}>Password asked first</Button>
      </div>
      {Object.entries(SAMPLES).map(([name, sample]) => (
        <ConfirmSheet key={name} {...sample} open={open === name} onCancel={close} onConfirm={close} />
      ))}
      <UnlockDialog open={open === "unlock"} onUnlocked={close} onCancel={close} />
      <LookAlikeWarning lookAlike={{ known: KNOWN, candidate: IMITATION }} isOverridden={isOverridden} onOverride={setOverridden} />
    </Section>
  );
}
