// Random sequences of all transaction types against the reference model: the same outcomes, balances, bonds, names and tokens;
// the supply is conserved; a failure changes nothing but the fee and the gas; executed again, the state is the same.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BlockContext } from "#node/ledger/context.ts";
import { applyTransaction, type ExecutionResult, executeBlock, finishBlock, type IncludedTransaction } from "#node/ledger/execute.ts";
import { contractStateKey } from "#node/ledger/records/contract-records.ts";
import { touchedAccounts } from "#node/ledger/records/history.ts";
import { readAccount, readSupply, readValidators } from "#node/ledger/records/records.ts";
import { readUnbonding } from "#node/ledger/records/validator-records.ts";
import type { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { leafChanges, updateStateTree } from "#node/state/state-tree.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { buildTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { type NativeContractName, nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Cosignature } from "#shared/protocol/transactions/payload.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { heldUt } from "#test/support/chain/held-ut.ts";
import { LedgerModel, type ModelStep } from "#test/support/chain/ledger-model.ts";
import { callOf, rotatingGenesis } from "#test/support/chain/ledger-payloads.ts";
import {
  actor,
  alice,
  blockContext,
  bob,
  CHAIN_ID,
  carol,
  type Draft,
  deviceKey,
  dump,
  GENESIS,
  genesisState,
  START_MS,
} from "#test/support/worlds/ledger-world.ts";

const DAY = 86_400;
const VALIDATORS = [actor(11), actor(12), actor(13)];
/** Keys that validators may replace theirs with. */
const NEXT = [actor(14), actor(15), actor(16)];
const PEOPLE = [alice, bob, carol, ...VALIDATORS, ...NEXT].map(({ pub }) => pub);
const GENESIS_ACCOUNTS = [alice, bob, ...VALIDATORS, ...NEXT].map(({ pub }) => ({ pub_key: pub, balance_ut: 3_000_000 }));
const GENESIS_STATE = { ...rotatingGenesis(VALIDATORS), accounts: GENESIS_ACCOUNTS };
const PARAMS = firstParams(GENESIS_STATE.params);
const SIGNATURE = `${"A".repeat(86)}==`;
const GAS_LIMIT = 1_000_000;

/** Of the block of an index: after three of them, so far apart that a key may be replaced again after the next one. */
function heightOf(index: number): number {
  return index < 3 ? index + 1 : 700 * (index - 2);
}

const person = fc.constantFrom(...PEOPLE);
const pair = fc.constantFrom({ from: alice.pub, to: bob.pub }, { from: bob.pub, to: alice.pub }, { from: carol.pub, to: bob.pub });
/** Few enough that they meet again. */
const few = fc.constantFrom(alice.pub, bob.pub, carol.pub);
const voter = fc.constantFrom(...VALIDATORS.map(({ pub }) => pub), bob.pub, carol.pub, NEXT[0]?.pub ?? "");
const anyKey = fc.constantFrom(...[...VALIDATORS, ...NEXT].map(({ pub }) => pub));
const lifeS = fc.constantFrom(-5, 0, 60, 90_000, 400 * DAY);
const channelId = fc.constantFrom("1", "2", "3").map((n) => n.repeat(32));
const amount = fc.oneof(fc.constantFrom(0, 1, 10_000, 9_999), fc.integer({ min: 0, max: 3_500_000 }));
const name = fc.constantFrom("alice", "alice", "bob.1", "abc", "a..b", "Name");
const dealId = fc.constantFrom("1", "2", "3");

const trio = fc.constantFrom(
  { from: alice.pub, seller: bob.pub, arbiter: carol.pub },
  { from: bob.pub, seller: alice.pub, arbiter: carol.pub },
  { from: alice.pub, seller: alice.pub, arbiter: bob.pub },
);

const step: fc.Arbitrary<ModelStep> = fc.oneof(
  {
    arbitrary: fc.record({ kind: fc.constant("transfer"), from: person, to: person, amount: amount.map((ut) => Math.max(1, ut)) }),
    weight: 2,
  },
  fc.record({ kind: fc.constant("heartbeat"), from: person }),
  fc.record({ kind: fc.constant("bind"), from: person, wallet: person }),
  fc.record({ kind: fc.constant("relay"), from: few }),
  {
    arbitrary: fc.record({
      kind: fc.constant("proof"),
      from: few,
      claims: fc.array(fc.record({ sender: few, id: fc.constantFrom("1", "2"), fee: fc.constantFrom(1, 70_000, 2_000_000) }), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
    weight: 2,
  },
  {
    arbitrary: fc.record({
      kind: fc.constantFrom("add", "remove"),
      from: voter,
      target: voter,
      cosigners: fc.uniqueArray(voter, { maxLength: 5 }),
    }),
    weight: 5,
  },
  { arbitrary: fc.record({ kind: fc.constant("rotate"), from: anyKey, to: anyKey }), weight: 3 },
  {
    arbitrary: fc.record({
      kind: fc.constant("slash"),
      from: person,
      offender: fc.constantFrom(...[...VALIDATORS, ...NEXT].map(({ pub }) => pub), bob.pub),
      height: fc.constantFrom(1, 2, 3, heightOf(3), heightOf(4)),
      round: fc.constant(0),
    }),
    weight: 2,
  },
  { arbitrary: fc.record({ kind: fc.constant("open"), parties: pair, id: channelId, amount, lifeS }).map(openOf), weight: 2 },
  {
    arbitrary: fc
      .record({ parties: pair, id: channelId, paid: fc.constantFrom(0, 1, 9_999, 500_000), hasVoucher: fc.boolean() })
      .map(closeOf),
    weight: 3,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant("register"),
      from: few,
      name,
      amount: fc.constantFrom(10_000, 10_000, 10_000, 9_999, 0),
    }),
    weight: 2,
  },
  { arbitrary: fc.record({ kind: fc.constant("release"), from: few, name }), weight: 2 },
  fc.record({ kind: fc.constant("give"), from: few, name, to: few }),
  fc.record({ kind: fc.constant("issue"), from: few, token: dealId, supply: fc.nat({ max: 100 }) }),
  { arbitrary: fc.record({ kind: fc.constant("send"), from: few, token: dealId, to: few, amount: fc.nat({ max: 60 }) }), weight: 2 },
  fc.record({ kind: fc.constant("burn"), from: few, token: dealId, amount: fc.nat({ max: 60 }) }),
  { arbitrary: fc.record({ kind: fc.constant("deal"), parties: trio, id: dealId, amount, lifeS }).map(dealOf), weight: 2 },
  {
    arbitrary: fc.record({
      kind: fc.constant("settle"),
      from: few,
      id: dealId,
      how: fc.constantFrom("release", "refund", "dispute", "resolve", "timeout"),
    }),
    weight: 4,
  },
) as fc.Arbitrary<ModelStep>;

interface Parties {
  readonly from: string;
  readonly to: string;
}
function openOf({ parties, ...rest }: { parties: Parties; id: string; amount: number; lifeS: number; kind: string }): ModelStep {
  return { ...rest, ...parties, kind: "open", amount: Math.max(1, rest.amount) };
}
function closeOf({ parties, ...rest }: { parties: Parties; id: string; paid: number; hasVoucher: boolean }): ModelStep {
  return { ...rest, ...parties, kind: "close" };
}

function dealOf({
  parties,
  ...rest
}: {
  parties: Pick<Extract<ModelStep, { kind: "deal" }>, "from" | "seller" | "arbiter">;
  id: string;
  amount: number;
  lifeS: number;
  kind: string;
}): ModelStep {
  return { ...rest, ...parties, kind: "deal" };
}

const blocks = fc.array(
  fc.record({ steps: fc.array(step, { minLength: 4, maxLength: 12 }), seconds: fc.constantFrom(1, 700, DAY, 7 * DAY, 21 * DAY) }),
  {
    minLength: 4,
    maxLength: 9,
  },
);

type AnyDraft = Draft<"TRANSFER">;

/** The transaction of a step, as a draft. */
function draftOf(move: ModelStep, now: number): unknown {
  switch (move.kind) {
    case "transfer":
      return { type: "TRANSFER", to: move.to, amount: move.amount, payload: {} };
    case "heartbeat":
      return { type: "HEARTBEAT", payload: {} };
    case "bind":
      return { type: "BIND_WALLET", payload: { wallet_pub: move.wallet, wallet_sig: SIGNATURE } };
    case "relay":
      return { type: "REGISTER_RELAY", payload: { x25519_pub_key: deviceKey(1), fee_per_msg_ut: 1 } };
    case "proof": {
      const claims = move.claims.map((claim) => ({
        envelope_id: claim.id,
        recipient_pub: deviceKey(1),
        sender_pub: claim.sender,
        fee_ut: claim.fee,
        fee_sig: SIGNATURE,
      }));
      return { type: "RELAY_PROOF", payload: { claims } };
    }
    case "add":
    case "remove": {
      const cosigs = move.cosigners.map((key): Cosignature => ({ validator_pub: key, signed_at: now, signature: SIGNATURE }));
      return { type: move.kind === "add" ? "ADD_VALIDATOR" : "REMOVE_VALIDATOR", payload: { pub_key: move.target, cosigs } };
    }
    case "rotate":
      return { type: "ROTATE_KEY", payload: { new_pub: move.to, new_sig: SIGNATURE } };
    case "slash": {
      const { offender: validator_pub, height, round } = move;
      const statement = (block_hash: string | null): unknown => ({ block_hash, signature: SIGNATURE });
      const evidence = { validator_pub, height, round, step: "prevote", first: statement(null), second: statement("ab".repeat(32)) };
      return { type: "SLASH", payload: { evidence } };
    }
    case "open":
      return { type: "OPEN_PAY_CHAN", to: move.to, amount: move.amount, payload: { channel_id: move.id, expires_at: now + move.lifeS } };
    case "close": {
      const voucher = move.hasVoucher ? { voucher_sig: SIGNATURE } : {};
      return { type: "CLOSE_PAY_CHAN", to: move.to, payload: { channel_id: move.id, paid_ut: move.paid, ...voucher } };
    }
    default:
      return callDraftOf(move, now);
  }
}

type CallStep = Extract<ModelStep, { readonly kind: "register" | "release" | "give" | "issue" | "send" | "burn" | "deal" | "settle" }>;

function callDraftOf(move: CallStep, now: number): unknown {
  switch (move.kind) {
    case "register":
      return callOf("username_registry", "register", [move.name], { amount: move.amount });
    case "release":
      return callOf("username_registry", "release", [move.name]);
    case "give":
      return callOf("username_registry", "transfer", [move.name, move.to]);
    case "issue":
      return callOf("tokens", "issue", [move.token, "Token", "T", 0, move.supply]);
    case "send":
      return callOf("tokens", "transfer", [move.token, move.to, `${move.amount}`]);
    case "burn":
      return callOf("tokens", "burn", [move.token, move.amount]);
    case "deal":
      return callOf("escrow", "open", [move.id, move.seller, move.arbiter, Math.max(0, now + move.lifeS)], { amount: move.amount });
    case "settle":
      return callOf("escrow", move.how, move.how === "resolve" ? [move.id, true] : [move.id]);
  }
}

let salt = 0;
function transactionOf(move: ModelStep, timeMs: number): Transaction {
  salt += 1;
  const random = (): Uint8Array => Uint8Array.of(0, 0, 0, 1, (salt >> 24) & 255, (salt >> 16) & 255, (salt >> 8) & 255, salt & 255);
  const draft = { ...(draftOf(move, Math.floor(timeMs / 1000)) as AnyDraft), from: move.from };
  return { ...buildTransaction(draft, { chainId: CHAIN_ID, nowMs: timeMs, random }), signature: SIGNATURE };
}

function bytesOf(state: OverlayStateView, contract: NativeContractName, key: string): string | undefined {
  const value = state.get("contract_state", contractStateKey(nativeContractId(contract), utf8(key)));
  return value === undefined ? undefined : toHex(value);
}

const asText = (hex: string | undefined): string | undefined => (hex === undefined ? undefined : Buffer.from(hex, "hex").toString());

function expectSame(state: OverlayStateView, model: LedgerModel): void {
  for (const key of PEOPLE) expect(readAccount(state, key).balanceUt, `balance of ${key}`).toBe(model.balance(key));
  expect(readSupply(state)).toBe(model.supply);
  expect(heldUt(state)).toBe(model.supply);
  expect(new Map(readValidators(state).map(({ publicKey, bondUt }) => [publicKey, bondUt]))).toEqual(model.bonds);
  for (const key of PEOPLE) expect(readUnbonding(state, key)?.amountUt ?? 0).toBe(model.unbonding.get(key)?.amount ?? 0);
  for (const text of ["alice", "bob.1", "abc", "a..b", "Name"]) {
    const owner = model.names.get(text);
    expect(asText(bytesOf(state, "username_registry", `name:${text}`))).toBe(owner);
    if (owner !== undefined) expect(asText(bytesOf(state, "username_registry", `addr:${owner}`))).toBe(text);
  }
  for (const [token, holders] of model.tokens) {
    const inState = PEOPLE.map((key) => BigInt(`0x${bytesOf(state, "tokens", `b:${token}:${key}`) ?? "0"}`));
    expect(inState).toEqual(PEOPLE.map((key) => BigInt(holders.get(key) ?? 0)));
    const supply = BigInt(`0x${bytesOf(state, "tokens", `t:${token}:supply`) ?? "0"}`);
    expect(inState.reduce((sum, balance) => sum + balance, 0n)).toBe(supply);
  }
  for (const [deal, { state: dealState }] of model.deals) expect(asText(bytesOf(state, "escrow", `e:${deal}:x`))).toBe(dealState);
}

/** Runs one step on both, and compares. */
function runBoth(state: OverlayStateView, model: LedgerModel, move: ModelStep, context: BlockContext): readonly IncludedTransaction[] {
  const tx = transactionOf(move, context.timeMs);
  const before = dump(state);
  const isCall = tx.type === "CALL_CONTRACT";
  const outcome = applyTransaction(state, tx, context);
  const expected = model.run(move, tx.fee, isCall ? GAS_LIMIT / 1_000 : 0);
  if (!outcome.isIncluded) {
    expect(expected).toBe("not included");
    expect(dump(state)).toEqual(before);
    return [];
  }
  const { receipt } = outcome;
  expect(receipt.isOk, `${tx.type} ${receipt.code} ${JSON.stringify([move, receipt.logs])}`).toBe(expected);
  expect(receipt.gasUsed).toBeLessThanOrEqual(isCall ? GAS_LIMIT : 0);
  const gasUt = Math.ceil(receipt.gasUsed / 1_000);
  expect(receipt.feeUt).toBe(tx.fee + gasUt);
  model.payGas(tx.from, gasUt);
  if (!receipt.isOk) {
    const isOther = (line: string): boolean => !line.startsWith(`account ${tx.from}`);
    expect(dump(state).filter(isOther)).toEqual(before.filter(isOther));
  }
  return [{ tx, receipt }];
}

/** Records of accounts by their keys. */
function accountsOf(state: OverlayStateView): ReadonlyMap<string, string> {
  const lines = dump(state).map((line) => line.split(" "));
  return new Map(lines.flatMap(([namespace, key = "", value = ""]) => (namespace === "account" ? [[key, value] as const] : [])));
}

/** Who holds balances beside the chain looks at the accounts alone that a block lists: no other one has changed. */
function expectListed(
  { before, after }: Readonly<Record<"before" | "after", ReadonlyMap<string, string>>>,
  included: readonly IncludedTransaction[],
  executed: ExecutionResult,
): void {
  const listed = new Set(included.flatMap(({ tx, receipt }) => touchedAccounts(tx, receipt)));
  if (executed.isValid && executed.reward !== undefined) listed.add(executed.reward.to);
  const changed = [...after].filter(([key, value]) => before.get(key) !== value);
  for (const [key] of changed) expect(listed).toContain(key);
}

function rootOf(state: OverlayStateView): string {
  return toHex(updateStateTree({ getPage: () => undefined }, leafChanges(state.changes())).root);
}

describe("any sequence of all types", () => {
  it("does what the model does, and the same when executed again", () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(blocks, (sequence) => {
        const state = genesisState(GENESIS_STATE);
        const again = genesisState(GENESIS_STATE);
        const model = new LedgerModel({
          balances: Object.fromEntries(GENESIS_ACCOUNTS.map(({ pub_key, balance_ut }) => [pub_key, balance_ut])),
          validators: VALIDATORS.map(({ pub }) => pub),
          bondUt: 1_000_000,
          rewardUt: GENESIS.params.block_reward_ut,
        });
        let timeMs = START_MS;
        for (const [index, { steps, seconds }] of sequence.entries()) {
          timeMs += seconds * 1_000;
          const proposer = readValidators(state)[index % readValidators(state).length]?.publicKey ?? "";
          const context = blockContext({ height: heightOf(index), timeMs, proposer, params: PARAMS });
          model.begin(context.height, timeMs / 1_000);
          const included = steps.flatMap((move) => runBoth(state, model, move, context));
          for (const { tx, receipt } of included) seen.set(`${tx.type} ${receipt.isOk}`, (seen.get(`${tx.type} ${receipt.isOk}`) ?? 0) + 1);
          finishBlock(state, included, context);
          if (included.length > 0)
            model.end(
              proposer,
              included.reduce((sum, { receipt }) => sum + receipt.feeUt, 0),
            );
          expectSame(state, model);
          const txs = included.map(({ tx }) => tx);
          const accounts = accountsOf(again);
          const executed = executeBlock(again, txs, context);
          expect(executed).toMatchObject({ isValid: true, receipts: included.map(({ receipt }) => receipt) });
          expectListed({ before: accounts, after: accountsOf(again) }, included, executed);
          expect(rootOf(again)).toBe(rootOf(state));
        }
      }),
      { seed: 20260102, numRuns: 120 },
    );
    // The sequences reach both outcomes of every type that can fail.
    const both = [
      "RELAY_PROOF",
      "ADD_VALIDATOR",
      "REMOVE_VALIDATOR",
      "ROTATE_KEY",
      "SLASH",
      "OPEN_PAY_CHAN",
      "CLOSE_PAY_CHAN",
      "CALL_CONTRACT",
      "TRANSFER",
    ];
    for (const type of both)
      for (const isOk of [true, false]) expect(seen.get(`${type} ${isOk}`) ?? 0, `${type} ${isOk}`).toBeGreaterThan(5);
  }, 120_000);
});
