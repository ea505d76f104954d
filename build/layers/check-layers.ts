// Faults of the structure: circles of files or folders, imports of a folder above, folders that hold too much.
import { FOLDER_ORDER } from "./folder-order.ts";
import { findCircles, type Import, type ImportGraph } from "./import-graph.ts";

/** Sources and folders beside each other; styles do not count. */
export const SIBLING_LIMIT = 15;

/** Folders that hold more, and how many: each is a list by its nature. None may grow. */
export const LARGER: Readonly<Record<string, number>> = {
  node: 25,
};

/** What is wrong, a line each; empty when nothing is. */
export function checkLayers(
  graph: ImportGraph,
  order: Readonly<Record<string, readonly string[]>> = FOLDER_ORDER,
  larger: Readonly<Record<string, number>> = LARGER,
): readonly string[] {
  return [
    ...findCircles(graph).map((files) => `Files import each other in a circle: ${files.join(", ")}`),
    ...foldersOf(graph).flatMap((folder) => [...checkFolder(graph, folder, larger), ...checkOrder(graph, folder, order[folder])]),
  ];
}

function checkFolder(graph: ImportGraph, folder: string, larger: Readonly<Record<string, number>>): string[] {
  const siblings = new Set([...graph.keys()].map((file) => siblingIn(folder, file)).filter((name) => name !== undefined));
  const limit = larger[folder] ?? SIBLING_LIMIT;
  const faults = findCircles(siblingGraph(graph, folder)).map(
    (names) => `${folder}/ has a circle: ${names.map((name) => `${name} (${example(graph, folder, name, names)})`).join(", ")}`,
  );
  if (siblings.size > limit) faults.push(`${folder}/ holds ${siblings.size} files and folders, more than ${limit}`);
  return faults;
}

function checkOrder(graph: ImportGraph, folder: string, lines: readonly string[] | undefined): string[] {
  if (lines === undefined) return [];
  const floors = new Map(lines.flatMap((line, floor) => line.split(" ").map((name) => [name, floor] as const)));
  const folders = new Set([...graph.keys()].map((file) => siblingIn(folder, file)).filter((name) => name !== undefined && isFolder(name)));
  const faults = [...folders]
    .filter((name) => !floors.has(name ?? ""))
    .map((name) => `${folder}/${name} has no position in the order of folders`);
  for (const { from, to } of importsBetweenSiblings(graph, folder)) {
    const [floor, target] = [from, to].map((file) => floors.get(siblingIn(folder, file) ?? ""));
    if (floor !== undefined && target !== undefined && target >= floor)
      faults.push(`${from} imports ${to}, which is above it or beside it`);
  }
  return faults;
}

function foldersOf(graph: ImportGraph): readonly string[] {
  const folders = new Set<string>();
  for (const file of graph.keys()) {
    const parts = file.split("/");
    for (let depth = 1; depth < parts.length; depth += 1) folders.add(parts.slice(0, depth).join("/"));
  }
  return [...folders].toSorted();
}

/** Name of the file or folder directly in a folder that a file belongs to. */
function siblingIn(folder: string, file: string): string | undefined {
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split("/")[0] : undefined;
}

function isFolder(name: string): boolean {
  return !name.includes(".");
}

function importsBetweenSiblings(graph: ImportGraph, folder: string): readonly Import[] {
  return [...graph].flatMap(([from, targets]) => {
    const sibling = siblingIn(folder, from);
    if (sibling === undefined) return [];
    return [...targets].filter((to) => ![undefined, sibling].includes(siblingIn(folder, to))).map((to) => ({ from, to }));
  });
}

function siblingGraph(graph: ImportGraph, folder: string): ImportGraph {
  const siblings = new Map<string, Set<string>>();
  for (const { from, to } of importsBetweenSiblings(graph, folder)) {
    const name = siblingIn(folder, from) ?? "";
    siblings.set(name, (siblings.get(name) ?? new Set()).add(siblingIn(folder, to) ?? ""));
  }
  return siblings;
}

function example(graph: ImportGraph, folder: string, name: string, circle: readonly string[]): string {
  const found = importsBetweenSiblings(graph, folder).find(
    ({ from, to }) => siblingIn(folder, from) === name && circle.includes(siblingIn(folder, to) ?? ""),
  );
  return found === undefined ? "" : `${found.from} → ${found.to}`;
}
