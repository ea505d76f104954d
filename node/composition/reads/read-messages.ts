// What the main thread and those that answer its reads say to each other.
import type { HeavyOperation } from "#node/api/heavy-operations.ts";
import type { TransactionProblem } from "#node/ledger/check-transaction.ts";
import type { ProvenCall, TaskResult } from "#node/light/queries/call-passes.ts";
import type { PassOutcome } from "#node/light/reads/known-state.ts";
import type { ChainRequest } from "#node/light/server/light-reads.ts";
import type { EventChunk, StreamPosition } from "#node/queries/chain-events.ts";
import type { SnapshotRead } from "#node/sync/snapshots/snapshot-reads.ts";
import type { ThreadFailure } from "#shared/errors/thread-failure.ts";

/** What is read: an operation of the interface, what a light node or one that joins asks, decoded, what a transaction would come to, or a call over what is proven. */
export type Read =
  | { readonly operation: HeavyOperation; readonly input: unknown; readonly isExact: boolean }
  | { readonly light: ChainRequest }
  | { readonly snapshot: SnapshotRead }
  | { readonly events: StreamPosition }
  | { readonly trial: SubmittedTransaction }
  | { readonly pass: ProvenCall };

/** A transaction that is tried out. */
export interface SubmittedTransaction {
  readonly bytes: Uint8Array;
  readonly nowMs: number;
}

/** A request to the thread; `undefined` ends it. */
export type ReadRequest = (Read & { readonly id: number }) | undefined;
/** What the thread answers: text, or bytes for another node, or the code and words of an expected failure, or what went wrong inside. */
export type ReadResponse =
  | { readonly id: number; readonly text: string }
  | { readonly id: number; readonly bytes: Uint8Array }
  | { readonly id: number; readonly chunk: EventChunk | undefined }
  | { readonly id: number; readonly problem: TransactionProblem | undefined }
  | { readonly id: number; readonly outcome: PassOutcome<TaskResult> }
  | ({ readonly id: number } & ThreadFailure);
