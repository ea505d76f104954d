// Entry of the process that runs contracts for requests: calls without a transaction, and trials of transactions. Anyone can ask for them, so
// what the engine does to its process it does to this one. It reads the chain as the thread for reads does, one request at a time.

import type { HeavyOperation } from "#node/api/heavy-operations.ts";
import { writeExactJson } from "#node/api/json/exact-json.ts";
import { createReadHandlers } from "#node/api/reads/heavy-reads.ts";
import { systemClock } from "#node/config/system-clock.ts";
import { type CallQueryDependencies, callChainOf, createCallQueries } from "#node/explorer/queries/call-queries.ts";
import { createProofQueries } from "#node/explorer/queries/proof-queries.ts";
import { createChainQueries, createTrialVm } from "#node/explorer/queries/read-queries.ts";
import { createCallPasses } from "#node/light/queries/call-passes.ts";
import { problemOfTrial, type TrialNetwork } from "#node/mempool/transaction-trials.ts";
import { openProcessMarks } from "#node/observability/run-mark-files.ts";
import { openChainReader } from "#node/storage/chain/chain-reader.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { decodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { ReadRequest, ReadResponse, SubmittedTransaction } from "./read-messages.ts";
import { END } from "./reader.ts";
import { type ContractPort, shellPort } from "./shell-readers.ts";

/** The first message: what the process works for. */
export interface ContractReaderStart {
  readonly directory: string;
  readonly network: TrialNetwork;
  /** True where the folder has no chain to be read: calls come with what is proven. */
  readonly isLight: boolean;
  /** Modules that are interpreted, because such a process died at them. */
  readonly marked: readonly string[];
}

/** What the process says beside responses. */
export interface EngineFailure {
  readonly engineFailure: string;
}

type NodeMessage = ContractReaderStart | NonNullable<ReadRequest> | typeof END;
type AnyHandler = (input: unknown) => unknown;
type Respond = (request: NonNullable<ReadRequest>) => Promise<ReadResponse>;

let respond: Respond | undefined;
let inTurn: Promise<void> = Promise.resolve();

/** How this process reaches its node. */
interface NodeChannel {
  say(message: ReadResponse | EngineFailure | undefined): void;
  /** Ends this process in order. */
  end(): void;
}

/** Closes what the process holds. */
let close = (): void => undefined;
let channel: NodeChannel = {
  say: (message) => void process.send?.(message, undefined, undefined, () => undefined),
  end: () => process.disconnect(),
};

const shell = shellPort();
if (shell === undefined) {
  process.on("message", take);
  process.once("disconnect", () => close());
} else shell.on("message", ({ ports: [port] }) => listenTo(port));
// The node decides when this process ends, not who stops both.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);

/** Inside the desktop app the shell starts this process, and gives it a port to the node. */
function listenTo(port: ContractPort | undefined): void {
  if (port === undefined) return;
  channel = {
    say: (message): void => port.postMessage(message),
    end: (): void => {
      close();
      // biome-ignore lint/nursery/noProcessExit: a process of the shell lives as long as its port to it, which nothing closes
      process.exit();
    },
  };
  port.on("message", ({ data }) => take(data as NodeMessage));
  port.start();
}

function take(message: NodeMessage): void {
  if (message === END) channel.end();
  else if ("directory" in message) respond = open(message);
  else inTurn = inTurn.then(async () => say(await respond?.(message)));
}

function say(message: ReadResponse | EngineFailure | undefined): void {
  channel.say(message);
}

function open(start: ContractReaderStart): Respond {
  const marks = openProcessMarks(start.directory, start.marked);
  close = marks.close.bind(marks);
  const onFault = (error: unknown): void => say({ engineFailure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  const dependencies = { vm: createTrialVm({ marks, onFault }), clock: systemClock };
  const read = start.isLight ? passReader(start, dependencies) : chainReader(start, dependencies);
  return async (request): Promise<ReadResponse> => {
    const { id } = request;
    try {
      return await read(request);
    } catch (error) {
      return error instanceof CodedError ? { id, code: error.code, message: error.message } : { id, failure: error };
    }
  };
}

/** Calls over what comes with them. */
function passReader({ network }: ContractReaderStart, dependencies: CallQueryDependencies): Respond {
  const runPass = createCallPasses(network, dependencies);
  return async (request): Promise<ReadResponse> => {
    if (!("pass" in request)) throw new TypeError("A light node has no chain to read");
    return { id: request.id, outcome: runPass(request.pass) };
  };
}

/** Calls and trials over the chain of the folder. */
function chainReader({ directory, network }: ContractReaderStart, { vm, clock }: CallQueryDependencies): Respond {
  const reader = openChainReader(directory);
  const closeMarks = close;
  close = (): void => {
    reader.close();
    closeMarks();
  };
  const calls = createCallQueries(callChainOf(reader), { vm, clock });
  const queries = { ...createChainQueries(reader), calls, proofs: createProofQueries(reader) };
  const handlers = createReadHandlers(queries) as unknown as Readonly<Record<HeavyOperation, AnyHandler>>;
  const problemOf = ({ bytes, nowMs }: SubmittedTransaction): ReturnType<typeof problemOfTrial> => {
    const height = reader.blocks.tipHeight() ?? 0;
    const tip = reader.blocks.get(height);
    assertInvariant(tip !== undefined, "A chain has a newest block");
    const timeMs = Math.max(nowMs, tip.block.header.timeMs);
    return problemOfTrial(decodeTransaction(bytes), network, vm, { state: reader.state, height, timeMs });
  };
  return async (request): Promise<ReadResponse> => {
    const { id } = request;
    if ("trial" in request) return { id, problem: await reader.inSnapshot(async () => problemOf(request.trial)) };
    if (!("operation" in request)) throw new TypeError("Nothing but contracts is read here");
    const { operation, input, isExact } = request;
    const response = await reader.inSnapshot(async () => handlers[operation](input));
    return { id, text: isExact ? writeExactJson(response) : JSON.stringify(response) };
  };
}
