// Keys of many people and envelopes for many devices, as few requests of the node. One that does not know these is asked one by one.

import type { Input } from "#shared/api/api.ts";
import { MAX_DEVICE_LISTS, MAX_ENVELOPES } from "#shared/api/batch-limits.ts";
import { HttpError, type NodeClient } from "#shared/api/client.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type Outcome, together } from "#shared/util/together.ts";
import type { PublishedKeys } from "../model/node-port.ts";

/** Text of the ciphertexts of one request: four parts of a file, which the node then writes together. */
const REQUEST_CHARS = 1_048_576;

type Device = { readonly x25519_pub_key: string; readonly added_at: number };
type HandedIn = Input<"broadcastEnvelope">["body"];

/** Looks up what people have published. @throws CodedError of the node */
export function keysOfPeople(client: NodeClient): (master: PublicKeyHex) => Promise<PublishedKeys> {
  const one = async (master: PublicKeyHex): Promise<PublishedKeys> => {
    const [list, identity] = await Promise.all([
      unlessUnknown(client.listDevices({ master_pub: master })),
      unlessUnknown(client.getIdentity({ pubkey: master })),
    ]);
    return published(list?.devices ?? [], identity?.x25519_pub ?? "");
  };
  const many = async (masters: readonly PublicKeyHex[]): Promise<readonly Outcome<PublishedKeys>[]> => {
    const body = { accounts: [...masters] };
    const [{ lists }, { identities }] = await Promise.all([client.listDevicesOfMany({ body }), client.listIdentities({ body })]);
    return masters.map((_, at) => ({ result: published(lists[at]?.devices ?? [], identities[at]?.x25519_pub ?? "") }));
  };
  return together({ maxItems: MAX_DEVICE_LISTS, send: manyOrOne(many, one) });
}

/** Stores envelopes for their recipients. @throws CodedError of the node */
export function handInTogether(client: NodeClient): (handed: HandedIn) => Promise<unknown> {
  const one = async (body: HandedIn): Promise<unknown> => client.broadcastEnvelope({ body });
  const many = async (handed: readonly HandedIn[]): Promise<readonly Outcome<unknown>[]> => {
    const { results } = await client.broadcastEnvelopes({ body: { envelopes: [...handed] } });
    return results.map(({ status, id, code = 500, error = "", retry_after_s: seconds }) =>
      status === "broadcast" ? { result: id } : { error: new HttpError(code, error, seconds === undefined ? null : String(seconds)) },
    );
  };
  return together({
    maxItems: MAX_ENVELOPES,
    maxSize: REQUEST_CHARS,
    sizeOf: ({ envelope }) => envelope.ciphertext.length,
    send: manyOrOne(many, one),
  });
}

/** Asks for many at once, or one by one where the node knows no such request, or refuses the request for one of them. */
function manyOrOne<Item, Result>(
  many: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
  one: (item: Item) => Promise<Result>,
): (items: readonly Item[]) => Promise<readonly Outcome<Result>[]> {
  let takesMany = true;
  const alone = (item: Item): Promise<Outcome<Result>> =>
    one(item).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
  return async (items) => {
    if (takesMany && items.length > 1)
      try {
        return await many(items);
      } catch (error) {
        if (!(error instanceof HttpError) || !(error.httpStatus in REFUSED)) throw error;
        takesMany = error.httpStatus === 400;
      }
    return await Promise.all(items.map(alone));
  };
}

/** Responses to a request for many: malformed, not there. */
const REFUSED = { 400: true, 404: true, 405: true } as const;

function published(devices: readonly Device[], identityKey: string): PublishedKeys {
  return {
    devices: devices.map((device) => device.x25519_pub_key),
    identityKey,
    linkedAt: Object.fromEntries(devices.map((device) => [device.x25519_pub_key, device.added_at])),
  };
}

async function unlessUnknown<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (error) {
    if (isCodedError(error, "NOT_FOUND")) return undefined;
    throw error;
  }
}
