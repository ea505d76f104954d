// What the log of a screen reader says that it said.

/** The words of a debug log of Orca, in their order, without keys that are repeated. */
export function spokenIn(log: string): readonly string[] {
  return [...log.matchAll(/SPEECH OUTPUT: '(.*?)'(?: ?voice=\w+)?(?: ?\{.*\}| None)?$/gm)]
    .map(([, words = ""]) => words.trim())
    .filter((words) => words !== "");
}
