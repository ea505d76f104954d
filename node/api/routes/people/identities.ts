// Identities and their devices. A key that published nothing has an identity that says so, and no devices.

import type { ReadQueries } from "#node/queries/read-queries.ts";
import type { Output } from "#shared/api/api.ts";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import type { Handlers } from "../../handler-types.ts";
import { accountOfPath } from "../account-param.ts";

export function createIdentityHandlers({
  explorer,
}: Pick<ReadQueries, "explorer">): Pick<Handlers, "getIdentity" | "listIdentities" | "listDevices"> {
  return {
    getIdentity: ({ pubkey }) => explorer.identity(accountOfPath(pubkey)),
    listIdentities: async ({ body }): Promise<Output<"listIdentities">> => {
      const identities = await Promise.all(body.accounts.map((account) => explorer.identity(parseAccount(account))));
      return { count: identities.length, identities };
    },
    listDevices: async ({ master_pub }): Promise<Output<"listDevices">> => {
      const masterPub = accountOfPath(master_pub);
      const devices = [...(await explorer.deviceList(masterPub))];
      return { master_pub: masterPub, count: devices.length, devices };
    },
  };
}
