// For what is loaded before a node's program: its limits are others. Their text is changed as it is loaded, so that it works for the built
// program, which is one file and starts in less processor time, as for the sources, and in the threads of both.
import { registerHooks } from "node:module";

/** Limits by the name of the constant that has them, and of those the ones that are different. */
export type ChangedLimits = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Changes limits in all that is loaded from now on. */
export function changeLimits(changes: ChangedLimits): void {
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      if (url.includes("/node_modules/") || !/^file:.*\.(mjs|ts)$/.test(url) || loaded.source == null) return loaded;
      const text = typeof loaded.source === "string" ? loaded.source : new TextDecoder().decode(loaded.source);
      return { ...loaded, source: withLimits(text, changes) };
    },
  });
}

/** The text of a module in which the constants of the limits have other values; the same text where there are none. */
export function withLimits(text: string, changes: ChangedLimits): string {
  return Object.entries(changes).reduce(
    (changed, [name, limits]) =>
      changed.replace(
        new RegExp(`\\b(${name}(?:: \\w+)? = )(\\{[^{}]*\\})`),
        (_whole, start: string, values: string) => `${start}Object.assign(${values}, ${JSON.stringify(limits)})`,
      ),
    text,
  );
}
