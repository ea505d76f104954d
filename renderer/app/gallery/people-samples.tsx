// Keys, people, amounts, times, lists.
import type { ReactElement } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Identicon } from "#renderer/components/basics/identicon.tsx";
import { QrCode } from "#renderer/components/basics/qr-code.tsx";
import { Time } from "#renderer/components/basics/time.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { ListRow } from "#renderer/components/layout/list-row.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { VirtualList } from "#renderer/components/layout/virtual-list.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import { PhraseWords } from "#renderer/components/secrets/phrase-words.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import styles from "./gallery.module.css";

/** Fixed keys, so that pictures can be compared. */
const KEYS = ["1f", "7a", "c4", "e9", "33"].map((byte, index) =>
  Array.from({ length: 32 }, (_, position) =>
    ((Number.parseInt(byte, 16) * (position + 3) * (index + 7)) % 256).toString(16).padStart(2, "0"),
  ).join(""),
);
const KEY = KEYS[0] ?? "";
const START_MS = Date.now();
const MANY = Array.from({ length: 5_000 }, (_, index) => `Row ${index + 1}`);

/** People and details. */
export function PeopleSamples(): ReactElement {
  return (
    <>
      <Section title="Keys and people">
        <div className={styles.row}>
          {KEYS.map((key) => (
            <Identicon key={key} publicKey={key} size={40} />
          ))}
          <Avatar publicKey={KEY} dot="success" />
          <AddressChip publicKey={KEY} />
          <AddressChip publicKey={KEYS[2] ?? KEY} plain />
        </div>
        <Copyable text={KEY} />
        <div className={styles.row}>
          <QrCode text={`parley:pay?to=${KEY}`} size={160} />
          <div className={shared.stack3}>
            <Amount amountUt={1_234_567_890_123} size="large" />
            <Amount amountUt={1_500_000} direction="in" size="strong" />
            <Amount amountUt={12_000_001} direction="out" />
            <Time at={START_MS} />
            <Time at={START_MS - 3 * 3_600_000} />
            <Time at={START_MS - 40 * 86_400_000} />
          </div>
        </div>
        <PhraseWords words={"abandon ability able about above absent absorb abstract absurd abuse access accident".split(" ")} />
      </Section>
      <Section title="Lists">
        <div className={styles.grid}>
          <ul className={styles.list}>
            {KEYS.map((key, index) => (
              <li key={key}>
                <ListRow
                  leading={<Avatar publicKey={key} />}
                  heading={`Person ${index + 1} with a name that may be too long`}
                  subtitle="The last message, cut where the row ends"
                  meta={<Time at={START_MS - index * 600_000} />}
                  trailing={index === 1 && <Badge tone="solid">3</Badge>}
                  selected={index === 0}
                  onClick={(): void => undefined}
                />
              </li>
            ))}
          </ul>
          <div className={styles.list}>
            <VirtualList
              label="Many rows"
              items={MANY}
              keyOf={(row): string => row}
              estimateSize={52}
              renderItem={(row): ReactElement => <ListRow heading={row} />}
            />
          </div>
        </div>
        <KeyValueList
          rows={[
            { label: "To", value: <AddressChip publicKey={KEY} /> },
            { label: "Amount", value: <Amount amountUt={5_000_000} /> },
            { label: "Fee", value: <Amount amountUt={1_000} /> },
            { label: "Total", value: <Amount amountUt={5_001_000} />, strong: true },
            { label: "Id", value: `tx1${KEY}`, mono: true },
          ]}
        />
      </Section>
    </>
  );
}
