// Transactions, time between blocks and fees by block, hour or day: as charts, or as one table with the same numbers.
import { useQuery } from "@tanstack/react-query";
import { type ComponentType, lazy, type ReactElement, Suspense, useMemo, useState } from "react";
import type { LineChartProps } from "#renderer/components/basics/line-chart.tsx";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { Skeleton } from "#renderer/components/feedback/skeleton.tsx";
import { UnverifiedNote } from "#renderer/components/feedback/unverified-note.tsx";
import { DataTable } from "#renderer/components/layout/data-table.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { formatExactTime } from "#renderer/lib/format/time.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { type ChartInterval, type ChartValues, fittingInterval, valuesOfBlocks, valuesOfBuckets } from "./chart-values.ts";
import styles from "./charts-section.module.css";

const LineChart = lazy(
  async (): Promise<{ readonly default: ComponentType<LineChartProps> }> => ({
    default: (await import("#renderer/components/basics/line-chart.tsx")).LineChart,
  }),
);

const SERIES = [
  { title: "explorer.transactions", bars: true, measure: ({ transactions }: ChartValues): number | null => transactions },
  { title: "explorer.chartBlockTime", bars: false, measure: ({ blockTime }: ChartValues): number | null => blockTime },
  { title: "explorer.chartFees", bars: true, measure: ({ fees }: ChartValues): number | null => fees },
] as const;

export function ChartsSection(): ReactElement {
  const t = useMessages();
  const [chosen, setChosen] = useState<ChartInterval>();
  const [view, setView] = useState<"chart" | "table">("chart");
  const { interval, values, from, query } = useChartValues(chosen);
  const { error, refetch, isFetching } = query;
  const controls = (
    <div className={styles.controls}>
      <SegmentedControl
        label={t("explorer.resolution")}
        value={interval}
        onChange={setChosen}
        options={[
          { value: "block", label: t("explorer.block") },
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
      {interval !== "block" && <UnverifiedNote kind="figures" />}
      {values === undefined && error !== null && <ErrorState error={error} onRetry={(): void => void refetch()} isRetrying={isFetching} />}
      {values === undefined && error === null && <ChartsToCome />}
      {values !== undefined &&
        (view === "chart" ? <Charts values={values} interval={interval} /> : <ChartTable values={values} interval={interval} />)}
      {from !== undefined && <p className={shared.muted}>{t("explorer.countedFrom", { height: from })}</p>}
    </Section>
  );
}

interface ShownValues {
  readonly interval: ChartInterval;
  readonly values: readonly ChartValues[] | undefined;
  /** The block with which they begin, where the chain has older ones that are not counted. */
  readonly from: number | undefined;
  readonly query: { readonly error: Error | null; readonly refetch: () => unknown; readonly isFetching: boolean };
}

/** The hours are read in any case: they say how old the chain is. */
function useChartValues(chosen: ChartInterval | undefined): ShownValues {
  const queries = useNetworkQueries();
  const buckets = useQuery(queries.chart(chosen === "day" ? "day" : "hour"));
  const fitting = chosen === undefined && buckets.data !== undefined ? fittingInterval(buckets.data.buckets) : "hour";
  const interval = chosen ?? fitting;
  const blocks = useQuery({ ...queries.chartBlocks(), enabled: interval === "block" });
  const query = interval === "block" ? blocks : buckets;
  const values = useMemo(() => {
    if (interval === "block") return blocks.data && valuesOfBlocks(blocks.data);
    return buckets.data && valuesOfBuckets(buckets.data.buckets);
  }, [interval, blocks.data, buckets.data]);
  return { interval, values, from: interval === "block" ? undefined : buckets.data?.from_height, query };
}

/** The charts in their places, without their lines. */
function ChartsToCome(): ReactElement {
  const t = useMessages();
  return (
    <div className={styles.charts}>
      {SERIES.map(({ title }) => (
        <figure key={title} className={styles.figure}>
          <figcaption className={styles.caption}>{t(title)}</figcaption>
          <ChartToCome />
        </figure>
      ))}
    </div>
  );
}

function ChartToCome(): ReactElement {
  return <Skeleton height="180px" />;
}

interface ChartsProps {
  readonly values: readonly ChartValues[];
  readonly interval: ChartInterval;
}

function Charts({ values, interval }: ChartsProps): ReactElement {
  const { t, locale } = useLanguage();
  const positions = useMemo(() => values.map(({ position }) => position), [values]);
  const series = useMemo(() => SERIES.map(({ measure }) => values.map(measure)), [values]);
  return (
    <div className={styles.charts}>
      {SERIES.map(({ title, bars }, index) => {
        const shown = series[index] ?? [];
        return (
          <figure key={title} className={styles.figure}>
            <figcaption className={styles.caption}>{t(title)}</figcaption>
            <Suspense fallback={<ChartToCome />}>
              <LineChart
                axis={interval === "block" ? "number" : "time"}
                bars={bars}
                positions={positions}
                values={shown}
                label={chartWords(t(title), shown)}
              />
            </Suspense>
          </figure>
        );
      })}
    </div>
  );

  function chartWords(title: string, shown: readonly (number | null)[]): string {
    const known = shown.filter((value) => value !== null);
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

function ChartTable({ values, interval }: ChartsProps): ReactElement {
  const { t, locale } = useLanguage();
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
  const isByBlock = interval === "block";
  return (
    <DataTable
      dense
      label={t("explorer.charts")}
      columns={[
        { title: t(isByBlock ? "explorer.block" : "explorer.chartFrom") },
        ...SERIES.map(({ title }) => ({ title: t(title), end: true })),
      ]}
      rows={values.toReversed().map((place) => ({
        key: String(place.position),
        cells: (
          <>
            <td>{isByBlock ? number.format(place.position) : formatExactTime(locale, place.startMs)}</td>
            {SERIES.map(({ title, measure }) => {
              const value = measure(place);
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
