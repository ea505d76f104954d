// All allocations of a relay: who has how many, which of them is meant, and what ends by itself.
import { CALL_RELAY_LIMITS } from "../rules/call-relay-limits.ts";
import type { Allocation, RelayClient } from "./allocation.ts";

/** A place for an allocation whose socket is being opened. */
export interface Reservation {
  readonly client: RelayClient;
  readonly username: string;
}

export class AllocationTable {
  readonly #byClient = new Map<string, Allocation>();
  readonly #byPort = new Map<number, Allocation>();
  readonly #opening = new Map<string, Reservation>();

  get size(): number {
    return this.#byClient.size;
  }

  of(client: RelayClient): Allocation | undefined {
    return this.#byClient.get(client.key);
  }

  at(port: number): Allocation | undefined {
    return this.#byPort.get(port);
  }

  isOpening(client: RelayClient): boolean {
    return this.#opening.has(client.key);
  }

  /** Takes a place; `quota` where the credential or the address has as many as it may, `full` where the relay has. */
  reserve(reservation: Reservation): "reserved" | "quota" | "full" {
    const { client, username } = reservation;
    const all: readonly Reservation[] = [...this.#byClient.values(), ...this.#opening.values()];
    if (all.length >= CALL_RELAY_LIMITS.allocations) return "full";
    const ofCredential = all.filter((other) => other.username === username).length;
    const ofParty = all.filter((other) => other.client.party === client.party).length;
    if (ofCredential >= CALL_RELAY_LIMITS.allocationsPerCredential || ofParty >= CALL_RELAY_LIMITS.allocationsPerAddress) return "quota";
    this.#opening.set(client.key, reservation);
    return "reserved";
  }

  /** Gives the place back, or to the allocation; false where the client has gone meanwhile. */
  settle(client: RelayClient, allocation?: Allocation): boolean {
    if (!this.#opening.delete(client.key)) return false;
    if (allocation === undefined) return true;
    this.#byClient.set(client.key, allocation);
    this.#byPort.set(allocation.socket.port, allocation);
    return true;
  }

  /** Ends what a client has. */
  end(client: RelayClient): void {
    this.#opening.delete(client.key);
    const allocation = this.#byClient.get(client.key);
    if (allocation === undefined) return;
    this.#byClient.delete(client.key);
    this.#byPort.delete(allocation.socket.port);
    allocation.socket.close();
  }

  /** Ends what is over. */
  sweep(nowMs: number): void {
    for (const allocation of [...this.#byClient.values()]) if (allocation.isOver(nowMs)) this.end(allocation.client);
  }

  close(): void {
    for (const { client } of [...this.#byClient.values()]) this.end(client);
    this.#opening.clear();
  }
}
