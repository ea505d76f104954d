// The host functions that modules import. Each one checks lengths against their limits, charges, and only then touches memory; nothing
// but a CallEnd leaves it on account of the contract. Numbers come in as signed 32-bit integers, or as bigints for 64 bits.
import { Buffer, isUtf8 } from "node:buffer";
import { CallEnd, type HostCall } from "#node/ledger/contracts/call-end.ts";
import { NESTED_STATUS } from "#node/ledger/contracts/contract.ts";
import type { ContractValue } from "#node/ledger/contracts/contract-value.ts";
import { GAS } from "#node/ledger/contracts/gas-schedule.ts";
import {
  MAX_ARGUMENTS_BYTES,
  MAX_CONTRACT_KEY_BYTES,
  MAX_CONTRACT_VALUE_BYTES,
  MAX_LOG_BYTES,
  MAX_RESULT_BYTES,
} from "#shared/protocol/primitives/limits.ts";
import { isContractId } from "#shared/protocol/transactions/contracts.ts";
import { fromUtf8 } from "#shared/util/bytes.ts";
import { ARGUMENT_TYPE, type Machine, noArgument } from "./machine.ts";
import { HOST_SIGNATURES, type HostFunctionName } from "./module/host-signatures.ts";
import { CALL_STACK_WORDS, MODULE_LIMITS, PAGE_BYTES } from "./module/module-limits.ts";

type Four = readonly [number, number, number, number];

/** A host function for the machine of an instance. */
export type HostFunction = (machine: Machine, ...args: never[]) => number | bigint | undefined;

/** Parameters that are passed one by one. */
const FEW_PARAMETERS = 4;
const ID_CHARACTERS = 64;
const METHOD_CHARACTERS = 64;
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const MEMORY_BYTES = MODULE_LIMITS.pages * PAGE_BYTES;

/** Fields of ctx_read, in the order of their numbers. */
const CONTEXT_FIELDS = ["caller", "contractId", "origin", "txId", "owner", "chainId"] as const;

/** All host functions by their names. */
export const HOST_FUNCTIONS: Readonly<Record<HostFunctionName, HostFunction>> = {
  arg_count: (machine) => {
    machine.chargeWords(0);
    return machine.call.args.length;
  },
  arg_type: (machine, index: number) => {
    machine.chargeWords(0);
    return argumentType(argumentOf(machine, index));
  },
  arg_len: (machine, index: number) => {
    const { length } = machine.argument(index);
    machine.chargeWords(length);
    return length;
  },
  arg_read: (machine, index: number, pointer: number, capacity: number) => {
    const bytes = machine.argument(index);
    machine.chargeWords(bytes.length);
    return machine.deliver(bytes, pointer, capacity);
  },
  arg_u64: (machine, index: number) => {
    machine.chargeWords(8);
    const value = argumentOf(machine, index);
    return typeof value === "bigint" ? BigInt.asIntN(64, value) : trap(`argument ${index} is no u64`);
  },
  arg_bool: (machine, index: number) => {
    machine.chargeWords(0);
    const value = argumentOf(machine, index);
    return typeof value === "boolean" ? Number(value) : trap(`argument ${index} is no bool`);
  },
  input_read: (machine, pointer: number, offset: number, capacity: number) =>
    deliverPart(machine, machine.input(), { pointer, offset, capacity }),
  ctx_read: (machine, field: number, pointer: number, capacity: number) => {
    const name = CONTEXT_FIELDS[field];
    if (name === undefined) return trap(`the context has no field ${field}: fields are 0 to ${CONTEXT_FIELDS.length - 1}`);
    return machine.deliver(machine.context(name), pointer, capacity);
  },
  value: (machine) => integer(machine, machine.host.amountUt),
  block_height: (machine) => integer(machine, machine.host.height),
  block_time: (machine) => integer(machine, machine.host.timeS),
  gas_left: (machine) => {
    machine.chargeWords(0);
    return BigInt(machine.host.gasLeft);
  },
  state_get: (machine, ...[keyPointer, keyLength, pointer, capacity]: Four) => {
    const value = machine.host.get(readKey(machine, keyPointer, keyLength));
    return value === undefined ? -1 : machine.deliver(value, pointer, capacity);
  },
  state_set: (machine, ...[keyPointer, keyLength, pointer, length]: Four) => {
    const key = readKey(machine, keyPointer, keyLength);
    machine.host.set(key, readUpTo(machine, { pointer, length, most: MAX_CONTRACT_VALUE_BYTES, what: "a value" }));
    return undefined;
  },
  state_del: (machine, keyPointer: number, keyLength: number) => {
    machine.host.delete(readKey(machine, keyPointer, keyLength));
    return undefined;
  },
  state_next: (
    machine,
    ...[prefix, prefixLength, after, afterLength, pointer, capacity]: readonly [number, number, number, number, number, number]
  ) => {
    const start = readKey(machine, prefix, prefixLength);
    const last = readKey(machine, after, afterLength);
    const entry = machine.host.next(start, last.length === 0 ? undefined : last);
    return entry === undefined ? -1 : machine.deliver(entry.key, pointer, capacity);
  },
  balance: (machine) => BigInt(machine.host.balance()),
  transfer: (machine, pointer: number, length: number, amount: bigint) => {
    const to = readText(machine, pointer, length, ID_CHARACTERS);
    return machine.host.transfer(to, amountOf(amount)) ? 0 : 1;
  },
  burn: (machine, amount: bigint) => (machine.host.burn(amountOf(amount)) ? 0 : 1),
  key_usable: (machine, pointer: number, length: number) =>
    Number(machine.host.isUsableKey(readText(machine, pointer, length, ID_CHARACTERS))),
  log: (machine, pointer: number, length: number) => {
    machine.host.log(textOf(machine, readUpTo(machine, { pointer, length, most: MAX_LOG_BYTES, what: "a line of the log" })));
    return undefined;
  },
  ret: (machine, pointer: number, length: number) => {
    const size = sizeUpTo(machine, { length, most: MAX_RESULT_BYTES, what: "a result" });
    machine.host.setResult(machine.view(pointer, size));
    return undefined;
  },
  revert: (machine, pointer: number, length: number) =>
    machine.host.abort(
      textOf(machine, readUpTo(machine, { pointer, length: Math.min(length >>> 0, MAX_LOG_BYTES), most: MAX_LOG_BYTES, what: "a reason" })),
    ),
  abort: (machine, ...[message, , line, column]: Four) =>
    machine.host.abort(abortReason(machine, message, { line: line >>> 0, column: column >>> 0 })),
  sha256: (machine, pointer: number, length: number, target: number) => {
    const size = Math.min(length >>> 0, MEMORY_BYTES);
    machine.host.charge(GAS.sha256 + GAS.sha256Word * Math.ceil(size / 8));
    machine.write(target, machine.primitives.sha256(machine.view(pointer, length)));
    return undefined;
  },
  sig_verify: (machine, ...[message, length, signature, publicKey]: Four) => {
    const size = Math.min(length >>> 0, MEMORY_BYTES);
    machine.host.charge(GAS.verify + GAS.verifyByte * size);
    const key = machine.read(publicKey, KEY_BYTES);
    return Number(machine.primitives.verify(machine.read(signature, SIGNATURE_BYTES), machine.read(message, length), key));
  },
  call: (machine, ...args: readonly [number, number, number, number, number, number, bigint, number]) => nestedCall(machine, args),
  result_read: (machine, pointer: number, offset: number, capacity: number) =>
    deliverPart(machine, machine.nestedResult, { pointer, offset, capacity }),
};

/** A host function as the module of an instance calls it: gas is settled on the way in and on the way out. */
export function bindHostFunction(machine: Machine, name: HostFunctionName): (...args: never[]) => number | bigint | undefined {
  const run = HOST_FUNCTIONS[name];
  const count = HOST_SIGNATURES.get(name)?.params.length ?? 0;
  if (count > FEW_PARAMETERS)
    return (...args) => {
      try {
        machine.toHost();
        const result = run(machine, ...args);
        machine.toModule();
        return result;
      } catch (error) {
        throw withHostCall(error, { name, args });
      }
    };
  // Nearly all have few, and a list of them for each call takes longer than some of the calls do.
  return (first: never, second: never, third: never, fourth: never) => {
    try {
      machine.toHost();
      const result = run(machine, first, second, third, fourth);
      machine.toModule();
      return result;
    } catch (error) {
      throw withHostCall(error, { name, args: [first, second, third, fourth].slice(0, count) });
    }
  };
}

function withHostCall(error: unknown, hostCall: HostCall): unknown {
  if (error instanceof CallEnd) error.hostCall ??= hostCall;
  return error;
}

function nestedCall(machine: Machine, args: readonly [number, number, number, number, number, number, bigint, number]): number {
  const [idPointer, idLength, methodPointer, methodLength, argsPointer, argsLength, amount, gas] = args;
  const contractId = readText(machine, idPointer, idLength, ID_CHARACTERS);
  const method = readText(machine, methodPointer, methodLength, METHOD_CHARACTERS);
  const bytes = readUpTo(machine, { pointer: argsPointer, length: argsLength, most: MAX_ARGUMENTS_BYTES, what: "the list of arguments" });
  const argsJson = textOf(machine, bytes);
  const stackWords = machine.stackLeft - CALL_STACK_WORDS;
  if (!isContractId(contractId) || stackWords <= 0) {
    machine.nestedResult = new Uint8Array(0);
    machine.host.charge(GAS.nestedCall);
    return stackWords <= 0 ? NESTED_STATUS.tooDeep : NESTED_STATUS.notCallable;
  }
  const { gasLeft } = machine.host;
  const afterCall = Math.max(0, gasLeft - GAS.nestedCall);
  const most = afterCall - Math.floor(afterCall / 64);
  const gasLimit = gas >>> 0 === 0 ? most : Math.min(gas >>> 0, most);
  const request = { contractId: contractId.toLowerCase(), method, argsJson, amountUt: amountOf(amount), gasLimit, stackWords };
  const { status, result } = machine.host.call(request);
  machine.nestedResult = result;
  return status;
}

interface Part {
  readonly pointer: number;
  readonly offset: number;
  readonly capacity: number;
}

/** Delivers what is there from an offset on, and returns how much is there in all. */
function deliverPart(machine: Machine, bytes: Uint8Array, { pointer, offset, capacity }: Part): number {
  machine.deliver(bytes.subarray(Math.min(offset >>> 0, bytes.length)), pointer, capacity);
  return bytes.length;
}

interface Range {
  readonly pointer: number;
  readonly length: number;
  readonly most: number;
  readonly what: string;
}

function readUpTo(machine: Machine, { pointer, ...range }: Range): Uint8Array {
  return machine.read(pointer, sizeUpTo(machine, range));
}

/** Bytes that are passed, paid for. */
function sizeUpTo(machine: Machine, { length, most, what }: Omit<Range, "pointer">): number {
  const size = length >>> 0;
  if (size > most) machine.host.abort(`${what} is longer than ${most} bytes`);
  machine.chargeWords(size);
  return size;
}

/** A key as it lies in the memory: whoever keeps it makes another one. */
function readKey(machine: Machine, pointer: number, length: number): Uint8Array {
  return machine.view(pointer, sizeUpTo(machine, { length, most: MAX_CONTRACT_KEY_BYTES, what: "a key" }));
}

function readText(machine: Machine, pointer: number, length: number, most: number): string {
  return textOf(machine, readUpTo(machine, { pointer, length, most, what: "a name" }));
}

function textOf(machine: Machine, bytes: Uint8Array): string {
  return isUtf8(bytes) ? fromUtf8(bytes) : machine.host.abort("a text is not UTF-8");
}

/** Reason of an AssemblyScript abort: its text, UTF-16 with its length in bytes before it, and where it happened. */
function abortReason(machine: Machine, message: number, { line, column }: { readonly line: number; readonly column: number }): string {
  const location = `at ${line}:${column}`;
  const pointer = message >>> 0;
  if (pointer < 4) return location;
  const header = machine.read(pointer - 4, 4);
  const length = new DataView(header.buffer).getUint32(0, true);
  const size = Math.min(length, 2 * MAX_LOG_BYTES) & ~1;
  machine.chargeWords(size);
  const bytes = machine.read(pointer, size);
  return `${Buffer.from(bytes.buffer).toString("utf16le").toWellFormed()} ${location}`;
}

function argumentOf(machine: Machine, index: number): ContractValue {
  return (
    machine.call.args[index >>> 0] ?? (index >>> 0 < machine.call.args.length ? null : trap(noArgument(index, machine.call.args.length)))
  );
}

function argumentType(value: ContractValue): number {
  if (value === null) return ARGUMENT_TYPE.null;
  if (typeof value === "boolean") return ARGUMENT_TYPE.bool;
  if (typeof value === "bigint") return ARGUMENT_TYPE.integer;
  return typeof value === "string" ? ARGUMENT_TYPE.string : ARGUMENT_TYPE.json;
}

/** Amounts are unsigned; one beyond all µT that there can be is more than any balance. */
function amountOf(amount: bigint): number {
  const unsigned = BigInt.asUintN(64, amount);
  return unsigned > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(unsigned);
}

function integer(machine: Machine, value: number): bigint {
  machine.chargeWords(0);
  return BigInt(value);
}

function trap(message: string): never {
  throw new CallEnd("CONTRACT_TRAPPED", message);
}
