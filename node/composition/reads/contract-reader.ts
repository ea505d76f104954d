// Entry of the process that runs contracts for requests: calls without a transaction, and trials of transactions. Anyone can ask for them, so
// what the engine does to its process it does to this one. It reads the chain as the thread for reads does, one request at a time.
import { writeExactJson } from "#node/api/exact-json.ts";
import type { HeavyOperation } from "#node/api/heavy-operations.ts";
import { createReadHandlers } from "#node/api/reads/heavy-reads.ts";
import { systemClock } from "#node/config/system-clock.ts";
import { createProofQueries } from "#node/explorer/queries/proof-queries.ts";
import { createChainQueries, createTrialVm } from "#node/explorer/queries/read-queries.ts";
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
  else if ("directory" in message) respond = openReader(message);
  else inTurn = inTurn.then(async () => say(await respond?.(message)));
}

function say(message: ReadResponse | EngineFailure | undefined): void {
  channel.say(message);
}

function openReader({ directory, network, marked }: ContractReaderStart): Respond {
  const reader = openChainReader(directory);
  const marks = openProcessMarks(directory, marked);
  close = (): void => {
    reader.close();
    marks.close();
  };
  const onFault = (error: unknown): void => say({ engineFailure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  const vm = createTrialVm({ marks, onFault });
  const queries = { ...createChainQueries(reader, { vm, clock: systemClock }), proofs: createProofQueries(reader) };
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
    try {
      if ("trial" in request) return { id, problem: await reader.inSnapshot(async () => problemOf(request.trial)) };
      if (!("operation" in request)) throw new TypeError("Nothing but contracts is read here");
      const { operation, input, isExact } = request;
      const response = await reader.inSnapshot(async () => handlers[operation](input));
      return { id, text: isExact ? writeExactJson(response) : JSON.stringify(response) };
    } catch (error) {
      return error instanceof CodedError ? { id, code: error.code, message: error.message } : { id, failure: error };
    }
  };
}
