// Changes of the messenger as the interface hears of them: in a turn of the event loop of their own, once for all that happened in one. What a
// change was made for, as a message that is on its way to the node, does not wait until lists and counts are drawn.
import type { Observable } from "#shared/util/value-store.ts";

type Subscribe = Observable<unknown>["subscribe"];

const known = new WeakMap<object, Subscribe>();

/** The way to subscribe to something; the same for the same. */
export function inTurns(source: Pick<Observable<unknown>, "subscribe">): Subscribe {
  const subscribe = known.get(source) ?? createTurns(source);
  known.set(source, subscribe);
  return subscribe;
}

function createTurns(source: Pick<Observable<unknown>, "subscribe">): Subscribe {
  const listeners = new Set<() => void>();
  let stop: (() => void) | undefined;
  let isWaiting = false;
  const tell = (): void => {
    isWaiting = false;
    for (const listener of [...listeners]) listener();
  };
  // A timer would wait a second in a window that is not seen.
  const changed = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = (): void => {
      port1.close();
      tell();
    };
    port2.postMessage(null);
  };
  return (listener) => {
    listeners.add(listener);
    stop ??= source.subscribe(changed);
    return (): void => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      stop?.();
      stop = undefined;
    };
  };
}
