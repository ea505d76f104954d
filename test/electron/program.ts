// A program of the same user, as one that a stranger wrote: it finds the app by endpoint.json and speaks HTTP on its socket.
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type AppsEndpoint, parseLocalEndpoint } from "#shared/desktop/local-endpoint.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";

/** What a program gets. */
export interface ProgramResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A request that waits for the person. */
export interface Asked {
  readonly id: string;
  readonly secret: string;
  readonly code: string;
}

/** Where programs are served, once they are. */
export async function findApps(folder: string): Promise<AppsEndpoint> {
  return await pollUntil(async () => readApps(folder), { what: "the socket for programs in endpoint.json" });
}

/** What endpoint.json says of it now. */
export function readApps(folder: string): AppsEndpoint | undefined {
  try {
    return parseLocalEndpoint(readFileSync(join(folder, "endpoint.json"), "utf8"))?.apps ?? undefined;
  } catch {
    return undefined;
  }
}

/** One program. */
export class Program {
  readonly #folder: string;
  /** The same for all orders: an order under its key is the same again. */
  readonly #notAfter = Math.floor(Date.now() / 1_000) + 3_600;
  token = "";

  constructor(folder: string) {
    this.#folder = folder;
  }

  async send(method: "GET" | "POST" | "DELETE", path: string, body?: unknown, bearer = this.token): Promise<ProgramResponse> {
    const { socket, secret } = await findApps(this.#folder);
    const { promise, resolve, reject } = Promise.withResolvers<ProgramResponse>();
    const sent = request({
      socketPath: socket,
      path,
      method,
      agent: false,
      headers: {
        host: "parley",
        ...(secret === null ? {} : { "x-parley-secret": secret }),
        ...(bearer === "" ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
    });
    sent.once("error", reject);
    sent.once("response", (response) => {
      text(response).then((received) => resolve({ status: response.statusCode ?? 0, body: JSON.parse(received) }), reject);
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    return await promise;
  }

  /** Asks to connect. */
  async ask(name: string, grant: readonly string[], reason = ""): Promise<Asked> {
    const { status, body } = await this.send("POST", "/apps/requests", { name, reason, grant });
    if (status !== 202) throw new Error(`asked: ${status} ${JSON.stringify(body)}`);
    return body as unknown as Asked;
  }

  /** What came of it; the token is kept. */
  async fetch({ id, secret }: Asked): Promise<unknown> {
    const { body } = await this.send("GET", `/apps/requests/${id}`, undefined, secret);
    if (typeof body.token === "string") this.token = body.token;
    return body.state;
  }

  /** Orders a payment under a key of its own. */
  async pay(to: string, amountUt: number, key: string): Promise<ProgramResponse> {
    return await this.send("POST", "/apps/v1/payments", {
      to,
      amount_ut: amountUt,
      idempotency_key: key.padEnd(16, "."),
      not_after: this.#notAfter,
    });
  }

  /** Orders a call of a contract's method, with a gas limit of 1,000,000. */
  async call(contract: string, method: string, argsJson: string, key: string): Promise<ProgramResponse> {
    return await this.send("POST", "/apps/v1/calls", {
      ...{ contract, method, args_json: argsJson, gas_limit: 1_000_000 },
      ...{ idempotency_key: key.padEnd(16, "."), not_after: this.#notAfter },
    });
  }
}
