// Single things with an owner. `n:<id>:owner|minter|name|metadata` are texts, `o:<owner>:<id>` marks what a key owns.
import { isAssetId, isAssetName, isNftMetadata, MAX_METADATA_BYTES } from "#shared/protocol/primitives/asset-rules.ts";
import type { ContractHost } from "../contract.ts";
import { createNativeContract, demand, method, publicKeyOf, readText, remove, writeText } from "./native-contract.ts";

const mint = method({ id: "string", name: "string", metadata: "string" }, (host, { id, name, metadata }) => {
  demand(host, isAssetId(id), "an id has 1 to 32 of a-z 0-9 . _ -, and begins with a letter or digit");
  demand(host, isAssetName(name), "a name is 1 to 64 printable characters");
  demand(host, isNftMetadata(metadata), `metadata is at most ${MAX_METADATA_BYTES} bytes`);
  demand(host, readText(host, `n:${id}:minter`) === undefined, "the id is taken");
  writeText(host, `n:${id}:minter`, host.caller);
  writeText(host, `n:${id}:name`, name);
  writeText(host, `n:${id}:metadata`, metadata);
  setOwner(host, id, host.caller);
  host.log(`mint ${id} ${host.caller}`);
});

const transfer = method({ id: "string", to: "string" }, (host, { id, to }) => {
  const recipient = publicKeyOf(host, to, "to");
  demandOwner(host, id);
  demand(host, host.isUsableKey(recipient), "to is no usable key");
  remove(host, `o:${host.caller}:${id}`);
  setOwner(host, id, recipient);
  host.log(`transfer ${id} ${host.caller} ${recipient}`);
});

const burn = method({ id: "string" }, (host, { id }) => {
  demandOwner(host, id);
  for (const field of ["owner", "name", "metadata"]) remove(host, `n:${id}:${field}`);
  remove(host, `o:${host.caller}:${id}`);
  host.log(`burn ${id} ${host.caller}`);
});

/** The contract of single things. The id of a burnt one stays taken: its minter remains. */
export const nfts = createNativeContract("nfts", { mint, transfer, burn });

function setOwner(host: ContractHost, id: string, owner: string): void {
  writeText(host, `n:${id}:owner`, owner);
  writeText(host, `o:${owner}:${id}`, id);
}

function demandOwner(host: ContractHost, id: string): void {
  demand(host, isAssetId(id) && readText(host, `n:${id}:owner`) === host.caller, "the caller does not own it");
}
