// Two ends of a channel to a keyring that delivers in order.
import type { KeyringPort } from "#shared/keyring/port.ts";

/** Both ends. */
export function portPair(): readonly [KeyringPort, KeyringPort] {
  const listeners = [new Set<(message: unknown) => void>(), new Set<(message: unknown) => void>()] as const;
  const end = (mine: 0 | 1): KeyringPort => ({
    post: (message) =>
      queueMicrotask(() => {
        for (const listener of listeners[mine === 0 ? 1 : 0]) listener(message);
      }),
    listen: (listener): (() => void) => {
      listeners[mine].add(listener);
      return () => listeners[mine].delete(listener);
    },
  });
  return [end(0), end(1)];
}
