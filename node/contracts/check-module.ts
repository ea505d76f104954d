// What the network says to a module before anything is paid, and what it will cost.
import { deploymentGas } from "#node/ledger/contracts/call-contract.ts";
import { GAS } from "#node/ledger/contracts/gas-schedule.ts";
import { readContractBytes, writeContract } from "#node/ledger/records/contract-records.ts";
import { MemoryStateStore } from "#node/state/memory-state-store.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { inspectModule } from "#node/vm/contract-vm.ts";
import type { FaultSource } from "#node/vm/faults/code-place.ts";
import { locateInvalid } from "#node/vm/faults/explain-invalid.ts";
import { withoutCustomSections } from "#node/vm/module/custom-sections.ts";
import { instrumentModule } from "#node/vm/module/instrument-module.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { DEFAULT_GAS_LIMIT, MAX_GAS_LIMIT, MAX_WASM_BYTES } from "#shared/protocol/primitives/limits.ts";
import { type ContractAbi, gasPriceUt } from "#shared/protocol/transactions/contracts.ts";
import { utf8 } from "#shared/util/bytes.ts";

/** A contract that the network takes. */
export interface BuiltContract {
  readonly code: Uint8Array;
  readonly abi: ContractAbi;
  readonly abiJson: string;
}

/** What a contract offers, uses and costs. */
export interface ContractFigures {
  readonly wasmBytes: number;
  /** Bytes of it that are names and the like, and that the network charges for and drops. */
  readonly customBytes: number;
  /** Exported functions that methods can be. */
  readonly exports: readonly string[];
  /** Functions of the host that it imports. */
  readonly imports: readonly string[];
  readonly deploymentGas: number;
  readonly deploymentUt: number;
  /** What a call costs before its first instruction, beside the bytes of its arguments, when it is deployed at a height of four digits. */
  readonly loadingGas: number;
  /** The least and the most of it over all heights at which it can be deployed, which its record holds. */
  readonly loadingRange: { readonly least: number; readonly most: number };
}

const MODULE_START = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
/** Run before every method, and are none. */
const START_ENTRIES: readonly string[] = ["_initialize", "_start"];
const SAMPLE_HEIGHT = 1_000;
/** Blocks of more than fifty years. */
const MOST_HEIGHT = 2 ** 32 - 1;
const SAMPLE_ID = "00".repeat(8);
const SAMPLE_HASH = "00".repeat(32);

/** Checks that a file is a module at all, and not too long for one. @throws CodedError CONFIG_INVALID */
export function checkIsModule(path: string, code: Uint8Array): void {
  if (!MODULE_START.every((byte, index) => code[index] === byte))
    throw new CodedError("CONFIG_INVALID", `${path} is not a WebAssembly module: it is the compiled .wasm file that is deployed`);
  if (code.length > MAX_WASM_BYTES)
    throw new CodedError("CONFIG_INVALID", `${path} has ${code.length} bytes, and a module has at most ${MAX_WASM_BYTES}`);
}

/** Checks a module and its ABI by the rules of the network. @throws CodedError CONFIG_INVALID that names the module by `path`. */
export function checkBuilt(path: string, { code, abi }: Pick<BuiltContract, "code" | "abi">, source: FaultSource = { code }): void {
  checkIsModule(path, code);
  const inspection = inspectModule(code);
  if (!inspection.isValid) {
    const reason = [inspection.message, locateInvalid(source)].filter((part) => part !== "").join(", ");
    throw new CodedError("CONFIG_INVALID", `The network would refuse ${path}: ${reason}`);
  }
  const missing = abi.methods.find(({ name }) => !inspection.entries.has(name));
  if (missing !== undefined)
    throw new CodedError(
      "CONFIG_INVALID",
      `The ABI lists the method ${missing.name}, and ${path} exports no function ${missing.name} without parameters and result`,
    );
}

/** Figures of a contract that passed {@link checkBuilt}. */
export function figuresOf({ code, abiJson }: Pick<BuiltContract, "code" | "abiJson">): ContractFigures {
  const metered = instrumentModule(code);
  const { entries, imports } = metered;
  const gas = deploymentGas(code.length, utf8(abiJson).length);
  return {
    wasmBytes: code.length,
    customBytes: code.length - withoutCustomSections(code).length,
    exports: [...entries].filter((name) => !START_ENTRIES.includes(name)),
    imports: [...new Set(imports)],
    deploymentGas: gas,
    deploymentUt: gasPriceUt(gas),
    loadingGas: loadingGas({ code, abiJson }, metered),
    loadingRange: {
      least: loadingGas({ code, abiJson }, metered, 1),
      most: loadingGas({ code, abiJson }, metered, MOST_HEIGHT),
    },
  };
}

/** Gas for storing a contract and calling its `init`, which loads the module like any other call. */
export function deploymentLimit(built: Pick<BuiltContract, "code" | "abiJson">, hasInit: boolean): number {
  const gas = deploymentGas(built.code.length, utf8(built.abiJson).length);
  return Math.min(hasInit ? gas + loadingGas(built, instrumentModule(built.code)) + DEFAULT_GAS_LIMIT : gas, MAX_GAS_LIMIT);
}

function loadingGas(
  built: Pick<BuiltContract, "code" | "abiJson">,
  { weight, initialPages }: ReturnType<typeof instrumentModule>,
  deployedAt = SAMPLE_HEIGHT,
): number {
  const record = recordBytes(built, { wasmWeight: weight, deployedAt });
  return GAS.call + GAS.contractByte * record + GAS.wasmCall + GAS.wasmWeight * weight + GAS.wasmPage * initialPages;
}

/** Bytes of the record that the network keeps of it. */
function recordBytes(
  { code, abiJson }: Pick<BuiltContract, "code" | "abiJson">,
  { wasmWeight, deployedAt }: { readonly wasmWeight: number; readonly deployedAt: number },
): number {
  const view = new OverlayStateView(new MemoryStateStore());
  const names = { id: SAMPLE_ID, deployerPub: SAMPLE_HASH, native: "", codeHash: SAMPLE_HASH };
  writeContract(view, { ...names, deployedAt, wasmSize: code.length, abiJson, vmVersion: 1, wasmWeight });
  return readContractBytes(view, SAMPLE_ID)?.length ?? 0;
}
