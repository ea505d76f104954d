// Fungible tokens. `t:<id>:name|symbol|issuer` are texts, `t:<id>:decimals|supply`, `b:<id>:<key>` and `a:<id>:<owner>:<spender>`
// unsigned 64-bit integers, big-endian; an integer of 0 has no entry. Balances of a token always sum up to its supply.
import { isAssetId, isAssetName, isTokenSymbol, MAX_TOKEN_DECIMALS } from "#shared/protocol/primitives/asset-rules.ts";
import type { ContractHost } from "../contract.ts";
import { createNativeContract, demand, method, publicKeyOf, readText, readU64, writeText, writeU64 } from "./native-contract.ts";

const issue = method(
  { id: "string", name: "string", symbol: "string", decimals: "u64", supply: "u64" },
  (host, { id, name, symbol, decimals, supply }) => {
    demand(host, isAssetId(id), "an id has 1 to 32 of a-z 0-9 . _ -, and begins with a letter or digit");
    demand(host, isAssetName(name), "a name is 1 to 64 printable characters");
    demand(host, isTokenSymbol(symbol), "a symbol is 1 to 12 letters or digits");
    demand(host, decimals <= BigInt(MAX_TOKEN_DECIMALS), "a token has at most 18 decimals");
    demand(host, supply > 0n, "a token has a supply");
    demand(host, readText(host, `t:${id}:issuer`) === undefined, "the id is taken");
    writeText(host, `t:${id}:name`, name);
    writeText(host, `t:${id}:symbol`, symbol);
    writeText(host, `t:${id}:issuer`, host.caller);
    writeU64(host, `t:${id}:decimals`, decimals);
    writeU64(host, `t:${id}:supply`, supply);
    writeU64(host, `b:${id}:${host.caller}`, supply);
    host.log(`issue ${id} ${host.caller} ${supply}`);
  },
);

const transfer = method({ id: "string", to: "string", amount: "u64" }, (host, { id, to, amount }) => {
  moveTokens(host, { id, from: host.caller, to: publicKeyOf(host, to, "to"), amount });
});

const transferFrom = method({ id: "string", from: "string", to: "string", amount: "u64" }, (host, { id, from, to, amount }) => {
  demand(host, isAssetId(id), "there is no such token");
  const owner = publicKeyOf(host, from, "from");
  const key = `a:${id}:${owner}:${host.caller}`;
  const allowed = readU64(host, key);
  demand(host, allowed >= amount, "the owner has not approved that much");
  writeU64(host, key, allowed - amount);
  moveTokens(host, { id, from: owner, to: publicKeyOf(host, to, "to"), amount });
});

const approve = method({ id: "string", spender: "string", amount: "u64" }, (host, { id, spender, amount }) => {
  demand(host, isAssetId(id) && readText(host, `t:${id}:issuer`) !== undefined, "there is no such token");
  const key = publicKeyOf(host, spender, "spender");
  writeU64(host, `a:${id}:${host.caller}:${key}`, amount);
  host.log(`approve ${id} ${host.caller} ${key} ${amount}`);
});

const burn = method({ id: "string", amount: "u64" }, (host, { id, amount }) => {
  takeTokens(host, id, host.caller, amount);
  writeU64(host, `t:${id}:supply`, readU64(host, `t:${id}:supply`) - amount);
  host.log(`burn ${id} ${host.caller} ${amount}`);
});

/** The token contract. */
export const tokens = createNativeContract("tokens", { issue, transfer, transfer_from: transferFrom, approve, burn });

interface TokenMove {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

function moveTokens(host: ContractHost, { id, from, to, amount }: TokenMove): void {
  takeTokens(host, id, from, amount);
  demand(host, host.isUsableKey(to), "to is no usable key");
  writeU64(host, `b:${id}:${to}`, readU64(host, `b:${id}:${to}`) + amount);
  host.log(`transfer ${id} ${from} ${to} ${amount}`);
}

function takeTokens(host: ContractHost, id: string, from: string, amount: bigint): void {
  demand(host, amount > 0n, "the amount is 0");
  const key = `b:${id}:${from}`;
  const balance = isAssetId(id) ? readU64(host, key) : 0n;
  demand(host, balance >= amount, "the balance does not suffice");
  writeU64(host, key, balance - amount);
}
