// The terminal of this process.
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Terminal } from "./terminal.ts";

/** Back to the first column, and everything behind it erased. */
const CLEAR_LINE = "\r\u001b[2K";

/** Standard output, standard error and, where a person sits there, hidden prompts on standard input. */
export function createProcessTerminal(): Terminal {
  return {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    progress: (line): void => {
      if (process.stderr.isTTY) process.stderr.write(`${CLEAR_LINE}${line ?? ""}`);
    },
    askSecret,
    readLines,
  };
}

async function* readLines(prompt: string): AsyncIterable<string> {
  const isPerson = process.stdin.isTTY;
  const reader = createInterface({ input: process.stdin, output: process.stderr, terminal: isPerson, prompt });
  try {
    if (isPerson) reader.prompt();
    for await (const line of reader) {
      yield line;
      if (isPerson) reader.prompt();
    }
  } finally {
    reader.close();
  }
}

async function askSecret(prompt: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  process.stderr.write(prompt);
  const nowhere = new Writable({ write: (_chunk, _encoding, done): void => done() });
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Ctrl C and Ctrl D close the reader, and its prompt then stays open for ever.
  const closed = once(reader, "close").then(() => undefined);
  try {
    return await Promise.race([reader.question(""), closed]);
  } finally {
    reader.close();
    process.stderr.write("\n");
  }
}
