// How much of the tests a run takes. Cases that `npm test` leaves out, as they are long and show what a shorter one shows in another way,
// carry a tag, by which Vitest leaves them out; tests that try many seeds ask an environment variable (`test/support/host/test-extent.ts`).

/** What cases carry that run in a whole run, or where their file is named. */
export const WHOLE_TAG = "whole";

/** `part`: as `npm test`; `named`: all cases of the files that were named; `whole`: everything. */
export type Extent = "part" | "named" | "whole";

/** How much the arguments of a script ask for: `--whole` is for everything, a path of a test file for that one. The others go to Vitest. */
export function extentOf(given: readonly string[]): { readonly extent: Extent; readonly args: readonly string[] } {
  const args = given.filter((argument) => argument !== "--whole");
  if (args.length < given.length) return { extent: "whole", args };
  return { extent: args.some((argument) => /\.test\.tsx?$/.test(argument)) ? "named" : "part", args };
}

/** Arguments of Vitest for so much. */
export function filterOf(extent: Extent): readonly string[] {
  return extent === "part" ? [`--tags-filter=!${WHOLE_TAG}`] : [];
}

/** What the run says of the cases that it left out, with the command that runs them; empty where it left out none. */
export function leftOutLine(leftOut: number, command: string): string {
  if (leftOut === 0) return "";
  return `Left out: ${leftOut} longer cases, and most seeds of tests that try many. "${command} -- --whole" runs everything.\n`;
}
