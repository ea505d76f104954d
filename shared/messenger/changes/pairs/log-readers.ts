// Which version of logs of groups the programs of people read, as their devices have said in pairs.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import { recipientKeys } from "../../state/key-directory.ts";

/**
 * Someone among these people one of whose listed devices has not said that its program reads logs of a version; undefined for no one.
 * @throws the failure of a look-up.
 */
export async function notReadingLogs(
  { account, pairs, directory }: Pick<EngineContext, "account" | "pairs" | "directory">,
  people: readonly PublicKeyHex[],
  version: number,
): Promise<PublicKeyHex | undefined> {
  const able = pairs.all.filter(({ readsLogs = 0 }) => readsLogs >= version);
  const isAble = (person: PublicKeyHex, device: string): boolean =>
    device === account.devicePub || able.some((pair) => pair.peer === person && pair.device === device);
  // Without a look at the chain first: of someone of whom nothing has come yet nothing is known.
  const silent = people.find((person) => person !== account.masterPub && !able.some(({ peer }) => peer === person));
  if (silent !== undefined) return silent;
  for (const person of people) {
    const devices = recipientKeys(await directory.get(person));
    if (!devices.every((device) => isAble(person, device))) return person;
  }
  return undefined;
}
