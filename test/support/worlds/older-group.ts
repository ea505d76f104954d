// Groups as programs made them before they had logs.
import type { GroupMembershipRecord, GroupRecord } from "#shared/messenger/model/group-state.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** A group of its admin and others, as it begins. */
export function newGroup(
  admin: PublicKeyHex,
  { name, others, at }: { readonly name: string; readonly others: readonly PublicKeyHex[]; readonly at: number },
): GroupRecord {
  const entry: GroupMembershipRecord = { clock: 1, standing: "in", at };
  return {
    term: 0,
    keeper: admin,
    since: at,
    name: { text: name, clock: 1, at },
    entries: Object.fromEntries([admin, ...others].map((key) => [key, entry])),
    keepers: { 0: admin },
    joined: 1,
    learned: {},
  };
}
