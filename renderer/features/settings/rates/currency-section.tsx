// A currency beside amounts: off until the person names the source of its rate. The node of this person asks it, so the form says what the
// source learns.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { KeptFocus } from "#renderer/components/layout/kept-focus.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { FiatValue } from "#renderer/components/rates/fiat-value.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { isCurrencyCode } from "#renderer/lib/format/fiat.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { rateQuery, readRate } from "#renderer/lib/node/access/use-rate.ts";
import { type RateSource, useSettings } from "#renderer/lib/settings/settings-store.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { UT_PER_T } from "#shared/protocol/primitives/limits.ts";

const EXAMPLE = '{"rates": {"EUR": 2.5}}';
const NO_SOURCE: RateSource = { url: "", path: "", currency: "" };

export function CurrencySection(): ReactElement {
  const t = useMessages();
  const { client } = useNode();
  const { rateSource } = useSettings();
  const { data, error } = useQuery(rateQuery(client, rateSource));
  return (
    <Section hideTitle title={t("settings.currency")} hint={t("rates.intro")}>
      <Banner isLasting title={t("rates.learnsTitle")}>
        {t("rates.learns")}
      </Banner>
      <SourceForm saved={rateSource} />
      {rateSource !== null && (
        <p role="status">
          {data !== undefined && (
            <>
              {t("rates.oneT")} <FiatValue amountUt={UT_PER_T} />
            </>
          )}
        </p>
      )}
      {error !== null && <Banner tone="warning" title={rateProblem(t, error)} />}
    </Section>
  );
}

function SourceForm({ saved }: { readonly saved: RateSource | null }): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const { client } = useNode();
  const queries = useQueryClient();
  const change = useSettings((settings) => settings.change);
  const [source, setSource] = useState(saved ?? NO_SOURCE);
  const { url, path, currency } = source;
  const code = currency.trim().toUpperCase();
  const isWhole = url.trim() !== "" && path.trim() !== "" && isCurrencyCode(code);
  const save = useMutation({
    mutationFn: (next: RateSource) => readRate(client, next),
    onSuccess: (found, next) => {
      // Also where it was looked up before, in vain.
      queries.setQueryData(rateQuery(client, next).queryKey, found);
      change({ rateSource: next });
      setSource(next);
      toasts.show({ title: t("rates.saved"), tone: "success" });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isWhole) save.mutate({ url: url.trim(), path: path.trim(), currency: code });
  };
  const edit = (changes: Partial<RateSource>): void => {
    save.reset();
    setSource({ ...source, ...changes });
  };
  const remove = (): void => {
    change({ rateSource: null });
    edit(NO_SOURCE);
  };
  return (
    <form className={shared.stack4} onSubmit={submit}>
      <TextField
        label={t("rates.url")}
        hint={t("rates.urlHint")}
        type="url"
        value={url}
        onChange={(text): void => edit({ url: text })}
        error={save.error === null ? undefined : rateProblem(t, save.error)}
      />
      <TextField
        label={t("rates.path")}
        hint={t("rates.pathHint", { example: EXAMPLE })}
        mono
        spellCheck={false}
        value={path}
        onChange={(text): void => edit({ path: text })}
      />
      <TextField
        label={t("rates.currency")}
        hint={t("rates.currencyHint")}
        value={currency}
        maxLength={3}
        onChange={(text): void => edit({ currency: text })}
        error={currency.trim().length === 3 && !isCurrencyCode(code) ? t("rates.currencyWrong") : undefined}
      />
      <div className={shared.buttons}>
        <KeptFocus>
          <Button type="submit" variant="primary" disabled={!isWhole} busy={save.isPending}>
            {t("rates.save")}
          </Button>
          {saved !== null && (
            <Button disabled={save.isPending} onClick={remove}>
              {t("rates.remove")}
            </Button>
          )}
        </KeptFocus>
      </div>
    </form>
  );
}

function rateProblem(t: Translate, error: Error): string {
  if (isCodedError(error, "FORBIDDEN")) return t("rates.notOwn");
  if (isCodedError(error, "BAD_REQUEST")) return t("rates.badAddress");
  if (isCodedError(error, "RATE_LIMITED")) return t("rates.wait");
  return t(isCodedError(error, "UPSTREAM_FAILED") ? "rates.noNumber" : "rates.failed");
}
