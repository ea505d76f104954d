// Whether a media query holds, as it changes.
import { useCallback, useSyncExternalStore } from "react";

/** True while the query holds, such as `(min-width: 75rem)`. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void): (() => void) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return (): void => media.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
