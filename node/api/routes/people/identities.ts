// Identities and their devices. A key that published nothing has an identity that says so, and no devices.

import type { ReadQueries } from "#node/queries/read-queries.ts";
import type { Output } from "#shared/api/api.ts";
import { type PublicKeyHex, parseAccount } from "#shared/protocol/primitives/address.ts";
import type { Handlers } from "../../handler-types.ts";
import { accountOfPath } from "../account-param.ts";

/** Lists that count as a request of their own. */
export const LISTS_A_REQUEST = 16;

export function createIdentityHandlers({
  explorer,
}: Pick<ReadQueries, "explorer">): Pick<Handlers, "getIdentity" | "listIdentities" | "listDevices" | "listDevicesOfMany"> {
  const devicesOf = async (masterPub: PublicKeyHex): Promise<Output<"listDevices">> => {
    const devices = [...(await explorer.deviceList(masterPub))];
    return { master_pub: masterPub, count: devices.length, devices };
  };
  return {
    getIdentity: ({ pubkey }) => explorer.identity(accountOfPath(pubkey)),
    listIdentities: async ({ body }): Promise<Output<"listIdentities">> => {
      const identities = await Promise.all(body.accounts.map((account) => explorer.identity(parseAccount(account))));
      return { count: identities.length, identities };
    },
    listDevices: ({ master_pub }) => devicesOf(accountOfPath(master_pub)),
    listDevicesOfMany: async ({ body }, context): Promise<Output<"listDevicesOfMany">> => {
      const people = body.accounts.map(parseAccount);
      context.spend(Math.floor(people.length / LISTS_A_REQUEST));
      return { count: people.length, lists: await Promise.all(people.map(devicesOf)) };
    },
  };
}
