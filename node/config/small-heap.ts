// Memory of a process that has little to do: by itself the runtime keeps what loading its modules took.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (how: { readonly type: string; readonly execution: string; readonly flavor: string }) => void;

/** Gives back what is unused, which takes up to half a second, and keeps the space for new objects at its first size until it is disposed of. */
export function keepHeapSmall(): Disposable {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("globalThis.gc") as Collect | undefined;
  setFlagsFromString("--no-expose-gc");
  // Without it the collection is left out. With `--freeze-flags-after-init` the runtime ends at the first flag, as it does for contracts.
  collect?.({ type: "major", execution: "sync", flavor: "last-resort" });
  // It would grow to 128 MiB within minutes, and what outlives it to several times what is in use. Collections come more often.
  for (const flag of ["--semi-space-growth-factor=1", "--heap-growing-percent=25"]) setFlagsFromString(flag);
  return {
    [Symbol.dispose]: (): void => {
      // Compiled code is cached at the end for processes with the same flags: those of the beginning.
      for (const flag of ["--semi-space-growth-factor=2", "--heap-growing-percent=0"]) setFlagsFromString(flag);
    },
  };
}
