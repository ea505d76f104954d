// Tables, charts, tokens, parts, scanning.
import { type ReactElement, useMemo, useState } from "react";
import { LineChart } from "#renderer/components/basics/line-chart.tsx";
import { TokenAmount } from "#renderer/components/basics/token-amount.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { DataTable } from "#renderer/components/layout/data-table.tsx";
import { PartLinks } from "#renderer/components/layout/part-links.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { QrScanner } from "#renderer/components/people/qr-scanner.tsx";
import styles from "./gallery.module.css";

const HOURS = 36;
const START_S = 1_760_000_000;
const HOUR_S = 3_600;
const TIMES = Array.from({ length: HOURS }, (_, hour) => START_S + hour * HOUR_S);
const ROWS = [
  ["Ada Adler", "200 of 200", "1,210"],
  ["Bruno Bell", "187 of 200", "986"],
  ["Chiara Costa", "12 of 200", "14"],
] as const;

/** What shows numbers. */
export function DataSamples(): ReactElement {
  const [isScanning, setScanning] = useState(false);
  const values = useMemo(() => TIMES.map((_, hour) => Math.round(40 + 30 * Math.sin(hour / 5))), []);
  const gaps = useMemo(() => values.map((value, hour) => (hour > 14 && hour < 18 ? null : value)), [values]);
  return (
    <>
      <Section title="Charts" bare>
        <div className={styles.grid}>
          <LineChart label="Bars" bars axis="time" positions={TIMES} values={values} />
          <LineChart label="A line with a gap" axis="time" positions={TIMES} values={gaps} />
        </div>
      </Section>
      <Section title="Table" bare>
        <DataTable
          label="Validators"
          columns={[{ title: "Name" }, { title: "Blocks", end: true }, { title: "Reputation", end: true }]}
          rows={ROWS.map(([name, blocks, reputation]) => ({
            key: name,
            cells: (
              <>
                <td>{name}</td>
                <td data-end>{blocks}</td>
                <td>{reputation}</td>
              </>
            ),
          }))}
        />
      </Section>
      <Section title="Parts, tokens, scanning">
        <PartLinks
          label="Parts"
          parts={[
            { to: "/explorer", label: "Overview", exact: true },
            { to: "/explorer/blocks", label: "Blocks" },
          ]}
        />
        <div className={styles.row}>
          <TokenAmount units={125_050n} token={{ decimals: 2, symbol: "SEED" }} />
          <TokenAmount units={12n} token={{ decimals: 0, symbol: "HOUR" }} />
          <Button onClick={(): void => setScanning(true)}>Scan a QR code</Button>
        </div>
        {isScanning && <QrScanner onFound={(): void => setScanning(false)} onClose={(): void => setScanning(false)} />}
      </Section>
    </>
  );
}
