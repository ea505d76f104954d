// Holds every WebSocket frame and server-sent event that a test receives to its schema; a field too much is a fault like one too few.
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { NodeFrameSchema, StreamEventSchema } from "#shared/api/socket/frames.ts";

const isFrame = Compile(NodeFrameSchema as TSchema);
const isEvent = Compile(StreamEventSchema as TSchema);

/** @throws Error that shows a frame of a node which is not documented. */
export function assertDocumentedFrame(frame: unknown): void {
  if (!isFrame.Check(frame)) throw new Error(`The frame is not a documented one: ${JSON.stringify(frame).slice(0, 500)}`);
}

/** @throws Error that shows the data of a server-sent event which is not documented. */
export function assertDocumentedEvent(event: unknown): void {
  if (!isEvent.Check(event)) throw new Error(`The event is not a documented one: ${JSON.stringify(event).slice(0, 500)}`);
}
