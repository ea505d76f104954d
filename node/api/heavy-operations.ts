// Operations whose reads cost more than a moment (long pages, lists that walk over records, whole blocks) are answered beside the thread
// that makes blocks, where there is one for them. The endpoint table says which they are.
import type { EventChunk, StreamPosition } from "#node/queries/chain-events.ts";
import { type Input, type OperationsWith, operationsWhere } from "#shared/api/api.ts";
import type { EndpointDefinition } from "#shared/api/endpoint.ts";
import type { Handlers, RequestContext } from "./handler-types.ts";
import type { JsonText } from "./json/json-text.ts";

/** Entries of a page that the main thread answers itself. */
const SMALL_PAGE = 100;

/** Entries before a page that the main thread answers itself: the newest ones are in memory, older ones may have to come from the disk. */
const NEAR_OFFSET = 1_000;

/** Blocks of a window that the main thread looks at itself. */
const SMALL_WINDOW = 1_000;

type LargeOperation = OperationsWith<{ readonly heavy: "large" }>;

/** Which inputs are large. */
const IS_LARGE: { readonly [K in LargeOperation]: (input: Input<K>) => boolean } = {
  getAddress: ({ limit = 50, offset = 0 }) => limit > SMALL_PAGE || offset > NEAR_OFFSET,
  getAccountFeed: ({ limit = 100 }) => limit > SMALL_PAGE,
  getNodeStats: ({ window = 200 }) => window > SMALL_WINDOW,
  listIdentities: ({ body }) => body.accounts.length > SMALL_PAGE,
};

export type HeavyOperation = OperationsWith<{ readonly heavy: NonNullable<EndpointDefinition["heavy"]> }>;

/** True for what runs the code of contracts. */
export function runsContracts(operation: HeavyOperation): boolean {
  return operation === "callView" || operation === "estimateCall" || operation === "estimateDeployment";
}

/** For whom a heavy read is. */
export type HeavyCaller = Pick<RequestContext, "onHangUp"> & Partial<Pick<RequestContext, "address" | "isOwn">>;

/** Answers heavy reads beside the calling thread. */
export interface HeavyReads {
  /** Which operations it answers; all when absent. */
  readonly answers?: (operation: HeavyOperation) => boolean;
  /** Gas that a call or trial may use beside its own, to find out what it needs; 0 when absent. */
  readonly searchGas?: number;
  /**
   * The response as JSON text. A read whose caller hangs up before its turn is not done.
   * @throws CodedError of the handler; when too many wait or it took too long RATE_LIMITED for an address that asks much, else BUSY.
   */
  read(operation: HeavyOperation, input: unknown, caller?: HeavyCaller): Promise<JsonText>;
  /** Events of blocks for a reader that catches up; read by the calling thread when absent. @throws CodedError BUSY */
  readEvents?(position: StreamPosition, caller: Pick<HeavyCaller, "address" | "isOwn">): Promise<EventChunk | undefined>;
}

/** The handlers, with heavy reads left to another thread. */
export function withHeavyReads(handlers: Handlers, heavyReads: HeavyReads | undefined): Handlers {
  if (heavyReads === undefined) return handlers;
  const { answers = (): boolean => true } = heavyReads;
  const heavyOperations = operationsWhere(({ heavy }) => heavy !== undefined) as readonly HeavyOperation[];
  const routed = heavyOperations.filter(answers).map((operation) => {
    const isHeavy = operation in IS_LARGE ? (IS_LARGE[operation as LargeOperation] as (input: unknown) => boolean) : (): boolean => true;
    const handler = handlers[operation] as (input: unknown, context: RequestContext) => unknown;
    return [
      operation,
      (input: unknown, context: RequestContext): unknown =>
        isHeavy(input) ? heavyReads.read(operation, input, context) : handler(input, context),
    ] as const;
  });
  return { ...handlers, ...(Object.fromEntries(routed) as unknown as Pick<Handlers, HeavyOperation>) };
}
