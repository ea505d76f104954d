// Sleep, wake and screen lock of the machine.
import type { PowerMonitor } from "electron";

/** What the shell does. */
export interface PowerActions {
  /** The machine goes to sleep or its screen is locked: nothing may be signed until the password is given again. */
  readonly lock: (reason: "screen" | "sleep") => void;
  /** The machine woke up: connections are stale. */
  readonly resume: () => void;
  /** The machine shuts down: end in order. */
  readonly shutdown: () => void;
}

/** Listens until the app ends. */
export function listenToPower(monitor: Pick<PowerMonitor, "on">, { lock, resume, shutdown }: PowerActions): void {
  monitor.on("suspend", () => lock("sleep"));
  monitor.on("lock-screen", () => lock("screen"));
  monitor.on("resume", resume);
  monitor.on("shutdown", shutdown);
}
