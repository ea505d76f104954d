// Where the main thread of a node spends its time: samples of the runtime's profiler, by what the node was doing.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A part of the work with its share. */
export interface ProfilePart {
  readonly name: string;
  readonly ms: number;
  readonly share: number;
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Parts by function or file, innermost call first; what matches none is the server, sockets included. */
const PARTS: readonly (readonly [string, RegExp])[] = [
  ["garbage collection", /^\(garbage collector\)/],
  ["signatures of single transactions", /verify-signature/],
  ["handing signatures to the worker and back", /signature-batch|threaded-verifier\.ts #(?:post|send)/],
  ["reading and checking a submission", /parse-transaction|^(?:checkUnsigned|checkTimeWindow|signatureInput) /],
  ["admission: trial execution, pool", /^#admit |^removeCommitted /],
  ["building a block: execution, roots", /^buildBlock /],
  ["storing a block: rows, tree pages, sync", /^storeBlock /],
  ["votes and log: signing, encoding, sync", /consensus-driver|mailbox\.ts/],
  ["pushes to WebSockets", /publishBlock|topic-hub/],
  ["starting", /node\/main\.ts|module_job|esm\/loader/],
];
const SERVER = "HTTP: reading, routing, answering";

/** Arguments that make a runtime write a profile of its process into a folder when it ends. */
export function profilerOptions(folder: string): string {
  return `--cpu-prof --cpu-prof-interval=500 --cpu-prof-dir=${folder}`;
}

/** Parts of the profile in a folder that belongs to the main thread, largest first; idle time and the start are left out. */
export function readProfile(folder: string): readonly ProfilePart[] {
  const profiles = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Profile);
  const main = profiles.find(({ nodes }) => nodes.some(({ callFrame }) => callFrame.url.endsWith("node/main.ts")));
  if (main === undefined) throw new Error("The node wrote no profile");
  const partOf = classifier(main.nodes);
  const times = new Map<string, number>();
  for (const [index, id] of main.samples.entries()) {
    const part = partOf(id);
    times.set(part, (times.get(part) ?? 0) + (main.timeDeltas[index] ?? 0) / 1000);
  }
  for (const left of ["idle", "starting"]) times.delete(left);
  const total = [...times.values()].reduce((sum, ms) => sum + ms, 0);
  return [...times].map(([name, ms]) => ({ name, ms, share: ms / total })).sort((a, b) => b.ms - a.ms);
}

function classifier(nodes: readonly ProfileNode[]): (id: number) => string {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const known = new Map<number, string>();
  const partOf = (id: number): string => {
    const found = known.get(id) ?? own(byId.get(id)) ?? inherited(parents.get(id));
    known.set(id, found);
    return found;
  };
  const inherited = (parent: number | undefined): string => (parent === undefined ? SERVER : partOf(parent));
  return partOf;
}

function own(node: ProfileNode | undefined): string | undefined {
  if (node === undefined) return undefined;
  const { functionName, url } = node.callFrame;
  if (functionName === "(idle)") return "idle";
  return PARTS.find(([, pattern]) => pattern.test(`${url} ${functionName} `) || pattern.test(`${functionName} ${url}`))?.[0];
}
