// Whether a deployed contract is the multisig that this app brings along: its deployment is read from its block and compared. What any
// other code does with money is unknown, whatever it calls itself.
import type { CallOptions, NodeClient } from "#shared/api/client.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { type ContractId, deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import { concatBytes, fromBase64, fromHex, toBase64, tryFromBase64 } from "#shared/util/bytes.ts";

const HEADER_BYTES = 8;
const CUSTOM_SECTION = 0;
/** Bytes of a length of 32 bits. */
const MAX_LEB_BYTES = 5;

/** True for a contract whose code and interface are those given. Sections that name things and do nothing do not count. */
export async function isSameContract(
  client: NodeClient,
  id: ContractId,
  { wasmB64, abiJson }: { readonly wasmB64: string; readonly abiJson: string },
  call: CallOptions,
): Promise<boolean> {
  const { deployed_at: index } = await client.getContract({ contractID: id }, call);
  const { transactions } = await client.getBlock({ index }, call);
  const entry = transactions.find(({ type, from, id: txId }) => type === "DEPLOY_CONTRACT" && deployedContractId(from ?? "", txId) === id);
  const tx = entry === undefined ? undefined : await readCommitted(client, entry.id, call);
  if (tx === undefined) return false;
  const { wasm_b64: deployed, abi_json: deployedAbi } = decodePayload(toBase64(fromHex(tx.payload_hex))) ?? {};
  const code = typeof deployed === "string" ? tryFromBase64(deployed) : undefined;
  return (
    code !== undefined && deployedAbi === abiJson && sameBytes(withoutCustomSections(code), withoutCustomSections(fromBase64(wasmB64)))
  );
}

/** A module without its custom sections; one that cannot be read stays as it is. */
export function withoutCustomSections(code: Uint8Array): Uint8Array {
  const kept = [code.subarray(0, HEADER_BYTES)];
  let at = HEADER_BYTES;
  while (at < code.length) {
    const end = endOfSection(code, at);
    if (end === undefined) return code;
    if (code[at] !== CUSTOM_SECTION) kept.push(code.subarray(at, end));
    at = end;
  }
  return concatBytes(...kept);
}

/** Where a section ends: its id, its length as LEB128, so many bytes. Undefined where the module ends before. */
function endOfSection(code: Uint8Array, start: number): number | undefined {
  let size = 0;
  for (let index = 0; index < MAX_LEB_BYTES; index += 1) {
    const byte = code[start + 1 + index];
    if (byte === undefined) return undefined;
    size += (byte & 0x7f) * 2 ** (7 * index);
    if (byte >= 0x80) continue;
    const end = start + 2 + index + size;
    return end <= code.length ? end : undefined;
  }
  return undefined;
}

function sameBytes(first: Uint8Array, second: Uint8Array): boolean {
  return first.length === second.length && first.every((byte, index) => byte === second[index]);
}
