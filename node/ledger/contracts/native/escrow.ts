// Escrow: a buyer's µT wait with the contract until the deal is settled. `e:<deal>:x` is its state, one byte: a active, d disputed,
// r released, f refunded; `:b` buyer, `:s` seller, `:m` arbiter (texts, "" for none), `:v` µT, `:t` unix seconds of the deadline.
import { isDealId, MAX_DEAL_S } from "#shared/protocol/primitives/asset-rules.ts";
import type { ContractHost } from "../contract.ts";
import { createNativeContract, demand, method, publicKeyOf, readText, readU64, writeText, writeU64 } from "./native-contract.ts";

type DealState = "a" | "d" | "r" | "f";

interface Deal {
  readonly id: string;
  readonly state: string | undefined;
  readonly buyer: string;
  readonly seller: string;
  readonly arbiter: string;
}

const open = method(
  { deal_id: "string", seller: "string", arbiter: "string", deadline: "u64" },
  (host, { deal_id: id, deadline, ...parties }) => {
    const now = BigInt(host.timeS);
    const seller = publicKeyOf(host, parties.seller, "seller");
    const arbiter = parties.arbiter === "" ? "" : publicKeyOf(host, parties.arbiter, "arbiter");
    demand(host, isDealId(id), "a deal id has 1 to 64 of A-Z a-z 0-9 . _ -");
    demand(host, host.amountUt > 0, "a deal is about an attached amount");
    demand(host, deadline > now && deadline <= now + BigInt(MAX_DEAL_S), "the deadline is unix seconds within a year");
    demand(host, seller !== host.caller && arbiter !== host.caller && arbiter !== seller, "buyer, seller and arbiter are three");
    demand(host, host.isUsableKey(seller), "seller is no usable key");
    demand(host, readText(host, `e:${id}:x`) === undefined, "the deal id is taken");
    writeText(host, `e:${id}:b`, host.caller);
    writeText(host, `e:${id}:s`, seller);
    writeText(host, `e:${id}:m`, arbiter);
    writeU64(host, `e:${id}:v`, BigInt(host.amountUt));
    writeU64(host, `e:${id}:t`, deadline);
    setState(host, id, "a");
    host.log(`open ${id} ${host.caller} ${seller} ${host.amountUt}`);
  },
  true,
);

const release = method({ deal_id: "string" }, (host, { deal_id }) => {
  const deal = openDeal(host, deal_id);
  demand(host, host.caller === deal.buyer, "only the buyer releases");
  settle(host, deal, "r");
});

const refund = method({ deal_id: "string" }, (host, { deal_id }) => {
  const deal = openDeal(host, deal_id);
  demand(host, host.caller === deal.seller, "only the seller refunds");
  settle(host, deal, "f");
});

const dispute = method({ deal_id: "string" }, (host, { deal_id }) => {
  const deal = openDeal(host, deal_id);
  demand(host, deal.state === "a" && deal.arbiter !== "", "the deal is disputed already, or has no arbiter");
  demand(host, host.caller === deal.buyer || host.caller === deal.seller, "only buyer and seller dispute");
  setState(host, deal.id, "d");
  host.log(`dispute ${deal.id} ${host.caller}`);
});

const resolve = method({ deal_id: "string", to_seller: "bool" }, (host, { deal_id, to_seller }) => {
  const deal = openDeal(host, deal_id);
  demand(host, deal.state === "d" && host.caller === deal.arbiter, "only the arbiter resolves, and only a disputed deal");
  settle(host, deal, to_seller ? "r" : "f");
});

const timeout = method({ deal_id: "string" }, (host, { deal_id }) => {
  const deal = openDeal(host, deal_id);
  demand(host, deal.state === "a", "a disputed deal waits for its arbiter");
  demand(host, BigInt(host.timeS) >= readU64(host, `e:${deal.id}:t`), "the deadline has not passed");
  settle(host, deal, "f");
});

/** The escrow contract. Buyer and seller can always settle by agreement: each can give, none can take. */
export const escrow = createNativeContract("escrow", { open, release, refund, dispute, resolve, timeout });

/** A deal that is not settled. */
function openDeal(host: ContractHost, id: string): Deal {
  const state = isDealId(id) ? readText(host, `e:${id}:x`) : undefined;
  demand(host, state === "a" || state === "d", "there is no such open deal");
  const party = (field: string): string => readText(host, `e:${id}:${field}`) ?? "";
  return { id, state, buyer: party("b"), seller: party("s"), arbiter: party("m") };
}

function settle(host: ContractHost, { id, buyer, seller }: Deal, state: "r" | "f"): void {
  const to = state === "r" ? seller : buyer;
  const amountUt = Number(readU64(host, `e:${id}:v`));
  demand(host, host.transfer(to, amountUt), "the contract cannot pay");
  setState(host, id, state);
  host.log(`${state === "r" ? "release" : "refund"} ${id} ${to} ${amountUt}`);
}

function setState(host: ContractHost, id: string, state: DealState): void {
  writeText(host, `e:${id}:x`, state);
}
