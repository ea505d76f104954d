// What is to be deployed: the chosen files and arguments, and what the node says about them.
import { useState } from "react";
import { useDebounced } from "#renderer/lib/browser/use-debounced.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { argumentsJson } from "#renderer/lib/transactions/call-arguments.ts";
import { failureInWords } from "#renderer/lib/transactions/failure-in-words.ts";
import { type DeploymentTrial, useDeploymentTrial } from "#renderer/lib/transactions/trials/use-deployment-trial.ts";
import type { DeployContractIntent } from "#shared/keyring/intents/intents.ts";
import { INIT_METHOD, type MethodAbi, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { abiOfFunctions, type ChosenAbi, type ChosenModule } from "./contract-files.ts";

const DEBOUNCE_MS = 250;

/** Why the network would not take it. */
export interface Refusal {
  readonly words: string;
  /** In the node's own words. */
  readonly detail: string | undefined;
}

/** The form's state: what was chosen, and what the node says about it. */
export interface Deployment {
  readonly module: ChosenModule | undefined;
  readonly chosenAbi: ChosenAbi | undefined;
  readonly init: MethodAbi | undefined;
  /** Typed arguments of init. */
  readonly typed: readonly string[];
  readonly abiJson: string | undefined;
  readonly initArgsJson: string | undefined;
  readonly trials: readonly DeploymentTrial[];
  readonly problem: Refusal | undefined;
  /** What can be signed. */
  readonly intent: DeployContractIntent | undefined;
  setModule(module: ChosenModule): void;
  setAbi(abi: ChosenAbi | undefined): void;
  setText(name: string, text: string): void;
}

export function useDeployment(): Deployment {
  const t = useMessages();
  const [module, setModule] = useState<ChosenModule>();
  const [chosenAbi, setAbi] = useState<ChosenAbi>();
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const inspection = useDeploymentTrial({ module });
  const { data: looked } = inspection;
  const isTaken = looked?.status === "ok";
  const ownAbi = module !== undefined && isTaken ? abiOfFunctions(module.fileName, looked.functions) : undefined;
  const abiJson = chosenAbi === undefined ? ownAbi : chosenAbi.abi && chosenAbi.text;
  const init = abiJson === undefined ? undefined : initOf(abiJson);
  const typed = (init?.args ?? []).map(({ name, type }) => texts[name] ?? (type === "bool" ? "false" : ""));
  const initArgsJson = init === undefined ? undefined : argumentsJson(init.args, typed);
  const isTyped = init === undefined || initArgsJson !== undefined;
  const asked = useDebounced(initArgsJson, DEBOUNCE_MS);
  const trial = useDeploymentTrial({
    module,
    ...(abiJson !== undefined && { abiJson }),
    initArgsJson: asked,
    isReady: abiJson !== undefined && isTyped && isTaken,
  });
  const outcome = looked?.status === "failed" ? looked : trial.data;
  const isCurrent = module !== undefined && abiJson !== undefined && isTyped && asked === initArgsJson && isTaken;
  return {
    module,
    chosenAbi,
    init,
    typed,
    abiJson,
    initArgsJson,
    trials: [inspection, trial],
    problem: outcome?.status === "failed" ? refusalInWords(t, outcome) : undefined,
    intent: isCurrent ? intentOf({ module, abiJson, initArgsJson, trial }) : undefined,
    setModule,
    setAbi,
    setText: (name, text) => setTexts({ ...texts, [name]: text }),
  };
}

interface Triable {
  readonly module: ChosenModule;
  readonly abiJson: string;
  readonly initArgsJson: string | undefined;
  readonly trial: DeploymentTrial;
}

function intentOf({ module, abiJson, initArgsJson, trial }: Triable): DeployContractIntent | undefined {
  if (trial.data?.status !== "ok") return undefined;
  const init = initArgsJson === undefined ? {} : { initArgsJson };
  return { kind: "deployContract", wasmB64: module.wasmB64, abiJson, gasLimit: trial.data.gas_limit, ...init };
}

/** Words of a refusal; those of the node name the function. */
function refusalInWords(t: Translate, { code, reason }: { readonly code: string; readonly reason: string }): Refusal {
  const words = failureInWords(t, code) ?? code;
  const detail = failureInWords(t, reason);
  // It was tried with as much as there is: a trial of one's own, which the words advise, finds no more.
  if (code === "CONTRACT_OUT_OF_GAS" && detail !== undefined) return { words: detail, detail: undefined };
  return { words, detail: detail === words ? undefined : detail };
}

function initOf(abiJson: string): MethodAbi | undefined {
  return parseContractAbi(abiJson)?.methods.find(({ name }) => name === INIT_METHOD);
}
