// Identities and their devices. A key that published nothing has an identity that says so, and no devices.
import type { Output } from "#shared/api/api.ts";
import type { Handlers } from "../handlers.ts";
import type { ApiServices } from "../services.ts";
import { accountOfPath } from "./account-param.ts";

export function createIdentityHandlers({ explorer }: ApiServices): Pick<Handlers, "getIdentity" | "listDevices"> {
  return {
    getIdentity: ({ pubkey }) => explorer.identity(accountOfPath(pubkey)),
    listDevices: async ({ master_pub }): Promise<Output<"listDevices">> => {
      const masterPub = accountOfPath(master_pub);
      const devices = [...(await explorer.deviceList(masterPub))];
      return { master_pub: masterPub, count: devices.length, devices };
    },
  };
}
