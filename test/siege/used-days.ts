// What attackers have brought a keeper on this day before it is attacked: no attack of seconds brings the 640 MB that each of their networks may.
import { parseIp, subnetOf } from "#node/network/addresses/ip-address.ts";
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";
import { openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import { subnetAddress } from "./attacks/swarm.ts";

/** What each of them may still bring on this day, bytes as limits count them: a few seconds of what keepers read of strangers. */
export const DAY_LEFT_BYTES = 4_000_000;
const DAY_MS = 86_400_000;

/** Notes it in the folder of a node that does not run, of the first so many networks of attackers. */
export function noteUsedDays(dataDir: string, networks: number): void {
  if (networks === 0) return;
  const store = openMailbox(dataDir);
  try {
    const day = Math.floor(Date.now() / DAY_MS);
    const most = KEEPER_LIMITS.nodeDayBytes;
    store.inTransaction(() => {
      for (let n = 0; n < networks; n += 1) {
        const ip = parseIp(subnetAddress(n));
        if (ip === undefined) throw new Error("Attackers have addresses");
        store.waiting.takeDay(`node ${subnetOf(ip)}`, { day, bytes: most - DAY_LEFT_BYTES, most });
      }
    });
  } finally {
    store.close();
  }
}
