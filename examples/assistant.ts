// Drives `parley mcp` as the program around a language model does: it lists the tools and calls them. Here a person types the calls, such as
// balance or pay {"to":"@bob","amount":"1T"}; a model takes that place. Run: node --conditions=parley-source examples/assistant.ts npx parley mcp --pay each=2T,total=10T/day,to=any
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

interface Answer {
  readonly id: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

const [command = "npx", ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map<number, (answer: Answer) => void>();
createInterface({ input: server.stdout }).on("line", (line) => {
  const answer = JSON.parse(line) as Answer;
  waiting.get(answer.id)?.(answer);
  waiting.delete(answer.id);
});
let lastId = 0;

function request(method: string, params: object): Promise<Answer> {
  lastId += 1;
  server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params })}\n`);
  return new Promise((resolve) => waiting.set(lastId, resolve));
}

const clientInfo = { name: "assistant-example", version: "1" };
await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
const { tools } = (await request("tools/list", {})).result as {
  readonly tools: readonly { readonly name: string; readonly description: string }[];
};
for (const { name, description } of tools) console.log(`${name}: ${description}`);

for await (const line of createInterface({ input: process.stdin })) {
  const [, name = "", text = "{}"] = /^(\w+)\s*(\{.*\})?$/.exec(line.trim()) ?? [];
  if (name === "") continue;
  const { result, error } = await request("tools/call", { name, arguments: argumentsIn(text) });
  const content = (result?.content ?? []) as readonly { readonly text: string }[];
  console.log(error?.message ?? content.map((part) => part.text).join("\n"));
}
server.stdin.end();

/** Text that is no JSON is for the server to refuse: it says why, and the next line is read. */
function argumentsIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
