// Whether a view was left while something that it began was under way.
import { useCallback, useEffect, useRef } from "react";

/** Asks whether the calling component is gone: then what it would show is to be said elsewhere. */
export function useIsLeft(): () => boolean {
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return (): void => {
      isLeft.current = true;
    };
  }, []);
  return useCallback(() => isLeft.current, []);
}
