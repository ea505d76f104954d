// Measures how long making the consensus log durable takes: every vote waits for it.
import type { AppendFile, EngineStorage } from "./engine-storage.ts";

/** A storage whose log reports each sync. */
export interface TimedStorage extends EngineStorage {
  /** Calls back with the seconds of each sync of the log; returns the way to stop that. */
  onLogSync(listener: (seconds: number) => void): () => void;
}

export function timedStorage(storage: EngineStorage): TimedStorage {
  const listeners = new Set<(seconds: number) => void>();
  return {
    openGuard: () => storage.openGuard(),
    openLog: (): AppendFile => {
      const file = storage.openLog();
      const sync = (): void => {
        const beganMs = performance.now();
        file.sync();
        for (const listener of listeners) listener((performance.now() - beganMs) / 1_000);
      };
      return { ...file, sync };
    },
    onLogSync: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
