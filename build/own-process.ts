// Which unit tests share a process. Loading the modules of a file again costs more than most files' tests, so they are loaded once for all
// files that change nothing other files could see. A file whose text says that it replaces modules, globals or timers, or sets what the
// whole process has, runs in a process of its own: nothing has to be listed, and nothing can be forgotten in a list.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./scripts/process.ts";

const TEST_FILE = /\.test\.tsx?$/;

/** What is of the whole process, and is not put back when a file ends. Vitest itself restores what `vi.spyOn` replaced. */
const CHANGES_PROCESS: readonly RegExp[] = [
  /\bvi\s*\.\s*(mock|doMock|unmock|doUnmock|hoisted|resetModules|stubGlobal|stubEnv|useFakeTimers|setSystemTime)\b/,
  // A name, an element or a deletion of the environment, and everything else that Node has once for a process.
  /\bprocess\.env(\.\w+|\[[^\]]+\])\s*\??\??=(?!=)|\bdelete\s+process\.env\b|\bprocess\.(chdir|umask|setMaxListeners|title\s*=)/,
  /\b(globalThis|global)(\.\w+|\[[^\]]+\])\s*=(?!=)|\b(assign|defineProperty|defineProperties)\(\s*(globalThis|global)\b/,
  /\b(Date|Math|performance|console|process\.std(out|err))\.\w+\s*=(?!=)/,
  /\b(configureGlobal|registerHooks|setFlagsFromString|setGlobalDispatcher|setDefaultResultOrder)\(/,
  // Flags of the engine, and how deep its stack is: tests of these want an engine that nothing ran on before.
  /\/(baseline-compiler|prepare-thread|native-stack|small-heap)\.ts"|\/support\/vm\/(fault-outcomes|frame-search|warm-outcomes|warm-recursion)\.ts"/,
];

/** True for a test file that has to run in a process of its own. */
export function needsOwnProcess(text: string): boolean {
  return CHANGES_PROCESS.some((change) => change.test(text));
}

/** Test files below folders of the project, with `/` as separator: those that can share a process, and those that cannot. */
export function filesByProcess(folders: readonly string[]): { readonly shared: readonly string[]; readonly alone: readonly string[] } {
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => TEST_FILE.test(name))
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
  );
  const isAlone = new Set(files.filter((file) => needsOwnProcess(readFileSync(join(ROOT, file), "utf8"))));
  return { shared: files.filter((file) => !isAlone.has(file)), alone: [...isAlone] };
}
