// One instance of a metered module: its memory, its meters, and the call that it is running. Host functions reach the call through it.
import { CallEnd } from "#node/ledger/contracts/call-end.ts";
import type { ContractHost } from "#node/ledger/contracts/contract.ts";
import { contractValueJson } from "#node/ledger/contracts/contract-value-json.ts";
import type { ModuleCall } from "#node/ledger/contracts/contract-vm.ts";
import { GAS } from "#node/ledger/contracts/gas-schedule.ts";
import { utf8 } from "#shared/util/bytes.ts";
import type { EngineGlobal, EngineMemory } from "./engine.ts";

const NOTHING = new Uint8Array(0);

/** What every contract may use beside its host. */
export interface VmPrimitives {
  readonly sha256: (bytes: Uint8Array) => Uint8Array;
  /** The consensus rule for signatures. */
  readonly verify: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;
}

/** Types of arguments as contracts see them. */
export const ARGUMENT_TYPE = { null: 0, bool: 1, integer: 2, string: 3, json: 4 } as const;

/** Fields of the context that are texts. */
export type ContextField = "caller" | "contractId" | "origin" | "txId" | "owner" | "chainId";

/** What a metered module exports to the host. */
export interface MeteredExports {
  readonly memory: EngineMemory;
  readonly gas: EngineGlobal;
  readonly stack: EngineGlobal;
}

interface Running {
  readonly host: ContractHost;
  readonly call: ModuleCall;
}

/** The machine's side of an instance. */
export class Machine {
  readonly primitives: VmPrimitives;
  /** What the last nested call returned. */
  nestedResult: Uint8Array = NOTHING;
  #exports: MeteredExports | undefined;
  #running: Running | undefined;
  #view: Uint8Array = NOTHING;
  #gasSeen = 0;
  #argumentTexts: (Uint8Array | undefined)[] = [];
  #input: Uint8Array | undefined;
  readonly #contextTexts = new Map<ContextField, Uint8Array>();

  constructor(primitives: VmPrimitives) {
    this.primitives = primitives;
  }

  /** Gives it the exports, once the instance is there. */
  attach(exports: MeteredExports): void {
    this.#exports = exports;
  }

  /** Begins a call; the meters are set. */
  begin(running: Running, stackWords: number): void {
    this.#running = running;
    this.#argumentTexts = [];
    this.#input = undefined;
    this.nestedResult = NOTHING;
    this.#meters().stack.value = stackWords;
    this.toModule();
  }

  /** Ends a call, however it ended. */
  finish(): void {
    this.#running = undefined;
    this.#argumentTexts = [];
    this.#input = undefined;
    this.#contextTexts.clear();
    this.#view = NOTHING;
  }

  get host(): ContractHost {
    return this.#call().host;
  }

  get call(): ModuleCall {
    return this.#call().call;
  }

  /** Words of the logical stack that are left. */
  get stackLeft(): number {
    return this.#meters().stack.value;
  }

  /** Takes over the gas that the module used since the last time. */
  toHost(): void {
    const left = this.#meters().gas.value;
    const used = this.#gasSeen - left;
    this.#gasSeen = left;
    this.host.charge(used);
  }

  /** Lets the module see what the host charged. */
  toModule(): void {
    this.#gasSeen = this.host.gasLeft;
    this.#meters().gas.value = this.#gasSeen;
  }

  /** Copy of a part of the memory. @throws CallEnd when it is not inside. */
  read(pointer: number, length: number): Uint8Array {
    const start = this.#startOf(pointer, length);
    return this.#bytes().slice(start, start + (length >>> 0));
  }

  /** A part of the memory itself, until the module goes on. @throws CallEnd when it is not inside. */
  view(pointer: number, length: number): Uint8Array {
    const start = this.#startOf(pointer, length);
    return this.#bytes().subarray(start, start + (length >>> 0));
  }

  /** Puts bytes into the memory. @throws CallEnd when they do not fit inside. */
  write(pointer: number, bytes: Uint8Array): void {
    this.#bytes().set(bytes, this.#startOf(pointer, bytes.length));
  }

  /** Charges for passing bytes. */
  chargeWords(length: number): void {
    this.host.charge(GAS.host + GAS.hostWord * Math.ceil(length / 8));
  }

  /** Puts as many bytes as there is room for, and returns how many there are. */
  deliver(bytes: Uint8Array, pointer: number, capacity: number): number {
    const part = bytes.length <= capacity >>> 0 ? bytes : bytes.subarray(0, capacity >>> 0);
    this.chargeWords(part.length);
    this.write(pointer, part);
    return bytes.length;
  }

  /** Bytes of a field of the context. */
  context(field: ContextField): Uint8Array {
    const known = this.#contextTexts.get(field);
    if (known !== undefined) return known;
    const text = utf8(this.host[field]);
    this.#contextTexts.set(field, text);
    return text;
  }

  /** The text of all arguments, as it was sent. */
  input(): Uint8Array {
    this.#input ??= utf8(this.call.argsJson);
    return this.#input;
  }

  /** Bytes of an argument: of a string its UTF-8, of anything else its JSON. */
  argument(index: number): Uint8Array {
    const known = this.#argumentTexts[index];
    if (known !== undefined) return known;
    const { args } = this.call;
    const value = args[index >>> 0];
    if (value === undefined) throw new CallEnd("CONTRACT_TRAPPED", noArgument(index, args.length));
    const text = utf8(typeof value === "string" ? value : contractValueJson(value));
    this.#argumentTexts[index] = text;
    return text;
  }

  #startOf(pointer: number, length: number): number {
    const start = pointer >>> 0;
    const end = start + (length >>> 0);
    const { length: size } = this.#bytes();
    if (end > size) throw new CallEnd("CONTRACT_TRAPPED", `${length >>> 0} bytes from ${start} on leave the memory, which has ${size}`);
    return start;
  }

  /** A view of the memory is lost when the memory grows. */
  #bytes(): Uint8Array {
    if (this.#view.length === 0) this.#view = new Uint8Array(this.#meters().memory.buffer);
    return this.#view;
  }

  #meters(): MeteredExports {
    if (this.#exports === undefined) throw new Error("The machine has no instance");
    return this.#exports;
  }

  #call(): Running {
    if (this.#running === undefined) throw new Error("The machine is running nothing");
    return this.#running;
  }
}

/** Words for an argument that is asked for and not there. */
export function noArgument(index: number, count: number): string {
  return `there is no argument ${index >>> 0}: the call has ${count}, the first is 0`;
}
