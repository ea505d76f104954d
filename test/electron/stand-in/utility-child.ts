// Loaded into each utility process before its program: gives it `process.parentPort`, and ends it with its parent.
import { EventEmitter } from "node:events";
import { StandInPort } from "./ports.ts";
import type { ChildMessage } from "./utility-process.ts";

class ParentPort extends EventEmitter {
  postMessage(data: unknown): void {
    process.send?.({ kind: "message", data, ports: [] } satisfies ChildMessage);
  }
}

const parentPort = new ParentPort();
const carried = new Map<number, StandInPort>();

function openPort(id: number): StandInPort {
  const [inside, outside] = StandInPort.pair();
  outside.transfer((data) => process.send?.({ kind: "port", id, data } satisfies ChildMessage));
  carried.set(id, outside);
  return inside;
}

process.on("message", (message) => {
  const received = message as ChildMessage;
  if (received.kind === "port") carried.get(received.id)?.postMessage(received.data);
  else parentPort.emit("message", { data: received.data, ports: received.ports.map(openPort) });
});
process.on("disconnect", () => process.exit(0));
Object.defineProperty(process, "parentPort", { value: parentPort });
