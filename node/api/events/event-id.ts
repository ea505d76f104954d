// Ids of server-sent events: `<height>.<position>`, position 0 for the block and n for its n-th transaction.
import type { StreamPosition } from "#node/queries/chain-events.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";

const EVENT_ID = /^(\d{1,15})(?:\.(\d{1,9}))?$/;

export function eventId(height: Height, position: number): string {
  return `${height}.${position}`;
}

/** Position after an event; an id without position stands for all of its block. @throws CodedError BAD_REQUEST */
export function positionAfter(id: string): StreamPosition {
  const [, height, position] = EVENT_ID.exec(id) ?? [];
  if (height === undefined) throw new CodedError("BAD_REQUEST", "Last-Event-ID is the id of an event of this stream, like 7.0");
  return position === undefined ? { height: Number(height) + 1, skip: 0 } : { height: Number(height), skip: Number(position) + 1 };
}
