// A client of `parley mcp`, a real process.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { endWithTests } from "../host/end-with-tests.ts";
import { pollUntil } from "../host/poll-until.ts";
import { cleanEnvironment, projectRoot } from "../nodes/run-program.ts";

/** A response of the server. */
export interface RpcMessage {
  readonly jsonrpc: string;
  readonly id: number | string | null;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** What a tool gives. */
export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly isError: boolean;
}

/** A client of MCP over the standard input and output of a process. */
export class McpClient {
  readonly child: ChildProcessWithoutNullStreams;
  readonly messages: unknown[] = [];
  #lastId = 0;

  constructor(endpointFile: string, args: readonly string[]) {
    this.child = spawn(process.execPath, ["node/main.ts", "mcp", "--endpoint", endpointFile, ...args], {
      cwd: projectRoot,
      env: cleanEnvironment(),
    });
    endWithTests(this.child);
    this.child.stderr.resume();
    createInterface({ input: this.child.stdout }).on("line", (line) => this.messages.push(JSON.parse(line)));
  }

  raw(line: string | Buffer): void {
    this.child.stdin.write(line);
  }

  async answer(id: number | string | null, count = 1): Promise<RpcMessage> {
    const found = (): RpcMessage[] => (this.messages as RpcMessage[]).filter((message) => message.id === id);
    return await pollUntil(() => found()[count - 1], { what: `the answer to ${id}` });
  }

  async request(method: string, params?: object): Promise<RpcMessage> {
    this.#lastId += 1;
    this.raw(`${JSON.stringify({ jsonrpc: "2.0", id: this.#lastId, method, ...(params === undefined ? {} : { params }) })}\n`);
    return await this.answer(this.#lastId);
  }

  async initialize(protocolVersion = "2025-06-18"): Promise<RpcMessage> {
    const clientInfo = { name: "test", version: "1" };
    const answer = await this.request("initialize", { protocolVersion, capabilities: {}, clientInfo });
    this.raw(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    return answer;
  }

  async call(name: string, args: object = {}): Promise<ToolResult> {
    const { result, error } = await this.request("tools/call", { name, arguments: args });
    if (result === undefined) throw new Error(error?.message);
    return result as unknown as ToolResult;
  }

  /** The JSON of a tool that worked. @throws Error with its words. */
  async json(name: string, args: object = {}): Promise<Record<string, unknown>> {
    const { content, isError } = await this.call(name, args);
    const text = content.at(-1)?.text ?? "";
    if (isError) throw new Error(`${name}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }

  async end(): Promise<number | null> {
    this.child.stdin.end();
    if (this.child.exitCode === null) await once(this.child, "exit");
    return this.child.exitCode;
  }
}
