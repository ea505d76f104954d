// What a transaction carried, field by field. All of it is foreign input: it is shown as text and nothing more.
import type { ReactElement, ReactNode } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import type { PlainMessageKey } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { TransactionDetail } from "#shared/api/schemas/chain.ts";
import { isAmount } from "#shared/protocol/primitives/amount.ts";
import styles from "../frame/raw-section.module.css";

const LABELS: Readonly<Record<string, PlainMessageKey>> = {
  memo: "transactions.memo",
  nickname: "common.name",
  intro: "contacts.intro",
  device_name: "explorer.payload.deviceName",
  x25519_pub_key: "common.encryptionKey",
  bond_ut: "explorer.bond",
};
const KEYS: ReadonlySet<string> = new Set(["x25519_pub_key"]);

/** The payload; nothing where there is none. */
export function PayloadSection(props: { readonly transaction: TransactionDetail }): ReactElement | null {
  const { payload, payload_hex: hex } = props.transaction;
  const t = useMessages();
  if (hex === "" && payload === undefined) return null;
  const fields = isRecord(payload) ? Object.entries(payload) : [];
  if (isRecord(payload) && fields.length === 0) return null;
  return (
    <Section title={t("explorer.payload")} hint={t("explorer.payloadHint")}>
      {fields.length > 0 ? (
        <KeyValueList
          rows={fields.map(([name, value]) => {
            const label = Object.hasOwn(LABELS, name) ? LABELS[name] : undefined;
            return {
              label: label === undefined ? name : t(label),
              value: shownValue(name, value),
              mono: label === undefined || KEYS.has(name),
            };
          })}
        />
      ) : (
        <pre className={styles.code}>{payload === undefined ? hex : textOf(payload)}</pre>
      )}
    </Section>
  );
}

function shownValue(name: string, value: unknown): ReactNode {
  return name === "bond_ut" && isAmount(value) ? <Amount amountUt={value} /> : textOf(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
