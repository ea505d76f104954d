// Where a list of contact requests continues: after a time and a transaction, which every node can compare without having seen either.
import { CodedError } from "#shared/errors/coded-error.ts";

/** Position in a list that is oldest first. */
export interface ContactPosition {
  /** Unix seconds. */
  readonly createdAt: number;
  readonly txId: string;
}

/** Text of a position: `after` of a request. */
export function formatContactCursor({ createdAt, txId }: ContactPosition): string {
  return `${createdAt}.${txId}`;
}

/** @throws CodedError BAD_REQUEST for what no page ended with. */
export function parseContactCursor(text: string): ContactPosition {
  const [, createdAt, txId] = /^(\d{1,15})\.(.+)$/s.exec(text) ?? [];
  if (createdAt === undefined || txId === undefined)
    throw new CodedError("BAD_REQUEST", "The cursor is none that a page of contacts ended with", { details: { field: "after" } });
  return { createdAt: Number(createdAt), txId };
}

/** Order of the lists. */
export function compareContactPositions(a: ContactPosition, b: ContactPosition): number {
  if (a.createdAt !== b.createdAt) return a.createdAt - b.createdAt;
  if (a.txId === b.txId) return 0;
  return a.txId < b.txId ? -1 : 1;
}
