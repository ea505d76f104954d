// Random but reproducible traffic for chain tests: every transaction type, payable and not, from a handful of actors.
import fc from "fast-check";
import type { Transaction } from "#shared/protocol/transaction.ts";
import { type Actor, actor, deviceKey, START_MS, signed } from "./ledger-world.ts";

/** The people of the traffic. The last ones own nothing at first. */
export const PEOPLE: readonly Actor[] = [1, 2, 3, 4, 5].map(actor);

type Step = readonly [number, number, number, number];

/** A transaction of random kind between two random people, timestamped at the given time. */
export function transactionOf([kind, fromIndex, toIndex, n]: Step, nowMs: number = START_MS): Transaction {
  const from = personAt(fromIndex);
  const to = personAt(toIndex === fromIndex ? toIndex + 1 : toIndex).pub;
  const key = deviceKey((n % 6) + 20);
  switch (kind % 8) {
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
    default:
      return signed(from, { type: "TRANSFER", to, amount: 1 + n * 20_000, fee: 1_000 + n, payload: { memo: `memo ${n}` }, nowMs });
  }
}

/** Steps of {@link transactionOf} in blocks. */
export const blocksArbitrary: fc.Arbitrary<readonly (readonly Step[])[]> = fc.array(
  fc.array(fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 4 }), fc.nat({ max: 4 }), fc.nat({ max: 200 })), { maxLength: 6 }),
  { minLength: 1, maxLength: 8 },
);

function personAt(index: number): Actor {
  const person = PEOPLE[index % PEOPLE.length];
  if (person === undefined) throw new Error("There are people");
  return person;
}
