// Random but reproducible traffic for chain tests: every transaction type, payable and not, from a handful of actors.
import fc from "fast-check";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { type Actor, actor, deviceKey, START_MS, signed, validator } from "../worlds/ledger-world.ts";
import { bindingOf, callOf, claimOf, doubleVote } from "./ledger-payloads.ts";

/** The people of the traffic. The last ones own nothing at first. */
export const PEOPLE: readonly Actor[] = [1, 2, 3, 4, 5].map(actor);

/** Kinds of steps: the last ones are payments. */
const KINDS = 20;

type Step = readonly [number, number, number, number];

/** A transaction of random kind between two random people, timestamped at the given time. */
export function transactionOf([kind, fromIndex, toIndex, n]: Step, nowMs: number = START_MS): Transaction {
  const from = personAt(fromIndex);
  const to = personAt(toIndex === fromIndex ? toIndex + 1 : toIndex).pub;
  const key = deviceKey((n % 6) + 20);
  switch (kind % KINDS) {
    case 0:
      return signed(from, { type: "REGISTER_KEY", payload: { x25519_pub_key: key, nickname: `person ${n}` }, nowMs });
    case 1:
      return signed(from, { type: "LINK_DEVICE", payload: { x25519_pub_key: key, device_name: `device ${n}` }, nowMs });
    case 2:
      return signed(from, { type: "UNLINK_DEVICE", payload: { x25519_pub_key: key }, nowMs });
    case 3:
      return signed(from, { type: "CONTACT_REQUEST", to, amount: 5_000 + n, payload: { intro: `hello ${n}` }, nowMs });
    case 4:
      return signed(from, { type: "ACCEPT_CONTACT", to, payload: {}, nowMs });
    case 5:
      return signed(from, { type: "BLOCK_CONTACT", to, payload: {}, nowMs });
    case 6:
      return signed(from, { type: "HEARTBEAT", payload: {}, nowMs });
    case 7:
      return signed(from, { type: "REGISTER_RELAY", payload: { x25519_pub_key: key, fee_per_msg_ut: n }, nowMs });
    case 8:
      return signed(from, { type: "RELAY_PROOF", payload: { claims: [claimOf(personAt(toIndex), `envelope-${n % 9}`, 1 + n)] }, nowMs });
    case 9:
      return signed(from, { type: "BIND_WALLET", payload: bindingOf(from, personAt(toIndex)), nowMs });
    case 10:
      return signed(from, { type: "ADD_VALIDATOR", payload: { pub_key: from.pub }, nowMs });
    case 11:
      return signed(from, { type: "SLASH", payload: { evidence: doubleVote(validator, 1 + (n % 4)) }, nowMs });
    case 12:
      return signed(from, {
        type: "OPEN_PAY_CHAN",
        to,
        amount: 1 + n,
        payload: { channel_id: channelId(n), expires_at: expiry(nowMs) },
        nowMs,
      });
    case 13:
      return signed(from, { type: "CLOSE_PAY_CHAN", to, payload: { channel_id: channelId(n), paid_ut: 0 }, nowMs });
    case 14:
      return signed(from, { ...callOf("username_registry", "register", [`name-${n % 5}`], { amount: 10_000 }), nowMs });
    case 15:
      return signed(from, {
        ...callOf("tokens", n % 3 === 0 ? "issue" : "burn", n % 3 === 0 ? [`t${n}`, "T", "T", 0, n] : [`t${n}`, 1]),
        nowMs,
      });
    case 16:
      return signed(from, { ...callOf("escrow", "open", [`d${n}`, to, "", expiry(nowMs)], { amount: n }), nowMs });
    case 17:
      return signed(from, { ...callOf("escrow", "release", [`d${n}`]), nowMs });
    default:
      return signed(from, { type: "TRANSFER", to, amount: 1 + n * 20_000, fee: 1_000 + n, payload: { memo: `memo ${n}` }, nowMs });
  }
}

/** Steps of {@link transactionOf} in blocks. */
export const blocksArbitrary: fc.Arbitrary<readonly (readonly Step[])[]> = fc.array(
  fc.array(fc.tuple(fc.nat({ max: KINDS - 1 }), fc.nat({ max: 4 }), fc.nat({ max: 4 }), fc.nat({ max: 200 })), { maxLength: 6 }),
  { minLength: 1, maxLength: 8 },
);

function channelId(n: number): string {
  return String(n % 4).repeat(32);
}

function expiry(nowMs: number): number {
  return Math.floor(nowMs / 1000) + 86_400;
}

function personAt(index: number): Actor {
  const person = PEOPLE[index % PEOPLE.length];
  if (person === undefined) throw new Error("There are people");
  return person;
}
