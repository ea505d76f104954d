// Marks of which contract runs: should the process die at it, the next one knows.

/** Marks of one thread. */
export interface RunMarks {
  /** True for a module at which a process died: it is interpreted. */
  isMarked(moduleHash: string): boolean;
  /** From now on this module runs, or is checked, for a transaction or for none (""). */
  enter(moduleHash: string, txId: string): void;
  /** What was entered last has ended; what was entered before continues. */
  leave(): void;
}
