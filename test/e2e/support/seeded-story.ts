// What happens on the seeded chain, block by block. The same recipe tells the same story each time.
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import type { PayloadOf } from "#shared/protocol/transactions/payload.ts";
import type { TransactionType } from "#shared/protocol/transactions/transaction.ts";
import type { BenchAccount } from "../../bench/load/accounts.ts";
import { createRandom, type Random } from "../../support/host/random.ts";
import type { SeededRecipe } from "./seeded-chain.ts";
import { robin, type SeededPerson, seededPerson, usernameOf } from "./seeded-people.ts";

/** One transaction before it is signed. */
export interface StoryStep {
  readonly signer: BenchAccount;
  readonly draft: StoryDraft;
}

type StoryDraft = {
  readonly [T in TransactionType]: {
    readonly type: T;
    readonly to?: string;
    readonly amount?: number;
    readonly payload: PayloadOf<T>;
  };
}[TransactionType];

const SEED = 20_260_101;
const T = 1_000_000;
const MAX_IN_BLOCK = 400;
const ROBINS_FUNDS_UT = 25_000 * T;
const FUNDS_UT = 20 * T;
const CHANNEL_LIFE_S = 20_000_000;
const GAS = 1_000_000;
const USERNAMES = 12;
/** How many of the payments are Robin's, and how many of those Robin sends. */
const SOME_ROBINS = { share: 1 / 8, sent: 0.4 };
const ALL_ROBINS = { share: 1, sent: 0.05 };

/** Transactions of each block: the fixed story first, then payments that fill the rest evenly. */
export function* planStory(recipe: SeededRecipe, treasury: BenchAccount): Generator<readonly StoryStep[], void> {
  const random = createRandom(SEED);
  const me = robin();
  const people = Array.from({ length: recipe.contacts }, (_, n) => seededPerson(n));
  const chapters = [
    funding(treasury, me, people),
    identities(me, people),
    extras(me, people),
    requests(me, people, random),
    answers(me, people),
  ];
  const opening = chapters.flatMap((steps) => slices(steps, MAX_IN_BLOCK));
  yield* opening;
  let left = recipe.transactions - opening.flat().length;
  for (let block = opening.length; block < recipe.blocks; block += 1) {
    const count = Math.round(left / (recipe.blocks - block));
    left -= count;
    yield Array.from({ length: count }, () =>
      payment(me, people, { random, robins: recipe.areRobins === true ? ALL_ROBINS : SOME_ROBINS }),
    );
  }
}

function funding(treasury: BenchAccount, me: SeededPerson, people: readonly SeededPerson[]): readonly StoryStep[] {
  const gift = (to: string, amount: number): StoryStep => ({ signer: treasury, draft: { type: "TRANSFER", to, amount, payload: {} } });
  return [gift(me.account.publicKey, ROBINS_FUNDS_UT), ...people.map(({ account }) => gift(account.publicKey, FUNDS_UT))];
}

function identities(me: SeededPerson, people: readonly SeededPerson[]): readonly StoryStep[] {
  return [me, ...people].map(({ account, name, boxKey }) => ({
    signer: account,
    draft: { type: "REGISTER_KEY", payload: { x25519_pub_key: boxKey, nickname: name } },
  }));
}

/** Most people asked Robin, at different prices; Robin asked some. */
function requests(me: SeededPerson, people: readonly SeededPerson[], random: Random): readonly StoryStep[] {
  return people.map(({ account, name }, n) => {
    const isFromRobin = n % 10 === 9;
    const intro = isFromRobin
      ? "Hello, Robin here: we met at the fair."
      : `Hello Robin, ${name} from the allotments. Do you still have the seed catalogue?`;
    return {
      signer: isFromRobin ? me.account : account,
      draft: {
        type: "CONTACT_REQUEST",
        to: isFromRobin ? account.publicKey : me.account.publicKey,
        amount: random.between(1, 40) * 5_000,
        payload: { intro },
      },
    };
  });
}

function answers(me: SeededPerson, people: readonly SeededPerson[]): readonly StoryStep[] {
  return people.flatMap(({ account }, n): readonly StoryStep[] => {
    if (n % 10 === 9)
      return n % 20 === 9 ? [{ signer: account, draft: { type: "ACCEPT_CONTACT", to: me.account.publicKey, payload: {} } }] : [];
    if (n % 10 === 0) return [];
    const type = n % 50 === 1 ? "BLOCK_CONTACT" : "ACCEPT_CONTACT";
    return [{ signer: me.account, draft: { type, to: account.publicKey, payload: {} } }];
  });
}

/** Tokens, NFTs, usernames, channels, a relay and a candidate. */
function extras(me: SeededPerson, people: readonly SeededPerson[]): readonly StoryStep[] {
  const [first, second, third] = people;
  if (first === undefined || second === undefined || third === undefined) return [];
  const key = me.account.publicKey;
  const expiresAt = Math.floor(Date.now() / 1_000) + CHANNEL_LIFE_S;
  return [
    call(first.account, { contract: "tokens", method: "issue", args: ["seeds", "Seed bank", "SEED", 2, 5_000_000] }),
    call(first.account, { contract: "tokens", method: "transfer", args: ["seeds", key, 125_050] }),
    call(second.account, { contract: "tokens", method: "issue", args: ["hours", "Hours of help", "HOUR", 0, 1_000] }),
    call(second.account, { contract: "tokens", method: "transfer", args: ["hours", key, 12] }),
    call(me.account, {
      contract: "nfts",
      method: "mint",
      args: ["robins-plot", "Plot 17", "A corner by the water butt, with two apple trees."],
    }),
    call(first.account, {
      contract: "nfts",
      method: "mint",
      args: ["ticket-0042", "Ticket 42", '{"event":"Harvest supper","seat":"by the fire"}'],
    }),
    ...people
      .slice(0, USERNAMES)
      .map(({ account }, n) => call(account, { contract: "username_registry", method: "register", args: [usernameOf(n)], amount: 10_000 })),
    channel(me.account, second.account.publicKey, { id: "01".repeat(16), expiresAt }),
    channel(third.account, key, { id: "02".repeat(16), expiresAt }),
    { signer: third.account, draft: { type: "REGISTER_RELAY", payload: { x25519_pub_key: third.boxKey, fee_per_msg_ut: 1_000 } } },
    { signer: third.account, draft: { type: "HEARTBEAT", payload: {} } },
    { signer: second.account, draft: { type: "ADD_VALIDATOR", payload: { pub_key: second.account.publicKey } } },
  ];
}

interface StoryCall {
  readonly contract: Parameters<typeof nativeContractId>[0];
  readonly method: string;
  readonly args: readonly (string | number)[];
  readonly amount?: number;
}

function call(signer: BenchAccount, { contract, method, args, amount = 0 }: StoryCall): StoryStep {
  const payload = { contract_id: nativeContractId(contract), method, args_json: JSON.stringify(args), gas_limit: GAS };
  return { signer, draft: { type: "CALL_CONTRACT", amount, payload } };
}

function channel(signer: BenchAccount, to: string, { id, expiresAt }: { readonly id: string; readonly expiresAt: number }): StoryStep {
  return { signer, draft: { type: "OPEN_PAY_CHAN", to, amount: 5 * T, payload: { channel_id: id, expires_at: expiresAt } } };
}

/** One person pays another; one payment in eight touches Robin. */
interface Payments {
  readonly random: Random;
  readonly robins: { readonly share: number; readonly sent: number };
}

function payment(me: SeededPerson, people: readonly SeededPerson[], { random, robins }: Payments): StoryStep {
  const other = (): SeededPerson => people[random.between(0, people.length - 1)] as SeededPerson;
  const touchesRobin = random.chance(robins.share);
  const isFromRobin = touchesRobin && random.chance(robins.sent);
  const from = isFromRobin ? me : other();
  const to = touchesRobin && !isFromRobin ? me : other();
  const amount = isFromRobin ? random.between(1, 400) * 10_000 : random.between(1, 90) * 1_000;
  return { signer: from.account, draft: { type: "TRANSFER", to: to.account.publicKey, amount, payload: {} } };
}

function slices(steps: readonly StoryStep[], size: number): readonly (readonly StoryStep[])[] {
  return Array.from({ length: Math.ceil(steps.length / size) }, (_, index) => steps.slice(index * size, (index + 1) * size));
}
