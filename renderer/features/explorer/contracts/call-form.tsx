// Calls a method: what it would do and cost is tried out first; a method that only reads is asked without a transaction.

import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { IntentSheet } from "#renderer/components/transactions/intent-sheet.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { amountProblem, readAmount } from "#renderer/lib/transactions/amount-input.ts";
import { argumentsJson } from "#renderer/lib/transactions/call-arguments.ts";
import { failureInWords } from "#renderer/lib/transactions/failure-in-words.ts";
import type { Output } from "#shared/api/api.ts";
import type { CallContractIntent } from "#shared/keyring/intents/intents.ts";
import { DEFAULT_GAS_LIMIT, MAX_GAS_LIMIT } from "#shared/protocol/primitives/limits.ts";
import { type ContractId, gasPriceUt, type MethodAbi } from "#shared/protocol/transactions/contracts.ts";
import styles from "../contract.module.css";
import { ArgumentField } from "./argument-field.tsx";
import { FaultLine } from "./fault-line.tsx";

type Outcome = Output<"callView"> | Output<"estimateCall">;

export function CallForm({ contractId, method }: { readonly contractId: ContractId; readonly method: MethodAbi }): ReactElement {
  const { t, locale } = useLanguage();
  const [texts, setTexts] = useState<readonly string[]>(() => method.args.map(({ type }) => (type === "bool" ? "false" : "")));
  const [attached, setAttached] = useState("");
  const [gas, setGas] = useState(String(DEFAULT_GAS_LIMIT));
  const [isTried, setTried] = useState(false);
  const [intent, setIntent] = useState<CallContractIntent>();
  const trial = useTrial((gasLimit) => setGas(String(gasLimit)));
  const amount = readAmount(attached, t.locale);
  const gasLimit = /^\d{1,9}$/.test(gas) ? Number(gas) : 0;
  const isGasWrong = gasLimit < 1 || gasLimit > MAX_GAS_LIMIT;
  const argsJson = argumentsJson(method.args, texts);
  const isReady = argsJson !== undefined && !isGasWrong && (amount.kind === "ok" || amount.kind === "empty");
  const call = (): CallContractIntent => {
    const amountUt = amount.kind === "ok" ? amount.amountUt : 0;
    return { kind: "callContract", contractId, method: method.name, argsJson: argsJson ?? "", amountUt, gasLimit };
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (isReady && method.view === true) trial.mutate({ call: call(), isView: true });
    if (isReady && method.view !== true) setIntent(call());
  };
  const estimate = (): void => {
    setTried(true);
    if (isReady) trial.mutate({ call: call(), isView: false });
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {method.args.map((argument, index) => (
        <ArgumentField
          key={argument.name}
          argument={argument}
          value={texts[index] ?? ""}
          isTried={isTried}
          onChange={(text): void => setTexts(texts.with(index, text))}
        />
      ))}
      {method.payable === true && (
        <TextField
          label={t("explorer.attach")}
          optional
          mono
          inputMode="decimal"
          value={attached}
          onChange={setAttached}
          affix="T"
          error={amountProblem(t, amount)}
        />
      )}
      {method.view !== true && (
        <TextField
          label={t("explorer.gasLimit")}
          mono
          inputMode="numeric"
          value={gas}
          onChange={setGas}
          hint={t("explorer.gasLimitHint", { cost: amountText(t, gasPriceUt(gasLimit)) })}
          error={isGasWrong ? t("explorer.gasLimitWrong", { max: new Intl.NumberFormat(locale).format(MAX_GAS_LIMIT) }) : undefined}
        />
      )}
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" busy={method.view === true && trial.isPending}>
          {t(method.view === true ? "explorer.ask" : "explorer.call")}
        </Button>
        {method.view !== true && (
          <Button busy={trial.isPending} onClick={estimate}>
            {t("explorer.estimate")}
          </Button>
        )}
      </div>
      {trial.error !== null && (
        <Banner tone="danger" title={errorInWords(t, trial.error).title}>
          {errorInWords(t, trial.error).text}
        </Banner>
      )}
      {trial.data !== undefined && <OutcomeDetails outcome={trial.data} />}
      {intent !== undefined && <CallReview intent={intent} onClose={(): void => setIntent(undefined)} />}
    </form>
  );
}

interface Trial {
  readonly call: CallContractIntent;
  readonly isView: boolean;
}

/** Tries a call without a transaction. `onLimit` gets the gas limit that an estimate advises. */
function useTrial(onLimit: (gasLimit: number) => void): UseMutationResult<Outcome, Error, Trial> {
  const { client } = useNode();
  const { masterPub } = useAccount();
  return useMutation({
    mutationFn: async ({ call, isView }: Trial): Promise<Outcome> => {
      const { contractId: contractID, method, argsJson, amountUt } = call;
      const asked = { method, args_json: argsJson, from: masterPub };
      if (isView) return await client.callView({ contractID, body: asked });
      return await client.estimateCall({ contractID, body: { ...asked, amount_ut: amountUt } });
    },
    onSuccess: (outcome) => {
      if (outcome.status === "ok" && "gas_limit" in outcome) onLimit(outcome.gas_limit);
    },
  });
}

/** What the trial did: nothing of it has happened. */
function OutcomeDetails({ outcome }: { readonly outcome: Outcome }): ReactElement {
  const { t, locale } = useLanguage();
  const number = new Intl.NumberFormat(locale);
  if (outcome.status === "failed") {
    return (
      <>
        <Banner tone="warning" title={t("explorer.wouldFail")}>
          {failureInWords(t, outcome.reason === "" ? outcome.code : outcome.reason)}
        </Banner>
        <FaultLine contractId={outcome.contract_id} places={outcome.places ?? []} />
      </>
    );
  }
  return (
    <KeyValueList
      rows={[
        ...(outcome.result_b64 === ""
          ? []
          : [{ label: t("explorer.result"), value: outcome.result_text ?? outcome.result_b64, mono: true }]),
        { label: t("explorer.gasUsed"), value: number.format(outcome.gas_used) },
        ...("gas_limit" in outcome
          ? [{ label: t("explorer.gasAdvised"), value: `${number.format(outcome.gas_limit)} · ${amountText(t, outcome.gas_price_ut)}` }]
          : []),
        ...(outcome.logs.length === 0 ? [] : [{ label: t("explorer.logs"), value: outcome.logs.join("\n"), mono: true }]),
      ]}
    />
  );
}

function CallReview({ intent, onClose }: { readonly intent: CallContractIntent; readonly onClose: () => void }): ReactElement {
  const t = useMessages();
  const { method, contractId, argsJson } = intent;
  return (
    <IntentSheet
      intent={intent}
      title={t("explorer.callTitle", { method })}
      sentence={t("explorer.callSentence", { method })}
      rows={[
        { label: t("explorer.contractId"), value: contractId, mono: true },
        { label: t("explorer.arguments"), value: argsJson, mono: true },
      ]}
      confirmLabel={t("explorer.signAndCall")}
      onClose={onClose}
    />
  );
}
