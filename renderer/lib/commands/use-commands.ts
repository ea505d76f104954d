// Adds commands to the palette while a component is shown.
import { useEffect } from "react";
import { addCommandSource, addCommands, type Command, type CommandSource } from "./command-store.ts";

/** Adds commands; the array must keep its identity between renders (useMemo). */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => addCommands(commands), [commands]);
}

/** Adds a source; the function must keep its identity between renders (useCallback). */
export function useCommandSource(source: CommandSource): void {
  useEffect(() => addCommandSource(source), [source]);
}
