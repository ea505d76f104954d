// Asking to connect, and a connection itself.
import type { AppResponse } from "#shared/apps/api/apps-endpoints.ts";
import type { ConnectionView } from "#shared/apps/messages/apps-api.ts";
import { formatScopes, parseScopes, type ScopeInput } from "#shared/apps/scopes/parse-scopes.ts";
import type { Scope } from "#shared/apps/scopes/scopes.ts";
import { balanceOf, resolveNames } from "../chain/chain-reads.ts";
import type { ChainWatch } from "../chain/chain-watch.ts";
import { ownAccount, unixSeconds } from "../chain/own-account.ts";
import { hasScope } from "../http/app-guard.ts";
import type { AppHandlers, AppReply } from "../http/app-handlers.ts";
import type { GatewayServices } from "../services.ts";

type Me = AppResponse<"getMe">;
type ConnectionHandlers = Pick<AppHandlers, "openRequest" | "fetchRequest" | "getMe" | "endConnection" | "rotateToken">;

/** What else has to know that a token was exchanged. */
export type OnRotated = (connection: string, token: string) => void;

/** Handlers of `/apps/requests`, `/apps/v1/me` and `/apps/v1/token`. */
export function connectionHandlers(services: GatewayServices, watch: ChainWatch, onRotated: OnRotated): ConnectionHandlers {
  const { keyring, node } = services;
  return {
    openRequest: async ({ body }): Promise<AppReply<"openRequest">> => {
      const scopes = parseScopes(body.grant as readonly ScopeInput[]);
      const texts = namesIn(scopes);
      const names = texts.length === 0 ? [] : await resolveNames(node.client, texts);
      const { name, reason } = body;
      const opened = await keyring.api.openRequest({ name, reason, grant: formatScopes(scopes), names });
      const { id, secret, code, expiresAtMs } = opened;
      return { status: 202, body: { id, secret, code, expires_at: unixSeconds(expiresAtMs) } };
    },
    fetchRequest: async ({ params, token: secret }): Promise<AppReply<"fetchRequest">> => {
      const found = await keyring.api.fetchRequest({ id: params.id, secret });
      if (found.state === "waiting") return { body: { state: found.state, expires_at: unixSeconds(found.expiresAtMs) } };
      if (found.state !== "granted") return { body: { state: found.state } };
      // The token is given once: nothing that can fail comes behind it.
      const connection = await describeConnection(services, watch, found.connection).catch(() => undefined);
      return { body: { state: found.state, token: found.token, ...(connection === undefined ? {} : { connection }) } };
    },
    getMe: async ({ connection }): Promise<AppReply<"getMe">> => ({ body: await describeConnection(services, watch, connection) }),
    endConnection: async ({ token }): Promise<AppReply<"endConnection">> => {
      await keyring.api.endConnection({ token });
      return { body: { ok: true } };
    },
    rotateToken: async ({ token, connection }): Promise<AppReply<"rotateToken">> => {
      const rotated = await keyring.api.rotateToken({ token });
      onRotated(connection.id, rotated.token);
      return { body: rotated };
    },
  };
}

function namesIn(scopes: readonly Scope[]): readonly string[] {
  return scopes.flatMap((scope) => (scope.name === "pay" && scope.to !== "any" ? scope.to.filter((text) => text.startsWith("@")) : []));
}

async function describeConnection({ keyring, node }: GatewayServices, watch: ChainWatch, connection: ConnectionView): Promise<Me> {
  const { chain_id: chainId } = await node.client.getNetworkInfo({});
  const account = hasScope(connection, "wallet") ? await ownAccount(keyring, watch) : undefined;
  return {
    id: connection.id,
    name: connection.name,
    scopes: [...connection.scopes],
    left: connection.left.map(({ scope, leftUt }) => ({ scope, left_ut: leftUt })),
    created_at: unixSeconds(connection.createdAtMs),
    expires_at: unixSeconds(connection.expiresAtMs),
    resting: connection.isResting,
    chain_id: chainId,
    address: account?.address ?? null,
    balance_ut: account === undefined ? null : await balanceOf(node.client, account.masterPub),
  };
}
