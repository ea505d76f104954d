// Deploying a contract: its module, its interface, the arguments of its init; tried by the node before anything is signed.
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { FileField } from "#renderer/components/controls/file-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { IntentSheet } from "#renderer/components/transactions/intent-sheet.tsx";
import { useDebounced } from "#renderer/lib/browser/use-debounced.ts";
import { formatBytes } from "#renderer/lib/format/bytes.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { argumentsJson } from "#renderer/lib/transactions/call-arguments.ts";
import { failureInWords } from "#renderer/lib/transactions/failure-in-words.ts";
import { type DeploymentTrial, useDeploymentTrial } from "#renderer/lib/transactions/trials/use-deployment-trial.ts";
import type { DeployContractIntent } from "#shared/keyring/intents/intents.ts";
import { INIT_METHOD, type MethodAbi, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { ArgumentField } from "../contracts/argument-field.tsx";
import { ExplorerFrame } from "../frame/explorer-frame.tsx";
import { abiOfFunctions, type ChosenAbi, type ChosenModule, readAbi, readModule } from "./contract-files.ts";
import { DeployOutcome } from "./deploy-outcome.tsx";
import { DeployPrice } from "./deploy-price.tsx";

const DEBOUNCE_MS = 250;

export function DeployPage(): ReactElement {
  const t = useMessages();
  const [sent, setSent] = useState<string>();
  return (
    <ExplorerFrame title={t("explorer.deployTitle")}>
      {sent === undefined ? <DeployForm onSent={setSent} /> : <DeployOutcome txId={sent} onAgain={(): void => setSent(undefined)} />}
    </ExplorerFrame>
  );
}

/** The form's state: what was chosen, and what the node says about it. */
interface Deployment {
  readonly module: ChosenModule | undefined;
  readonly chosenAbi: ChosenAbi | undefined;
  readonly init: MethodAbi | undefined;
  /** Typed arguments of init. */
  readonly typed: readonly string[];
  readonly abiJson: string | undefined;
  readonly initArgsJson: string | undefined;
  readonly trials: readonly DeploymentTrial[];
  readonly problem: string | undefined;
  /** What can be signed. */
  readonly intent: DeployContractIntent | undefined;
  setModule(module: ChosenModule): void;
  setAbi(abi: ChosenAbi | undefined): void;
  setText(name: string, text: string): void;
}

function useDeployment(): Deployment {
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
function refusalInWords(t: Translate, { code, reason }: { readonly code: string; readonly reason: string }): string {
  const words = failureInWords(t, code) ?? code;
  const detail = failureInWords(t, reason);
  return detail === undefined || detail === words ? words : `${words} ${detail}`;
}

function DeployForm({ onSent }: { readonly onSent: (txId: string) => void }): ReactElement {
  const t = useMessages();
  const deployment = useDeployment();
  const { module, intent, trials } = deployment;
  const [reviewed, setReviewed] = useState<DeployContractIntent>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setReviewed(intent);
  };
  return (
    <Section title={t("explorer.deployFiles")} hint={t("explorer.deployHint")}>
      <form className={shared.stack4} onSubmit={submit} noValidate>
        <FileFields deployment={deployment} />
        <Findings trials={trials} problem={deployment.problem} />
        {module !== undefined && intent !== undefined && trials[1]?.data !== undefined && (
          <DeployPrice module={module} abiJson={intent.abiJson} initArgsJson={intent.initArgsJson} trial={trials[1].data} />
        )}
        <div>
          <Button type="submit" variant="primary" disabled={intent === undefined} busy={trials.some(({ isFetching }) => isFetching)}>
            {t("transactions.review")}
          </Button>
        </div>
      </form>
      {reviewed !== undefined && module !== undefined && (
        <DeployReview
          intent={reviewed}
          module={module}
          onClose={(): void => setReviewed(undefined)}
          onSent={({ transaction }): void => onSent(transaction.id)}
        />
      )}
    </Section>
  );
}

/** The files, and the arguments that init takes. */
function FileFields({ deployment }: { readonly deployment: Deployment }): ReactElement {
  const t = useMessages();
  const { module, chosenAbi, init, typed, setModule, setAbi, setText } = deployment;
  return (
    <>
      <FileField
        label={t("explorer.moduleFile")}
        hint={t("explorer.moduleFileHint")}
        accept=".wasm,application/wasm"
        fileName={module?.fileName}
        error={module?.problem}
        onChoose={(file): void => void readModule(t, file).then(setModule)}
      />
      <FileField
        label={t("explorer.abiFile")}
        optional
        hint={t("explorer.abiFileHint")}
        accept=".json,application/json"
        fileName={chosenAbi?.fileName}
        error={chosenAbi?.problem}
        onChoose={(file): void => void readAbi(t, file).then(setAbi)}
      />
      {chosenAbi !== undefined && (
        <div>
          <Button size="small" onClick={(): void => setAbi(undefined)}>
            {t("explorer.withoutAbi")}
          </Button>
        </div>
      )}
      {init?.args.map((argument, index) => (
        <ArgumentField
          key={argument.name}
          argument={argument}
          value={typed[index] ?? ""}
          isTried={false}
          onChange={(text): void => setText(argument.name, text)}
        />
      ))}
    </>
  );
}

interface FindingsProps {
  readonly trials: readonly DeploymentTrial[];
  readonly problem: string | undefined;
}

/** What speaks against a deployment. */
function Findings({ trials, problem }: FindingsProps): ReactElement | null {
  const t = useMessages();
  const broken = trials.find(({ error }) => error !== null);
  if (broken !== undefined) return <ErrorState error={broken.error} onRetry={(): void => void broken.refetch()} />;
  if (problem === undefined) return null;
  return (
    <Banner tone="danger" title={t("explorer.deployRefused")}>
      {problem}
    </Banner>
  );
}

function initOf(abiJson: string): MethodAbi | undefined {
  return parseContractAbi(abiJson)?.methods.find(({ name }) => name === INIT_METHOD);
}

interface DeployReviewProps {
  readonly intent: DeployContractIntent;
  readonly module: ChosenModule;
  readonly onClose: () => void;
  readonly onSent: NonNullable<Parameters<typeof IntentSheet>[0]["onSent"]>;
}

function DeployReview({ intent, module, onClose, onSent }: DeployReviewProps): ReactElement {
  const { t, locale } = useLanguage();
  const abi = parseContractAbi(intent.abiJson);
  const name = abi?.contract ?? "";
  return (
    <IntentSheet
      intent={intent}
      title={t("explorer.deployReview", { name })}
      sentence={t("explorer.deploySentence", { name })}
      rows={[
        { label: t("explorer.moduleFile"), value: `${module.fileName} · ${formatBytes(locale, module.size)}` },
        { label: t("explorer.methods"), value: String(abi?.methods.filter((method) => method.name !== INIT_METHOD).length ?? 0) },
        ...(intent.initArgsJson === undefined ? [] : [{ label: t("explorer.arguments"), value: intent.initArgsJson, mono: true }]),
      ]}
      confirmLabel={t("explorer.signAndDeploy")}
      onClose={onClose}
      onSent={onSent}
    />
  );
}
