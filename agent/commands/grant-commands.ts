// parley agent allow, list, end, confirm: through the agent that runs in the folder, or over its files when none does.
import { existsSync } from "node:fs";
import type { AgentRequest } from "#node/cli/commands/agent/agent-request.ts";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { observeChain, resolveNames, resolveRecipient } from "#node/gateway/chain/chain-reads.ts";
import type { NodeClient } from "#shared/api/client.ts";
import type { ConnectionEntry } from "#shared/apps/messages/approval-api.ts";
import { parseScopes } from "#shared/apps/scopes/parse-scopes.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { isHex } from "#shared/util/bytes.ts";
import { isInUse, openAgentKeyring } from "../keyring/agent-keyring.ts";
import { connectControl } from "../keyring/control.ts";
import { createGrants, type GrantsApi } from "../keyring/grants.ts";
import { followingClient } from "../network/followed-node.ts";
import { nodeSourceOf } from "./node-source.ts";

type Ask = () => Promise<string>;

/** Lets a program in; its token is in a new file, and nowhere else. */
export async function allowProgram(request: Extract<AgentRequest, { command: "allow" }>, askPassword: Ask): Promise<ConnectionEntry> {
  const { dir, name, scopes, days, out } = request;
  if (existsSync(out)) throw new CodedError("CONFIG_INVALID", `${out} exists already: choose a new file for the token`);
  const client = followingClient(nodeSourceOf(request));
  const names = await resolveNames(client, namesIn(scopes));
  const chosen = await Promise.all(request.chosen.map((text) => chosenKey(client, text)));
  const password = await askPassword();
  return await withGrants(dir, { password, client }, async (grants) => {
    const { token, connection } = await grants.allow({ name, scopes, names, chosen, days, password });
    try {
      writeFileAtomic(out, `${token}\n`, { mode: 0o600, replaces: false });
    } catch (error) {
      // No one has the token: the connection would stand, and its name be taken, until it expires.
      await grants.end({ connection: connection.id });
      throw error;
    }
    return connection;
  });
}

export async function listPrograms(dir: string, askPassword: Ask): Promise<readonly ConnectionEntry[]> {
  return await withGrants(dir, { password: askPassword }, (grants) => grants.list());
}

export async function endProgram(dir: string, connection: string, askPassword: Ask): Promise<void> {
  await withGrants(dir, { password: askPassword }, (grants) => grants.end({ connection }));
}

export async function confirmProgram(dir: string, connection: string, askPassword: Ask): Promise<void> {
  const password = await askPassword();
  await withGrants(dir, { password }, (grants) => grants.confirm({ connection, password }));
}

/** With the agent that runs, else with the folder opened by the password for as long as the task takes. */
async function withGrants<T>(
  dir: string,
  { password, client }: { readonly password: string | Ask; readonly client?: NodeClient },
  task: (grants: GrantsApi) => Promise<T>,
): Promise<T> {
  const agent = await openAgentKeyring(dir).catch((error: unknown) => {
    if (isInUse(error)) return undefined;
    throw error;
  });
  if (agent === undefined) {
    const control = await connectControl(dir);
    try {
      return await task(control);
    } finally {
      control.close();
    }
  }
  try {
    await agent.keyring.unlock({ password: typeof password === "string" ? password : await password() });
    if (client !== undefined) await agent.apps.observe(await observeChain(client));
    return await task(createGrants(agent));
  } finally {
    await agent.close();
  }
}

function namesIn(scopes: readonly string[]): readonly string[] {
  return parseScopes(scopes).flatMap((scope) =>
    scope.name === "pay" && scope.to !== "any" ? scope.to.filter((text) => text.startsWith("@")) : [],
  );
}

async function chosenKey(client: NodeClient, text: string): Promise<string> {
  const group = /^group:([0-9a-f]{32})$/.exec(text)?.[1];
  if (group !== undefined) return group;
  const key = await resolveRecipient(client, text);
  if (!isHex(key, 32)) throw new CodedError("BAD_REQUEST", `${text} is no person`, { details: { field: "chosen" } });
  return key.toLowerCase();
}
