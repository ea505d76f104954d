// Reports when the browser is idle: for work that is not urgent.
import { useEffect, useState } from "react";

/** A busy browser is idle enough after this long. */
const AT_LATEST_MS = 2_000;

/** False until the first idle moment after mounting. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const waiting = requestIdleCallback(() => setIdle(true), { timeout: AT_LATEST_MS });
    return (): void => cancelIdleCallback(waiting);
  }, []);
  return isIdle;
}
