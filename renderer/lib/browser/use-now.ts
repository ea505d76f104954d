// The current time as state, renewed at an interval, so that relative times stay true.
import { useEffect, useState } from "react";

/** Milliseconds since 1970, renewed every `periodMs`. */
export function useNow(periodMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), periodMs);
    return (): void => clearInterval(timer);
  }, [periodMs]);
  return now;
}
