// What a test does with groups by hand: entries of their logs as a device signs them, taken from its mail, and states of older programs.
import type { KnownBody } from "#shared/content/content.ts";
import { decodePlaintext } from "#shared/content/content-codec.ts";
import type { GroupMembershipStatus, GroupStateBody } from "#shared/content/group-content.ts";
import { type EntryHash, encodeEntry, type GroupChange } from "#shared/protocol/groups/log-entry.ts";
import { decodeSignedEntry, encodeSignedEntry, type SignedEntry } from "#shared/protocol/groups/signed-entry.ts";
import { keyOf } from "./messenger-chat.ts";
import { contentOf, deliver } from "./messenger-mail.ts";
import { TEST_CHAIN, type TestDevice, type TestRelay } from "./messenger-world.ts";

/** Entries of all groups that ever came to a device, opened with its own keys, each once. */
export async function entriesFor(device: TestDevice, relay: TestRelay): Promise<readonly SignedEntry[]> {
  const envelopes = relay.history.filter(({ recipient_pub }) => recipient_pub === device.account.devicePub);
  const opened = await device.keyring.open({ items: envelopes });
  const texts = opened.flatMap(({ plaintext }) => {
    const decoded = decodePlaintext(plaintext ?? new Uint8Array());
    const body = decoded.form === "content" ? decoded.content.body : undefined;
    return body?.kind === "group.state" || body?.kind === "group.leave" ? (body.log ?? []) : [];
  });
  return [...new Set(texts)].flatMap((text) => decodeSignedEntry(text) ?? []);
}

/** An entry that a device signs, after others. */
export async function signEntry(
  device: TestDevice,
  before: readonly SignedEntry[],
  { prev, change }: { readonly prev: readonly EntryHash[]; readonly change: GroupChange },
): Promise<string> {
  const known = before.filter(({ hash }) => prev.includes(hash)).map(({ entry }) => entry);
  const [create] = before.filter(({ entry }) => entry.change.op === "create");
  const entry = encodeEntry({
    group: create?.hash.slice(0, 32) ?? "",
    n: 1 + Math.max(...known.map(({ n }) => n)),
    prev: [...prev].sort(),
    author: keyOf(device),
    device: device.account.devicePub,
    height: Math.max(...known.map(({ height }) => height)),
    change,
  });
  const proof = await device.keyring.signGroupEntry({ chainId: TEST_CHAIN, entry });
  if (proof === null) throw new Error("the device has no certificate");
  return encodeSignedEntry(entry, proof);
}

/** A state as programs without logs send it. */
export function olderState(
  keeper: TestDevice,
  people: readonly (readonly [TestDevice, GroupMembershipStatus, number])[],
  fields: Partial<GroupStateBody> = {},
): GroupStateBody {
  const entries = people.map(([device, standing, clock]) => ({ key: keyOf(device), clock, standing, at: 1_000 }));
  return {
    kind: "group.state",
    term: 0,
    keeper: keyOf(keeper),
    since: 1_000,
    name: { text: "Hikes", clock: 1, at: 1_000 },
    entries: entries.sort((a, b) => (a.key < b.key ? -1 : 1)),
    ...fields,
  };
}

/** Lays a body about a group into the mailboxes of devices. */
export async function deliverToGroup(
  relay: TestRelay,
  {
    from,
    to,
    id,
    keeper,
    body,
  }: {
    readonly from: TestDevice;
    readonly to: readonly TestDevice[];
    readonly id: string;
    readonly keeper: TestDevice;
    readonly body: KnownBody;
  },
): Promise<void> {
  const group = { id: id.slice(id.indexOf(":") + 1), keeper: keyOf(keeper) };
  for (const device of to)
    await deliver(relay, { from, to: device, plaintext: contentOf(from, device, body, { group, at: from.time.nowMs() }) });
}
