// Times for people: UTC, to the second.

/** Unix seconds beyond which there is no date. */
const LAST_S = 8_640_000_000_000;

/** `2026-01-31T12:00:00Z` of Unix seconds; the number itself where it is no time. */
export function timeOfSeconds(unixSeconds: number): string {
  if (!(Math.abs(unixSeconds) <= LAST_S)) return String(unixSeconds);
  return `${new Date(unixSeconds * 1_000).toISOString().slice(0, 19)}Z`;
}

/** The two largest units of a duration, like `3 d 4 h`. */
export function durationOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const units = [
    [Math.floor(whole / 86_400), "d"],
    [Math.floor(whole / 3_600) % 24, "h"],
    [Math.floor(whole / 60) % 60, "min"],
    [whole % 60, "s"],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  if (first === -1) return "0 s";
  return units
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}
