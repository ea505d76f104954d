// What a call of the host costs by the documented prices, out of what a module can see of it.
import { isUtf8 } from "node:buffer";
import { GAS } from "#node/ledger/contracts/gas-schedule.ts";
import type { HostFunctionName } from "#node/vm/module/host-signatures.ts";
import { CALL_STACK_WORDS } from "#node/vm/module/module-limits.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { type HostCallTrace, NESTED_GAS, type StateItem } from "./host-run.ts";

type Price = (numbers: readonly number[], call: HostCallTrace) => number;

const words = (bytes: number): number => GAS.host + GAS.hostWord * Math.ceil(bytes / 8);
const asked: Price = () => words(0);

/** Bytes that are delivered from an offset on. */
const part = (total: number, offset: number, capacity: number): number => words(Math.min(Math.max(0, total - offset), capacity));

const PRICES: Readonly<Record<Exclude<HostFunctionName, "revert" | "abort">, Price>> = {
  arg_count: asked,
  arg_type: asked,
  arg_bool: asked,
  arg_len: (_, { result }) => words(Number(result)),
  arg_read: ([, , capacity = 0], { result }) => words(Number(result)) + part(Number(result), 0, capacity),
  arg_u64: () => words(8),
  input_read: ([, offset = 0, capacity = 0], { result }) => part(Number(result), offset, capacity),
  ctx_read: ([, , capacity = 0], { result }) => part(Number(result), 0, capacity),
  value: asked,
  block_height: asked,
  block_time: asked,
  gas_left: asked,
  state_get: ([, key = 0, , capacity = 0], { result }) => {
    const found = result === -1 ? 0 : GAS.stateGetByte * Number(result) + part(Number(result), 0, capacity);
    return words(key) + GAS.stateGet + GAS.keyByte * key + found;
  },
  state_set: ([, key = 0, , value = 0]) => words(key) + words(value) + GAS.stateSet + GAS.stateSetByte * (key + value),
  state_del: ([, key = 0]) => words(key) + GAS.stateDelete + GAS.keyByte * key,
  state_next: ([, prefix = 0, , after = 0, , capacity = 0], call) => {
    const search = words(prefix) + words(after) + GAS.stateNext + GAS.keyByte * (prefix + after);
    return search + foundPrice(call, capacity);
  },
  balance: () => GAS.balance,
  transfer: ([, length = 0], call) => words(length) + GAS.transfer + recipientPrice(call),
  burn: () => GAS.burn,
  key_usable: ([, length = 0], call) => words(length) + recipientPrice(call),
  log: ([, length = 0]) => words(length) + GAS.log + GAS.logByte * length,
  ret: ([, length = 0]) => words(length),
  sha256: ([, length = 0]) => GAS.sha256 + GAS.sha256Word * Math.ceil(length / 8),
  sig_verify: ([, length = 0]) => GAS.verify + GAS.verifyByte * length,
  call: ([, id = 0, , method = 0, , args = 0], { text, stack }) => {
    const isId = /^[0-9a-f]{16}$/i.test(textOf(text)) && stack > CALL_STACK_WORDS;
    return words(id) + words(method) + words(args) + GAS.nestedCall + (isId ? NESTED_GAS : 0);
  },
  result_read: ([, offset = 0, capacity = 0], { result }) => part(Number(result), offset, capacity),
};

/** Price of a call that returned. */
export function hostPrice(call: HostCallTrace): number {
  const price = PRICES[call.name as keyof typeof PRICES] as Price | undefined;
  if (price === undefined) throw new TypeError(`${call.name} returned`);
  return price(
    call.args.map((value) => (typeof value === "bigint" ? Number(value) : value >>> 0)),
    call,
  );
}

/** The next key is read whether it has the prefix or not; only one that has it is delivered. */
function foundPrice({ state: items, result, text, after }: HostCallTrace, capacity: number): number {
  const found = nextItem(items, Buffer.from(text).toString("hex"), Buffer.from(after).toString("hex"));
  if (found === undefined) return 0;
  const read = GAS.stateNextByte * (found.key.length / 2 + found.bytes);
  return read + (result === -1 ? 0 : part(Number(result), 0, capacity));
}

/** Hex sorts as its bytes do. */
function nextItem(items: readonly StateItem[], prefix: string, after: string): StateItem | undefined {
  return items.find(({ key }) => key >= prefix && (after === "" || key > after));
}

/** Of asking whether a text can be paid. */
function recipientPrice({ text, hasAccount }: HostCallTrace): number {
  const to = textOf(text);
  const isKey = to === to.toLowerCase() && /^[0-9a-f]{64}$/.test(to);
  return GAS.stateGet + (isKey && !hasAccount ? GAS.checkKey : 0);
}

function textOf(bytes: Uint8Array): string {
  const text = isUtf8(bytes) ? Buffer.from(bytes).toString() : "";
  return utf8(text).length === bytes.length ? text : "";
}
