// Where the agent's node is, as the command line says it.
import { readFileSync } from "node:fs";
import type { AgentNodeOptions } from "#node/cli/commands/agent/agent-request.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { NodeSource } from "../process-messages.ts";

const TOKEN = /^[\x21-\x7e]{1,4096}$/;

/** @throws CodedError CONFIG_INVALID for an address that is none, and a file without a token. */
export function nodeSourceOf({ node, endpoint, tokenFile }: AgentNodeOptions): NodeSource {
  if (node !== undefined && !/^https?:\/\/[^/\s]+\/*$/.test(node))
    throw new CodedError("CONFIG_INVALID", `"${node}" is not a node address: use the form http://127.0.0.1:8080`);
  return {
    ...(node === undefined ? {} : { url: node }),
    ...(endpoint === undefined ? {} : { endpointFile: endpoint }),
    ...(tokenFile === undefined ? {} : { token: readToken(tokenFile) }),
  };
}

/** Without a word of what is in the file. */
function readToken(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", `The token file ${path} cannot be read`, { cause });
  }
  const [token = ""] = text.split(/\r?\n/, 1);
  if (!TOKEN.test(token.trim())) throw new CodedError("CONFIG_INVALID", `The first line of ${path} is no token`);
  return token.trim();
}
