// Where a CPU profile of V8 spends its time: samples counted by groups of functions.
// A sample belongs to the innermost frame that a rule knows, so that helpers (encodings, hashes) count for who called them.

/** The parts of a .cpuprofile file that are used. Times are microseconds of the monotonic clock. */
export interface CpuProfile {
  readonly nodes: readonly CpuProfileNode[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** One place in the tree of calls. */
export interface CpuProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** Names frames of a group by their function or file. */
export interface GroupRule {
  readonly group: string;
  readonly pattern: RegExp;
}

/** The groups of a node of ours. The first rule that matches `file function` decides. */
export const NODE_GROUPS: readonly GroupRule[] = [
  { group: "idle", pattern: / \(idle\)$/ },
  { group: "garbage collection", pattern: / \(garbage collector\)$/ },
  { group: "signatures", pattern: /internal\/crypto\/(sig|keys)|node\/crypto\/|protocol\/signature\.ts/ },
  { group: "SQLite", pattern: /node\/storage\/|better-sqlite3/ },
  { group: "state tree", pattern: /node\/state\/(state-tree|page)/ },
  { group: "mempool", pattern: /node\/mempool\// },
  { group: "explorer index", pattern: /node\/explorer\// },
  { group: "execution", pattern: /node\/ledger\/|node\/state\/|engine\/(block-exec|chain-rules|genesis)/ },
  { group: "consensus", pattern: /node\/consensus\/|node\/engine\// },
  { group: "WebSocket and events", pattern: /api\/(websocket|events)\/|node_modules\/ws\// },
  {
    group: "JSON and HTTP",
    pattern: /node\/api\/|shared\/(api|schema)\/|node_modules\/|node:_http|node:http|node:net|internal\/(streams|stream_base|http|timers)/,
  },
];

const REST = "runtime and other";

/** Time of a function or a group. */
export interface ProfileShare {
  readonly name: string;
  readonly us: number;
}

/** Outcome of {@link summarizeProfile}. */
export interface ProfileSummary {
  /** Time outside "idle", µs. */
  readonly busyUs: number;
  readonly idleUs: number;
  /** Groups without "idle", longest first. */
  readonly groups: readonly ProfileShare[];
  /** Functions by their own time, longest first. */
  readonly functions: readonly ProfileShare[];
  /** Functions of ours by the time of all that they call, longest first. */
  readonly calls: readonly ProfileShare[];
}

/** Counts the samples between two times of the monotonic clock, µs. */
export function summarizeProfile(
  profile: CpuProfile,
  window: { readonly from: number; readonly to: number },
  rules = NODE_GROUPS,
): ProfileSummary {
  const stacks = new Stacks(profile.nodes, rules);
  const [groups, functions, calls] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  let at = profile.startTime;
  for (const [i, id] of profile.samples.entries()) {
    const us = profile.timeDeltas[i] ?? 0;
    at += us;
    if (at < window.from || at > window.to) continue;
    const { group, name, callers } = stacks.of(id);
    add(groups, group, us);
    if (group !== "idle") add(functions, name, us);
    for (const caller of callers) add(calls, caller, us);
  }
  const idleUs = groups.get("idle") ?? 0;
  groups.delete("idle");
  const busyUs = [...groups.values()].reduce((sum, us) => sum + us, 0);
  return { busyUs, idleUs, groups: shares(groups), functions: shares(functions), calls: shares(calls) };
}

interface Stack {
  readonly group: string;
  readonly name: string;
  /** Functions of ours on the stack, each once. */
  readonly callers: ReadonlySet<string>;
}

class Stacks {
  readonly #nodes: ReadonlyMap<number, CpuProfileNode>;
  readonly #parents = new Map<number, number>();
  readonly #known = new Map<number, Stack>();
  readonly #rules: readonly GroupRule[];

  constructor(nodes: readonly CpuProfileNode[], rules: readonly GroupRule[]) {
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
    this.#rules = rules;
    for (const { id, children = [] } of nodes) for (const child of children) this.#parents.set(child, id);
  }

  of(id: number): Stack {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const frames: string[] = [];
    for (let at: number | undefined = id; at !== undefined; at = this.#parents.get(at)) frames.push(this.#frame(at));
    const group = frames.map((frame) => this.#rules.find(({ pattern }) => pattern.test(frame))?.group).find((name) => name !== undefined);
    const callers = new Set(frames.filter((frame) => /^(node|shared)\//.test(frame)));
    const stack = { group: group ?? REST, name: frames[0] ?? "", callers };
    this.#known.set(id, stack);
    return stack;
  }

  /** `file function`, the file within the project or the runtime. */
  #frame(id: number): string {
    const { functionName = "", url = "" } = this.#nodes.get(id)?.callFrame ?? {};
    const file = url.replace(/^.*\/(?=node_modules\/)/, "").replace(/^file:\/\/.*?\/(?=(?:node|shared)\/[a-z0-9-]+[./])/, "");
    return `${file} ${functionName === "" ? "(anonymous)" : functionName}`;
  }
}

function add(totals: Map<string, number>, name: string, us: number): void {
  totals.set(name, (totals.get(name) ?? 0) + us);
}

function shares(totals: ReadonlyMap<string, number>): readonly ProfileShare[] {
  return [...totals].map(([name, us]) => ({ name, us })).sort((a, b) => b.us - a.us);
}
