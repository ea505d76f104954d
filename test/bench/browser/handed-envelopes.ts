// What a page hands in at its node: which devices have got how much, and when the node had taken it.
import type { Page, Request } from "playwright-core";
import { fromBase64 } from "#shared/util/bytes.ts";

/** An envelope that the node has taken. */
interface HandedEnvelope {
  readonly recipient: string;
  readonly boxBytes: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

interface HandedIn {
  readonly envelope: { readonly recipient_pub: string; readonly ciphertext: string };
}

/** Watches the requests of a page. */
export class HandedEnvelopes {
  readonly envelopes: HandedEnvelope[] = [];
  /** Of all requests that handed something in, their bodies. */
  bytes = 0;
  /** Of all kinds. */
  requests = 0;

  constructor(page: Page) {
    page.on("requestfinished", (request) => this.#take(request, Date.now()));
  }

  /** Forgets what was handed in before. */
  clear(): void {
    this.envelopes.length = 0;
    this.bytes = 0;
    this.requests = 0;
  }

  #take(request: Request, atMs: number): void {
    this.requests += 1;
    const { pathname } = new URL(request.url());
    const body = request.postData();
    if (body === null || !pathname.includes("/relay/broadcast")) return;
    this.bytes += Buffer.byteLength(body);
    const json = JSON.parse(body) as HandedIn | { readonly envelopes: readonly HandedIn[] };
    for (const { envelope } of "envelopes" in json ? json.envelopes : [json])
      this.envelopes.push({ recipient: envelope.recipient_pub, boxBytes: fromBase64(envelope.ciphertext).length, atMs });
  }
}
