// Connections: granted, recognised by their tokens, given new tokens, ended. Ending is durable before it returns.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { AppAccess } from "#shared/keyring/confirmation/app-access.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import {
  DEFAULT_CONNECTION_DAYS,
  MAX_CONNECTIONS,
  MAX_EARLIER_TOKENS,
  MAX_ENDED,
  MAX_ROTATIONS_PER_DAY,
  ROTATION_OVERLAP_MS,
  UNUSED_MS,
} from "../app-limits.ts";
import { connectionIdOf, createAppToken, createConnectionId, equalHashes, hashSecret } from "../judging/app-tokens.ts";
import { MAX_CONNECTION_NUMBER } from "../judging/payment-salt.ts";
import type { GrantInput } from "../messages/approval-api.ts";
import { requireAppName } from "../scopes/app-name.ts";
import { requireNarrower } from "../scopes/narrow-scopes.ts";
import { parseScopes } from "../scopes/parse-scopes.ts";
import { needsPassword } from "../scopes/scopes.ts";
import type { AppConnection } from "../storage/app-connection.ts";
import type { AppStore } from "../storage/app-store.ts";
import type { HashedLine } from "../storage/journal-format.ts";
import type { OpenRequest } from "./request-desk.ts";

const DAY_MS = 86_400_000;

/** A connection and the token that its program gets. */
export interface GrantedConnection {
  readonly connection: AppConnection;
  readonly token: string;
}

/** What a connection desk needs. */
export interface ConnectionDeskDependencies {
  readonly access: Pick<AppAccess, "requirePassword">;
  readonly store: AppStore;
  readonly random: RandomBytes;
  /** The token goes over a socket, where the one answer that has it can be lost: a connection whose token is never used ends. */
  readonly mustUseToken: boolean;
  /** A connection has ended: what it waits for ends too. */
  readonly onEnd: (connection: AppConnection) => Promise<void>;
}

/** The desk of one open store. */
export class ConnectionDesk {
  readonly #dependencies: ConnectionDeskDependencies;

  constructor(dependencies: ConnectionDeskDependencies) {
    this.#dependencies = dependencies;
  }

  /** Names of connections that have not ended. */
  get names(): readonly string[] {
    return this.#dependencies.store.connections.map(({ name }) => name);
  }

  /** @throws CodedError BAD_REQUEST for more than was asked, CONFIRMATION_REQUIRED, VAULT_WRONG_PASSWORD, UNAVAILABLE when there are too many. */
  async grant(request: OpenRequest, { grant, chosen, days, password }: GrantInput): Promise<GrantedConnection> {
    const { access, store, random, mustUseToken } = this.#dependencies;
    const scopes = parseScopes(grant);
    requireNarrower(scopes, request.scopes);
    const name = requireAppName(request.name, this.names);
    if (store.connections.length >= MAX_CONNECTIONS) throw new CodedError("UNAVAILABLE", "Too many programs are connected: end one first");
    store.requireChain();
    if (scopes.some(needsPassword) || days > DEFAULT_CONNECTION_DAYS) await access.requirePassword(password);
    const id = this.#freshId();
    const token = createAppToken(id, random);
    await store.write((state) => {
      if (state.nextNumber > MAX_CONNECTION_NUMBER) throw new CodedError("UNAVAILABLE", "This profile has had too many connections");
      const connection: AppConnection = {
        id,
        number: state.nextNumber,
        name,
        tokenHash: hashSecret(token),
        earlierHashes: [],
        earlierUntilMs: 0,
        scopes,
        names: request.names,
        chosen,
        createdAtMs: store.clockMs,
        expiresMs: store.expiryMs + days * DAY_MS,
        endsAtClockMs: store.nowMs + days * DAY_MS,
        endsAtBlockMs: store.chainTimeMs + days * DAY_MS,
        isResting: false,
        ...(mustUseToken ? { unusedUntilMs: store.expiryMs + UNUSED_MS } : {}),
        lastOrder: store.ledger.lastOrder(state.nextNumber),
      };
      return { ...state, nextNumber: state.nextNumber + 1, connections: [...state.connections, connection] };
    });
    const connection = this.require(id);
    await store.appendChange("connect", [connection]);
    return { connection, token };
  }

  /** @throws CodedError NOT_FOUND. */
  require(id: string): AppConnection {
    const connection = this.#dependencies.store.connections.find((other) => other.id === id);
    if (connection === undefined) throw new CodedError("NOT_FOUND", "No such connection");
    return connection;
  }

  /**
   * The connection of a token. A token that was replaced more than a minute ago is in wrong hands, its own program's or another's: the
   * connection ends.
   * @throws CodedError APP_TOKEN_INVALID, APP_ENDED.
   */
  async authenticate(token: string): Promise<AppConnection> {
    const { store } = this.#dependencies;
    const id = connectionIdOf(token);
    const hash = hashSecret(token);
    const connection = store.connections.find((other) => other.id === id);
    if (connection === undefined) {
      const ended = store.state?.ended.find((other) => other.id === id);
      throw ended !== undefined && equalHashes(ended.tokenHash, hash) ? hasEnded() : unknownToken();
    }
    const earlier = connection.earlierHashes.findIndex((other) => equalHashes(other, hash));
    if (earlier === -1 && !equalHashes(connection.tokenHash, hash)) throw unknownToken();
    const isReplaced = earlier > 0 || (earlier === 0 && store.expiryMs > connection.earlierUntilMs);
    if (isReplaced || store.isOver(connection)) {
      await this.end(connection, isReplaced ? "copied" : "done");
      throw hasEnded();
    }
    if (connection.unusedUntilMs === undefined) return connection;
    await this.#change(connection.id, ({ unusedUntilMs: _, ...used }) => used);
    return this.require(connection.id);
  }

  /** @throws CodedError RATE_LIMITED. */
  async rotate(connection: AppConnection): Promise<string> {
    const { store, random } = this.#dependencies;
    const isOfToday = ({ line }: HashedLine): boolean =>
      line.connection === connection.number && line.action === "rotate" && store.clockMs - line.atMs < DAY_MS;
    if (store.lines.filter(isOfToday).length >= MAX_ROTATIONS_PER_DAY)
      throw new CodedError("RATE_LIMITED", "The token was replaced often enough today", { details: { retryAfterS: DAY_MS / 1_000 } });
    const token = createAppToken(connection.id, random);
    await this.#change(connection.id, (before) => ({
      ...before,
      tokenHash: hashSecret(token),
      earlierHashes: [before.tokenHash, ...before.earlierHashes].slice(0, MAX_EARLIER_TOKENS),
      earlierUntilMs: store.expiryMs + ROTATION_OVERLAP_MS,
    }));
    await store.appendChange("rotate", [connection]);
    return token;
  }

  /** A connection that rests goes on. */
  async confirm(id: string, password: string): Promise<void> {
    const { access, store } = this.#dependencies;
    const connection = this.require(id);
    await access.requirePassword(password);
    await this.#change(id, (before) => ({ ...before, isResting: false }));
    await store.appendChange("confirm", [connection]);
  }

  /** `copied`: because a token was used that had been replaced. */
  async end({ id, number, name, tokenHash }: AppConnection, outcome: "done" | "copied" = "done"): Promise<void> {
    const { store, onEnd } = this.#dependencies;
    const connection = this.require(id);
    const ended = { id, number, name, tokenHash, endedAtMs: store.clockMs };
    await store.write((state) => ({
      ...state,
      connections: state.connections.filter((other) => other.id !== id),
      ended: [ended, ...state.ended].slice(0, MAX_ENDED),
    }));
    await onEnd(connection);
    await store.appendChange("end", [connection], outcome);
  }

  /** Ends what is over, so that no clock that is set back revives it. */
  async endExpired(): Promise<void> {
    const { store } = this.#dependencies;
    for (const connection of store.connections) if (store.isOver(connection)) await this.end(connection);
  }

  #freshId(): string {
    const { store, random } = this.#dependencies;
    const taken = [...store.connections, ...(store.state?.ended ?? [])].map(({ id }) => id);
    for (;;) {
      const id = createConnectionId(random);
      if (!taken.includes(id)) return id;
    }
  }

  #change(id: string, change: (connection: AppConnection) => AppConnection): Promise<void> {
    return this.#dependencies.store.write((state) => ({
      ...state,
      connections: state.connections.map((connection) => (connection.id === id ? change(connection) : connection)),
    }));
  }
}

function unknownToken(): CodedError {
  return new CodedError("APP_TOKEN_INVALID", "The token is unknown");
}

function hasEnded(): CodedError {
  return new CodedError("APP_ENDED", "The connection has ended: ask again");
}
