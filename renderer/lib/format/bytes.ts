// Sizes of files for people.

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
const STEP = 1_000;

/** `4.1 kB`, `1.2 GB`: a size by its largest unit. */
export function formatBytes(locale: string, bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(STEP)));
  const unit = UNITS[power] ?? "byte";
  // Short, "byte" has no plural.
  const style =
    power === 0
      ? ({ unitDisplay: "long", maximumFractionDigits: 0 } as const)
      : ({ unitDisplay: "short", maximumFractionDigits: 1 } as const);
  return new Intl.NumberFormat(locale, { style: "unit", unit, ...style }).format(bytes / STEP ** power);
}
