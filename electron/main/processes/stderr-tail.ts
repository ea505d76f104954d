// The end of a process's error output: the reason shown when it ends unexpectedly.
const MAX_CHARS = 300;

/** Collects the error output of a process. */
export interface StderrTail {
  /** A chunk of its output. */
  add(chunk: string): void;
  /** Its last line that says something, one line of bounded length; empty when it said nothing. */
  text(): string;
}

/** An empty collector. `onText` gets every chunk too, for the log. */
export function createStderrTail(onText: (chunk: string) => void): StderrTail {
  let tail = "";
  return {
    add(chunk): void {
      onText(chunk);
      tail = `${tail}${chunk}`.slice(-4_096);
    },
    text(): string {
      const line = tail.split("\n").findLast((candidate) => candidate.trim() !== "") ?? "";
      return line.trim().slice(0, MAX_CHARS);
    },
  };
}
