// What the explorer lists of a state that a chain begins with: no block of the chain has brought it.
import { readChannel } from "#node/ledger/records/channel-records.ts";
import { type ContractRecord, decodeContract } from "#node/ledger/records/contract-records.ts";
import { decodeContact } from "#node/ledger/records/records.ts";
import type { Namespace } from "#node/ledger/state-view.ts";
import type { CarriedLists } from "#node/storage/explorer/explorer-writer.ts";
import { parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { StateRecord } from "./state-file.ts";

/** Contacts and channels in parts as they come, all contracts at last: in the order of their deployment, as far as their heights say it. */
export function* carriedLists(steps: Iterable<readonly StateRecord[]>): Generator<Partial<CarriedLists>> {
  const contracts: ContractRecord[] = [];
  for (const records of steps) {
    const of = (wanted: Namespace): readonly StateRecord[] => records.filter(({ namespace }) => namespace === wanted);
    yield {
      contacts: of("contact").map(({ key, value }) => decodeContact(key, value)),
      channels: of("channel").flatMap(openChannel),
    };
    contracts.push(...of("contract").map(({ key, value }) => decodeContract(key, value)));
  }
  yield { contracts: contracts.toSorted((a, b) => a.deployedAt - b.deployedAt).map(indexedContract) };
}

function indexedContract({ id, abiJson, deployedAt }: ContractRecord): CarriedLists["contracts"][number] {
  const abi = parseContractAbi(abiJson);
  assertInvariant(abi !== undefined, "The ABI of a contract was checked at its deployment");
  return { id, name: abi.contract, version: abi.version, deployedAt };
}

function openChannel({ key, value }: StateRecord): readonly CarriedLists["channels"][number][] {
  const channel = readChannel({ get: () => value, next: () => undefined }, toHex(key));
  return channel === undefined || channel.paidUt !== undefined ? [] : [{ ...channel, channelId: channel.id }];
}
