// Checked bodies of blocks by height, the ones used longest ago go first. Blocks are final: what was checked stays true.

import type { Height } from "#shared/protocol/header.ts";
import { encodeTransaction } from "#shared/protocol/transaction-encoding.ts";
import type { ProvenBody } from "../light-source.ts";

interface Kept {
  readonly body: ProvenBody;
  readonly bytes: number;
}

/** What a body costs beside its transactions, and a receipt beside its logs. */
const BODY_BYTES = 2_048;
const RECEIPT_BYTES = 256;

/** Bodies up to a number of bytes. */
export class BodyCache {
  readonly #maxBytes: number;
  readonly #bodies = new Map<Height, Kept>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(height: Height): ProvenBody | undefined {
    const kept = this.#bodies.get(height);
    if (kept === undefined) return undefined;
    this.#bodies.delete(height);
    this.#bodies.set(height, kept);
    return kept.body;
  }

  add(height: Height, body: ProvenBody): void {
    this.#remove(height);
    const bytes = bytesOf(body);
    if (bytes > this.#maxBytes) return;
    this.#bodies.set(height, { body, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#bodies.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#remove(oldest);
    }
  }

  #remove(height: Height): void {
    this.#bytes -= this.#bodies.get(height)?.bytes ?? 0;
    this.#bodies.delete(height);
  }
}

function bytesOf({ block, receipts }: ProvenBody): number {
  const logs = receipts.reduce((sum, { logs: lines }) => sum + lines.reduce((chars, { message }) => chars + message.length, 0), 0);
  return BODY_BYTES + logs + block.transactions.reduce((sum, tx) => sum + encodeTransaction(tx).length + RECEIPT_BYTES, 0);
}
