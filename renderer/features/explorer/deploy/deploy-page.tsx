// Deploying a contract: its module, its interface, the arguments of its init; tried by the node before anything is signed.
import { type FormEvent, type ReactElement, useRef, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { FileField } from "#renderer/components/controls/file-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { IntentSheet } from "#renderer/components/transactions/intent-sheet.tsx";
import { useKeptFocus } from "#renderer/lib/browser/window/use-kept-focus.ts";
import { formatBytes } from "#renderer/lib/format/bytes.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { DeploymentTrial } from "#renderer/lib/transactions/trials/use-deployment-trial.ts";
import type { DeployContractIntent } from "#shared/keyring/intents/intents.ts";
import { INIT_METHOD, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { ArgumentField } from "../contracts/argument-field.tsx";
import { ExplorerFrame } from "../frame/explorer-frame.tsx";
import { type ChosenModule, readAbi, readModule } from "./contract-files.ts";
import { DeployOutcome } from "./deploy-outcome.tsx";
import { DeployPrice } from "./deploy-price.tsx";
import { type Deployment, type Refusal, useDeployment } from "./use-deployment.ts";

export function DeployPage(): ReactElement {
  const t = useMessages();
  // Held here: what was chosen is still there after a deployment that failed.
  const deployment = useDeployment();
  const [sent, setSent] = useState<string>();
  const kept = useKeptFocus(sent);
  const again = (): void => {
    // What it would cost now: the trial before did not see why it fails.
    for (const trial of deployment.trials) void trial.refetch();
    setSent(undefined);
  };
  return (
    <ExplorerFrame title={t("explorer.deployTitle")}>
      <div {...kept}>
        {sent === undefined ? <DeployForm deployment={deployment} onSent={setSent} /> : <DeployOutcome txId={sent} onAgain={again} />}
      </div>
    </ExplorerFrame>
  );
}

interface DeployFormProps {
  readonly deployment: Deployment;
  readonly onSent: (txId: string) => void;
}

function DeployForm({ deployment, onSent }: DeployFormProps): ReactElement {
  const t = useMessages();
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
  const readNewestModule = useNewest(setModule);
  const readNewestAbi = useNewest(setAbi);
  return (
    <>
      <FileField
        label={t("explorer.moduleFile")}
        hint={t("explorer.moduleFileHint")}
        accept=".wasm,application/wasm"
        fileName={module?.fileName}
        error={module?.problem}
        onChoose={(file): void => readNewestModule(readModule(t, file))}
      />
      <FileField
        label={t("explorer.abiFile")}
        optional
        hint={t("explorer.abiFileHint")}
        accept=".json,application/json"
        fileName={chosenAbi?.fileName}
        error={chosenAbi?.problem}
        onChoose={(file): void => readNewestAbi(readAbi(t, file))}
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

/** Takes what was read last: a long file that was chosen first may come after the short one that replaced it. */
function useNewest<T>(take: (chosen: T) => void): (reading: Promise<T>) => void {
  const newest = useRef<Promise<T>>(undefined);
  return (reading) => {
    newest.current = reading;
    void reading.then((chosen) => {
      if (newest.current === reading) take(chosen);
    });
  };
}

interface FindingsProps {
  readonly trials: readonly DeploymentTrial[];
  readonly problem: Refusal | undefined;
}

/** What speaks against a deployment. */
function Findings({ trials, problem }: FindingsProps): ReactElement | null {
  const t = useMessages();
  const broken = trials.find(({ error }) => error !== null);
  if (broken !== undefined) return <ErrorState error={broken.error} onRetry={(): void => void broken.refetch()} />;
  if (problem === undefined) return null;
  return (
    <Banner tone="danger" title={t("explorer.deployRefused")}>
      {problem.words}
      {problem.detail !== undefined && (
        <>
          <br />
          {problem.detail}
        </>
      )}
    </Banner>
  );
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
