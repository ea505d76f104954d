// Processor time of the thread that asks.

/** Processor time of this thread, ms. Electron's runtime may not tell: then it is the time of the clock. */
export function threadTimeMs(): number {
  const usage = (process as Partial<NodeJS.Process>).threadCpuUsage?.();
  return usage === undefined ? performance.now() : (usage.user + usage.system) / 1_000;
}
