// Who imports whom: every import counts, those of types and those by `import()` too. Read as text: TypeScript 7 has no API for tools.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** Imported files of each file, both as paths from the root of the project. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** One import. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/** Folders whose sources count. */
const SOURCES: readonly string[] = ["shared", "client", "node", "renderer", "electron", "agent"];
/** Written in AssemblyScript, whose imports name no files of this project. */
const FOREIGN: readonly string[] = ["node/contracts/sdk", "node/contracts/examples"];
const SOURCE_FILE = /\.(?:ts|tsx)$/;
const SPECIFIER = /(?:\bfrom|\bimport\(|\bimport)\s*"((?:\.{1,2}\/|#)[^"]+)"/g;

/** Imports between the sources below a root. Imports of packages and of other kinds of files are left out. */
export function readImportGraph(root: string): ImportGraph {
  const texts = new Map<string, string>();
  for (const folder of SOURCES) collect(root, folder, texts);
  return new Map([...texts].map(([file, text]) => [file, new Set(importsOf(file, text).filter((target) => texts.has(target)))]));
}

function collect(root: string, folder: string, texts: Map<string, string>): void {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (FOREIGN.includes(path)) continue;
    if (entry.isDirectory()) collect(root, path, texts);
    else if (SOURCE_FILE.test(entry.name)) texts.set(path, readFileSync(join(root, path), "utf8"));
  }
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(SPECIFIER)].map(([, specifier = ""]) =>
    specifier.startsWith("#") ? specifier.slice(1) : posix.join(posix.dirname(file), specifier),
  );
}

/**
 * Circles of a graph: its strongly connected components of two nodes and more (Tarjan, "Depth-first search and linear graph
 * algorithms", 1972).
 */
export function findCircles(graph: ImportGraph): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): void => {
    order.set(node, order.size);
    lowest.set(node, order.size - 1);
    const start = stack.push(node) - 1;
    for (const target of graph.get(node) ?? []) {
      if (!order.has(target)) visit(target);
      else if (!stack.includes(target)) continue;
      lowest.set(node, Math.min(lowest.get(node) ?? 0, lowest.get(target) ?? 0));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const component = stack.splice(start);
    if (component.length > 1) circles.push(component.toSorted());
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}
