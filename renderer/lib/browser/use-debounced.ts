// A value that lags behind until it has stayed the same for a while: what is typed, before a node is asked about it.
import { useEffect, useState } from "react";

/** The value once it has not changed for `delayMs`. */
export function useDebounced<T>(value: T, delayMs: number): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs);
    return (): void => clearTimeout(timer);
  }, [value, delayMs]);
  return debounced;
}
