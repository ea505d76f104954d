// How native contracts are written: one table of methods, from which their ABI follows.
import type { ArgumentAbi, ContractAbi, NativeContractName } from "#shared/protocol/transactions/contracts.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { fromUtf8, isHex, utf8 } from "#shared/util/bytes.ts";
import type { Contract, ContractHost } from "../contract.ts";
import type { ContractValue } from "../contract-value.ts";

/** Types of arguments by the name that the ABI gives them. */
interface ArgumentValues {
  readonly string: string;
  readonly u64: bigint;
  readonly bool: boolean;
  readonly json: ContractValue;
}

/** Names of a method's arguments with their types, in order. */
type ArgumentTypes = Readonly<Record<string, ArgumentAbi["type"]>>;

/** A method: its arguments, what it may be paid, what it does. */
export interface NativeMethod<A extends ArgumentTypes = ArgumentTypes> {
  readonly args: A;
  readonly payable: boolean;
  run(host: ContractHost, args: { readonly [N in keyof A]: ArgumentValues[A[N]] }): void;
}

/** A method, with the types of its arguments inferred. */
export function method<A extends ArgumentTypes>(args: A, run: NativeMethod<A>["run"], payable = false): NativeMethod {
  return { args, payable, run: run as NativeMethod["run"] };
}

/** A contract of a table of methods. */
export function createNativeContract(name: NativeContractName, methods: Readonly<Record<string, NativeMethod>>): Contract {
  const table = new Map(Object.entries(methods));
  const abi: ContractAbi = {
    contract: name,
    version: "1.0.0",
    methods: [...table].map(([methodName, { args, payable }]) => ({
      name: methodName,
      args: Object.entries(args).map(([argument, type]) => ({ name: argument, type })),
      payable,
    })),
  };
  return {
    abi,
    call: (methodName, args, host): void => {
      const entry = table.get(methodName);
      assertInvariant(entry !== undefined, "A call was checked against the ABI");
      const named = Object.fromEntries(Object.keys(entry.args).map((argument, index) => [argument, args[index] ?? null]));
      entry.run(host, named as Parameters<NativeMethod["run"]>[1]);
    },
  };
}

/** Text under a key of the state, or undefined. */
export function readText(host: ContractHost, key: string): string | undefined {
  const value = host.get(utf8(key));
  return value === undefined ? undefined : fromUtf8(value);
}

/** Puts a text under a key. */
export function writeText(host: ContractHost, key: string, text: string): void {
  host.set(utf8(key), utf8(text));
}

/** Unsigned 64-bit integer under a key (8 bytes, big-endian); 0 when there is none. */
export function readU64(host: ContractHost, key: string): bigint {
  const value = host.get(utf8(key));
  return value === undefined ? 0n : new DataView(value.buffer, value.byteOffset, value.byteLength).getBigUint64(0);
}

/** Puts an unsigned 64-bit integer under a key; 0 is kept as no entry. */
export function writeU64(host: ContractHost, key: string, value: bigint): void {
  if (value === 0n) {
    host.delete(utf8(key));
    return;
  }
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  host.set(utf8(key), bytes);
}

/** Removes a key. */
export function remove(host: ContractHost, key: string): void {
  host.delete(utf8(key));
}

/** The key in lower case; aborts unless it is an Ed25519 key in hex. */
export function publicKeyOf(host: ContractHost, text: string, name: string): string {
  return isHex(text, 32) ? text.toLowerCase() : host.abort(`${name} is no public key of 64 hex characters`);
}

/** Aborts unless the condition holds. */
export function demand(host: ContractHost, condition: boolean, message: string): asserts condition {
  if (!condition) host.abort(message);
}
