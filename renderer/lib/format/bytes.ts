// Sizes of files for people.

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
const STEP = 1_000;

/** `4.1 kB`, `1.2 GB`: a size by its largest unit. */
export function formatBytes(locale: string, bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(STEP)));
  const unit = UNITS[power] ?? "byte";
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: power === 0 ? 0 : 1 }).format(
    bytes / STEP ** power,
  );
}
