// Transactions, time between blocks and fees over time: as charts, or as one table with the same numbers.
import { useQuery } from "@tanstack/react-query";
import { type ComponentType, lazy, type ReactElement, Suspense, useMemo, useState } from "react";
import type { LineChartProps } from "#renderer/components/basics/line-chart.tsx";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { Skeleton } from "#renderer/components/feedback/skeleton.tsx";
import { UnverifiedNote } from "#renderer/components/feedback/unverified-note.tsx";
import { DataTable } from "#renderer/components/layout/data-table.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { formatExactTime } from "#renderer/lib/format/time.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import type { Chart, ChartResolution } from "#shared/api/schemas/chain.ts";
import { UT_PER_T } from "#shared/protocol/primitives/limits.ts";
import styles from "./charts-section.module.css";

const LineChart = lazy(
  async (): Promise<{ readonly default: ComponentType<LineChartProps> }> => ({
    default: (await import("#renderer/components/basics/line-chart.tsx")).LineChart,
  }),
);

const MS = 1_000;
type Buckets = Chart["buckets"];
type Bucket = Buckets[number];

const SERIES = [
  { title: "explorer.transactions", bars: true, measure: (bucket: Bucket): number | null => bucket.transactions },
  {
    title: "explorer.chartBlockTime",
    bars: false,
    measure: ({ avg_block_time_ms: timeMs }: Bucket): number | null => (timeMs === undefined ? null : timeMs / MS),
  },
  { title: "explorer.chartFees", bars: true, measure: (bucket: Bucket): number | null => bucket.fees_ut / UT_PER_T },
] as const;

export function ChartsSection(): ReactElement {
  const t = useMessages();
  const [resolution, setResolution] = useState<ChartResolution>("hour");
  const [view, setView] = useState<"chart" | "table">("chart");
  const { data, error, refetch, isFetching } = useQuery(useNetworkQueries().chart(resolution));
  const controls = (
    <div className={styles.controls}>
      <SegmentedControl
        label={t("explorer.resolution")}
        value={resolution}
        onChange={setResolution}
        options={[
          { value: "hour", label: t("explorer.perHour") },
          { value: "day", label: t("explorer.perDay") },
        ]}
      />
      <SegmentedControl
        label={t("explorer.chartView")}
        value={view}
        onChange={setView}
        options={[
          { value: "chart", label: t("explorer.asChart") },
          { value: "table", label: t("explorer.asTable") },
        ]}
      />
    </div>
  );
  return (
    <Section title={t("explorer.charts")} actions={controls} bare>
      <UnverifiedNote kind="figures" />
      {data === undefined && error !== null && <ErrorState error={error} onRetry={(): void => void refetch()} isRetrying={isFetching} />}
      {data === undefined && error === null && <Skeleton height="14rem" />}
      {data !== undefined && (view === "chart" ? <Charts buckets={data.buckets} /> : <ChartTable buckets={data.buckets} />)}
    </Section>
  );
}

function Charts({ buckets }: { readonly buckets: Buckets }): ReactElement {
  const { t, locale } = useLanguage();
  const times = useMemo(() => buckets.map(({ start }) => Date.parse(start) / MS), [buckets]);
  const series = useMemo(() => SERIES.map(({ measure }) => buckets.map(measure)), [buckets]);
  return (
    <div className={styles.charts}>
      {SERIES.map(({ title, bars }, index) => {
        const values = series[index] ?? [];
        return (
          <figure key={title} className={styles.figure}>
            <figcaption className={styles.caption}>{t(title)}</figcaption>
            <Suspense fallback={<Skeleton height="180px" />}>
              <LineChart bars={bars} times={times} values={values} label={chartWords(t(title), values)} />
            </Suspense>
          </figure>
        );
      })}
    </div>
  );

  function chartWords(title: string, values: readonly (number | null)[]): string {
    const known = values.filter((value) => value !== null);
    const number = (value: number | undefined): string => new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }).format(value ?? 0);
    if (known.length === 0) return `${title}: ${t("explorer.chartEmpty")}`;
    return t("explorer.chartOf", {
      title,
      count: known.length,
      min: number(Math.min(...known)),
      max: number(Math.max(...known)),
      last: number(known.at(-1)),
    });
  }
}

function ChartTable({ buckets }: { readonly buckets: Buckets }): ReactElement {
  const { t, locale } = useLanguage();
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
  return (
    <DataTable
      dense
      label={t("explorer.charts")}
      columns={[{ title: t("explorer.chartFrom") }, ...SERIES.map(({ title }) => ({ title: t(title), end: true }))]}
      rows={buckets.toReversed().map((bucket) => ({
        key: bucket.start,
        cells: (
          <>
            <td>{formatExactTime(locale, Date.parse(bucket.start))}</td>
            {SERIES.map(({ title, measure }) => {
              const value = measure(bucket);
              return (
                <td key={title} data-end>
                  {value === null ? t("common.none") : number.format(value)}
                </td>
              );
            })}
          </>
        ),
      }))}
    />
  );
}
