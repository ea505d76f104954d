// Replaces the text of one source file by that of a planted bug while it is loaded; the file itself stays as it is.
import { registerHooks } from "node:module";
import { mutatedText } from "#test/support/host/mutation.ts";
import { MUTATIONS } from "./mutations.ts";

const ROOT = new URL("../../", import.meta.url);

/** The text of a file with a bug in it. @throws Error when the bug fits nowhere, or in two places. */
export function mutated(name: string): { readonly url: string; readonly source: string } {
  const mutation = MUTATIONS[name];
  if (mutation === undefined) throw new Error(`There is no mutation "${name}"`);
  return { url: new URL(mutation.file, ROOT).href, source: mutatedText(mutation) };
}

/** Makes every later import of the file see the bug. */
export function plant(name: string): void {
  const { url, source } = mutated(name);
  registerHooks({
    load: (wanted, context, next) => (wanted === url ? { ...next(wanted, context), source } : next(wanted, context)),
  });
}
