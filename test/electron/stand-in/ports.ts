// Message ports between the main process and others. A port that was transferred lives on elsewhere: what its peer posts is carried there.
import { EventEmitter } from "node:events";

/** Carries a message to where a port lives now. */
export type Carrier = (data: unknown) => void;

/** One end of a channel in the main process. */
export class StandInPort extends EventEmitter {
  #peer: StandInPort | undefined;
  #carrier: Carrier | undefined;
  #waiting: unknown[] = [];
  #isStarted = false;

  /** Two ends that belong to each other. */
  static pair(): readonly [StandInPort, StandInPort] {
    const [one, other] = [new StandInPort(), new StandInPort()];
    one.#peer = other;
    other.#peer = one;
    return [one, other];
  }

  postMessage(data: unknown): void {
    const peer = this.#peer;
    if (peer !== undefined) peer.#receive(data);
  }

  start(): void {
    this.#isStarted = true;
    this.#flush();
  }

  close(): void {
    this.#peer?.emit("close");
    this.#peer = undefined;
  }

  /** The port moves to another process or world; nothing that waits is lost. */
  transfer(carrier: Carrier): void {
    this.#carrier = carrier;
    this.#flush();
  }

  #receive(data: unknown): void {
    this.#waiting.push(data);
    this.#flush();
  }

  #flush(): void {
    if (this.#carrier === undefined && !this.#isStarted) return;
    for (const data of this.#waiting.splice(0)) {
      if (this.#carrier === undefined) this.emit("message", { data, ports: [] });
      else this.#carrier(data);
    }
  }
}
