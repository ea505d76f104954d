// One HTTP request over the socket, without a connection that is kept: a new one costs little on the same machine, and none is stale.
import { type IncomingMessage, request } from "node:http";
import { ParleyError } from "./client-error.ts";
import type { FoundParley } from "./find-parley.ts";

/** What is sent. */
export interface Exchange {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly token?: string | undefined;
  readonly body?: unknown;
  /** Ends it when nothing comes for so long, ms. */
  readonly idleMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The largest response that is read: a file of 8 MiB in base64. */
export const MAX_RESPONSE_BYTES = 16_777_216;
/** The only name that the gateway answers to. */
const HOST = "parley";

/** Sends a request and gives the response when its head is there. @throws ParleyError for every status but those of success. */
export async function openExchange({ socket, secret }: FoundParley, exchange: Exchange): Promise<IncomingMessage> {
  const { method, path, token, body, idleMs, signal } = exchange;
  signal?.throwIfAborted();
  const text = body === undefined ? undefined : JSON.stringify(body);
  const sent = request({
    socketPath: socket,
    method,
    path,
    agent: false,
    timeout: idleMs,
    ...(signal === undefined ? {} : { signal }),
    headers: {
      host: HOST,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(secret === null ? {} : { "x-parley-secret": secret }),
      ...(text === undefined ? {} : { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) }),
    },
  });
  sent.on("timeout", () => sent.destroy(new Error("no answer in time")));
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on("response", resolve);
      sent.on("error", reject);
      sent.end(text);
    });
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) throw failureOf(status, response, await readJson(response));
    return response;
  } catch (error) {
    throw error instanceof ParleyError ? error : unreachable(error, signal);
  }
}

/** JSON of a whole response. @throws ParleyError UNREACHABLE when it breaks off or is too large */
export async function readJson(response: IncomingMessage, signal?: AbortSignal): Promise<unknown> {
  let text = "";
  try {
    response.setEncoding("utf8");
    for await (const part of response as AsyncIterable<string>) {
      text += part;
      if (text.length > MAX_RESPONSE_BYTES) throw new Error("the response is too large");
    }
    return text === "" ? undefined : JSON.parse(text);
  } catch (error) {
    throw unreachable(error, signal);
  } finally {
    response.destroy();
  }
}

/** What ended a connection; the program's own abort stays what it is. */
export function unreachable(cause: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return signal.reason;
  return new ParleyError("UNREACHABLE", "Parley does not respond: it may be starting again", { cause });
}

function failureOf(status: number, { headers }: IncomingMessage, body: unknown): ParleyError {
  const { error, code, details } = fieldsOf(body);
  const known = fieldsOf(details);
  const seconds = [known.retryAfterS, Number(headers["retry-after"])].find((value) => typeof value === "number" && value > 0);
  return new ParleyError(typeof code === "string" ? code : "UNREACHABLE", typeof error === "string" ? error : `Parley answered ${status}`, {
    status,
    details: known,
    ...(typeof seconds === "number" ? { retryAfterMs: seconds * 1000 } : {}),
  });
}

/** Fields of what may be anything. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
