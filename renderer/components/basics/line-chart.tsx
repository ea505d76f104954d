// One series over time or over numbers. Drawn on a canvas by uPlot, which is loaded when the first chart is shown. The picture has a text for screen
// readers; a view that shows charts offers the same numbers as a table.
import "uplot/dist/uPlot.min.css";
import { type ReactElement, useEffect, useRef } from "react";
import uPlot from "uplot";
import { endRoom, labelSpace, type MeasureText, uprightSize } from "#renderer/lib/format/chart-labels.ts";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";
import styles from "./line-chart.module.css";

const HEIGHT = 180;
const HOUR_S = 3_600;
/** That of all other words: a canvas knows no variables of styles. */
const FONT = '11px "Parley Sans", system-ui, sans-serif';
/** A wide time of day and a wide date. */
const SAMPLES_S = [12 * HOUR_S + 1_800, 28 * 24 * HOUR_S];

export interface LineChartProps {
  /** What it shows, with its lowest, highest and last value in words. */
  readonly label: string;
  /** Unix seconds, or whole numbers such as heights; ascending. */
  readonly positions: readonly number[];
  readonly axis: "time" | "number";
  /** Null where nothing was measured. */
  readonly values: readonly (number | null)[];
  readonly bars?: boolean;
}

/** The chart, as wide as its container. */
export function LineChart(props: LineChartProps): ReactElement {
  const { label, positions, axis, values, bars = false } = props;
  const { locale } = useLanguage();
  const theme = useSettings((settings) => settings.theme);
  const container = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours, which a canvas does not take over
  useEffect(() => {
    const element = container.current;
    if (element === null) return undefined;
    let plot: uPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      plot = new uPlot(optionsOf(element, { locale, bars, axis, positions }), [[...positions], [...values]], element);
    };
    const systemTheme = matchMedia("(prefers-color-scheme: dark)");
    const observer = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }));
    const frame = requestAnimationFrame(draw);
    systemTheme.addEventListener("change", draw);
    observer.observe(element);
    return (): void => {
      cancelAnimationFrame(frame);
      systemTheme.removeEventListener("change", draw);
      observer.disconnect();
      plot?.destroy();
    };
  }, [positions, axis, values, bars, locale, theme]);
  return <div ref={container} className={styles.chart} role="img" aria-label={label} />;
}

interface ChartStyle {
  readonly locale: string;
  readonly bars: boolean;
  readonly axis: LineChartProps["axis"];
  readonly positions: readonly number[];
}

function optionsOf(element: HTMLElement, { locale, bars, axis: kind, positions }: ChartStyle): uPlot.Options {
  const style = getComputedStyle(element);
  const [line, text, grid] = [style.color, style.outlineColor, style.borderTopColor];
  const number = new Intl.NumberFormat(locale, { notation: "compact", maximumSignificantDigits: 3 });
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
  const hour = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
  const axis = { stroke: text, font: FONT, grid: { stroke: grid, width: 1 }, ticks: { show: false } };
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const isTime = kind === "time";
  const positionLabel = (split: number): string => {
    if (!isTime) return Number.isInteger(split) ? whole.format(split) : "";
    const at = new Date(split * 1_000);
    return at.getHours() === 0 && at.getMinutes() === 0 ? day.format(at) : hour.format(at);
  };
  const measure = createMeasure();
  const bar = bars ? uPlot.paths.bars?.({ size: [0.7, 24], radius: 0.15 }) : undefined;
  return {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [8, endRoom(positions.map(positionLabel), measure), 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: isTime, range: positionRange(positions, isTime ? HOUR_S : 1) },
      y: { range: (_plot, _low, high): [number, number] => [0, high <= 0 ? 1 : high * 1.1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: labelSpace((isTime ? SAMPLES_S : positions.slice(-1)).map(positionLabel), measure),
        size: 26,
        values: (_plot, splits): string[] => splits.map(positionLabel),
      },
      {
        ...axis,
        size: (_plot, values): number => uprightSize(values, measure),
        values: (_plot, splits): string[] => splits.map((split) => number.format(split)),
      },
    ],
    series: [
      {},
      {
        stroke: line,
        width: bars ? 0 : 2,
        fill: bars ? line : "transparent",
        points: { show: !bars && positions.length === 1 },
        ...(bar !== undefined && { paths: bar }),
      },
    ],
  };
}

/** Measures texts as the canvas draws them. */
function createMeasure(): MeasureText {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return (text) => 7 * text.length;
  context.font = FONT;
  return (text) => context.measureText(text).width;
}

/** Half a step of room at both ends, so that the outer bars are whole; a single value is drawn in the middle of a step. */
function positionRange(positions: readonly number[], step: number): [number, number] {
  const [first = 0, second = first + step] = positions;
  const last = positions.at(-1) ?? first;
  const room = (second - first) / 2;
  return [first - room, last + room];
}
