// The server on this process's standard input and output, until its client closes them.

import { once } from "node:events";
import type { Parley } from "#client/index.ts";
import { readVersion } from "#node/config/build-info.ts";
import { fieldsOf, RpcConnection, readLines } from "./json-rpc.ts";
import { McpConnection } from "./mcp-connection.ts";
import { McpServer } from "./mcp-server.ts";
import { DRAFT_MESSAGE_TOOL, MessageIds, readMessagesTool, SEND_MESSAGE_TOOL } from "./message-tools.ts";
import { PAY_TOOL } from "./paying-tool.ts";
import { READING_SCOPES, READING_TOOLS } from "./reading-tools.ts";
import type { Tools } from "./tools.ts";

/** A client of MCP waits a minute or less for a tool. */
const RETRY_FOR_MS = 5_000;

/** What the person asked for. */
export interface McpOptions {
  readonly name: string;
  readonly readsMessages: boolean;
  readonly draftsMessages: boolean;
  readonly sendsMessages: boolean;
  /** Keys of the scope `pay`; undefined: no tool that pays. */
  readonly payLimits: string | undefined;
  readonly place: { readonly tokenFile?: string; readonly endpoint?: string };
  /** One line for the person, on standard error. */
  readonly log: (line: string) => void;
}

/** Serves until standard input ends. */
export async function serveMcp(options: McpOptions): Promise<void> {
  const { name, place, log } = options;
  const ids = new MessageIds();
  const connection: McpConnection = new McpConnection(
    { name, scopes: scopesOf(options), reason: "tools of a language model (parley mcp)", retryForMs: RETRY_FOR_MS, ...place },
    (parley) => {
      log(`${name} is connected.`);
      if (options.readsMessages) ids.follow(parley, (error) => connection.failed(error));
    },
  );
  const server = new McpServer({
    tools: toolsOf(options, ids),
    version: readVersion().nodeVersion,
    connection: (): Parley => connection.require(),
    onFailed: (error): void => connection.failed(error),
  });
  const rpc: RpcConnection = new RpcConnection(
    {
      request: (method, params, signal) => server.request(method, params, signal),
      notify: (method, params) => {
        if (method === "notifications/cancelled") rpc.cancel(fieldsOf(params).requestId ?? null);
      },
    },
    (line) => void process.stdout.write(`${line}\n`),
  );
  connection.ask();
  const answering = new Set<Promise<void>>();
  for await (const line of readLines(process.stdin)) {
    const answer = rpc.take(line).finally(() => answering.delete(answer));
    answering.add(answer);
    // Who asks without reading the answers is not read either.
    if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
  }
  rpc.cancel();
  connection.close();
  ids.close();
  await Promise.all(answering);
}

/** What pays always asks, whatever the person writes behind `--pay`. */
export function scopesOf({ readsMessages, sendsMessages, payLimits }: McpOptions): readonly string[] {
  return [
    ...READING_SCOPES,
    ...(readsMessages ? ["messages.read:in=chosen"] : []),
    ...(sendsMessages ? ["messages.send:to=chosen"] : []),
    ...(payLimits === undefined ? [] : [`pay:${withoutAsk(payLimits)},ask=always`]),
  ];
}

function withoutAsk(limits: string): string {
  return limits
    .split(",")
    .filter((part) => !part.trim().startsWith("ask="))
    .join(",");
}

function toolsOf({ readsMessages, draftsMessages, sendsMessages, payLimits }: McpOptions, ids: MessageIds): Tools {
  return {
    ...READING_TOOLS,
    ...(readsMessages ? { read_messages: readMessagesTool(ids) } : {}),
    ...(draftsMessages ? { draft_message: DRAFT_MESSAGE_TOOL } : {}),
    ...(sendsMessages ? { send_message: SEND_MESSAGE_TOOL } : {}),
    ...(payLimits === undefined ? {} : { pay: PAY_TOOL }),
  };
}
