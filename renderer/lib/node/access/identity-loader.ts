// Asks the node for identities. What is requested in one turn is one request: a list of people would be hundreds of them.
import { MAX_IDENTITIES } from "#shared/api/batch-limits.ts";
import { HttpError, type NodeClient } from "#shared/api/client.ts";
import type { IdentityInfo } from "#shared/api/schemas/chain.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Gives identities; one of a key that the chain has never seen is an unregistered one. */
export interface IdentityLoader {
  load(publicKey: PublicKeyHex, signal: AbortSignal): Promise<IdentityInfo>;
  /** In the order of the keys. */
  loadAll(publicKeys: readonly PublicKeyHex[], signal: AbortSignal): Promise<readonly IdentityInfo[]>;
}

type IdentityClient = Pick<NodeClient, "getIdentity" | "listIdentities">;
type Responses = ReadonlyMap<PublicKeyHex, IdentityInfo>;

/** What is requested in one turn. */
interface Round {
  readonly keys: Set<PublicKeyHex>;
  readonly signals: AbortSignal[];
  readonly responses: Promise<Responses>;
}

/** Responses of nodes that do not know the request for many. */
const UNKNOWN_REQUEST: ReadonlySet<number> = new Set([404, 405]);

/** A loader over the client of a node. */
export function createIdentityLoader(client: IdentityClient): IdentityLoader {
  let round: Round | undefined;
  let takesMany = true;
  const open = (): Round => {
    const keys = new Set<PublicKeyHex>();
    const signals: AbortSignal[] = [];
    const responses = Promise.resolve().then(() => {
      round = undefined;
      return ask([...keys], whenAllAbort(signals));
    });
    return { keys, signals, responses };
  };
  const ask = async (keys: readonly PublicKeyHex[], signal: AbortSignal): Promise<Responses> => {
    const lists = await Promise.all(chunks(keys).map((chunk) => askSome(chunk, signal)));
    return new Map(lists.flat().map((identity) => [identity.pub_key, identity]));
  };
  const askSome = async (keys: readonly PublicKeyHex[], signal: AbortSignal): Promise<readonly IdentityInfo[]> => {
    if (keys.length > 1 && takesMany) {
      try {
        return (await client.listIdentities({ body: { accounts: [...keys] } }, { signal })).identities;
      } catch (error) {
        if (!(error instanceof HttpError) || !UNKNOWN_REQUEST.has(error.httpStatus)) throw error;
        takesMany = false;
      }
    }
    return Promise.all(keys.map((key) => askOne(client, key, signal)));
  };
  const loadAll = async (publicKeys: readonly PublicKeyHex[], signal: AbortSignal): Promise<readonly IdentityInfo[]> => {
    round ??= open();
    for (const key of publicKeys) round.keys.add(key);
    round.signals.push(signal);
    const responses = await round.responses;
    return publicKeys.map((key) => responses.get(key) ?? unregistered(key));
  };
  return { loadAll, load: async (key, signal) => (await loadAll([key], signal))[0] ?? unregistered(key) };
}

async function askOne(client: IdentityClient, pubkey: PublicKeyHex, signal: AbortSignal): Promise<IdentityInfo> {
  try {
    return await client.getIdentity({ pubkey }, { signal });
  } catch (error) {
    if (isCodedError(error, "NOT_FOUND")) return unregistered(pubkey);
    throw error;
  }
}

function unregistered(publicKey: PublicKeyHex): IdentityInfo {
  return { pub_key: publicKey, address: formatAddress(publicKey), x25519_pub: "", nickname: "", registered: false, device_count: 0 };
}

/** Aborts once no caller waits any more. */
function whenAllAbort(signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  const check = (): void => {
    if (signals.every(({ aborted }) => aborted)) controller.abort();
  };
  for (const signal of signals) signal.addEventListener("abort", check, { once: true });
  check();
  return controller.signal;
}

function chunks(keys: readonly PublicKeyHex[]): readonly (readonly PublicKeyHex[])[] {
  return Array.from({ length: Math.ceil(keys.length / MAX_IDENTITIES) }, (_, index) =>
    keys.slice(index * MAX_IDENTITIES, (index + 1) * MAX_IDENTITIES),
  );
}
