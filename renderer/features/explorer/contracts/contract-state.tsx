// Looks up what a contract stores under a key. Native contracts document their keys, so they are offered.
import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import { fromHex, fromUtf8 } from "#shared/util/bytes.ts";
import styles from "../contract.module.css";

const SAMPLES: Readonly<Record<string, (account: string) => readonly string[]>> = {
  username_registry: (account) => [`addr:${account}`],
};

export function ContractStateBrowser(props: { readonly contractId: ContractId; readonly name: string }): ReactElement {
  const { contractId, name } = props;
  const t = useMessages();
  const { masterPub } = useAccount();
  const [text, setText] = useState("");
  const [key, setKey] = useState("");
  const samples = Object.hasOwn(SAMPLES, name) ? (SAMPLES[name]?.(masterPub) ?? []) : [];
  const look = (event: FormEvent): void => {
    event.preventDefault();
    setKey(text.trim());
  };
  return (
    <div className={styles.part}>
      <form className={shared.lookUp} onSubmit={look}>
        <TextField
          label={t("explorer.stateKey")}
          hint={t("explorer.stateKeyHint")}
          mono
          value={text}
          onChange={setText}
          spellCheck={false}
        />
        <Button type="submit" icon={Search} disabled={text.trim() === ""}>
          {t("explorer.lookUp")}
        </Button>
      </form>
      {samples.map((sample) => (
        <div key={sample}>
          <Button
            size="small"
            variant="ghost"
            onClick={(): void => {
              setText(sample);
              setKey(sample);
            }}
          >
            {t("explorer.myEntry")}
          </Button>
        </div>
      ))}
      {key !== "" && <Value contractId={contractId} stateKey={key} />}
    </div>
  );
}

function Value(props: { readonly contractId: ContractId; readonly stateKey: string }): ReactElement {
  const { contractId, stateKey } = props;
  const t = useMessages();
  const query = useQuery(useNetworkQueries().contractState(contractId, stateKey));
  const { data } = query;
  if (data === undefined) return <QueryState query={query} rows={1} />;
  if (data.value_hex === null) return <Banner>{t("explorer.noValue")}</Banner>;
  const readable = readableText(data.value_hex);
  return (
    <KeyValueList
      rows={[
        { label: t("explorer.stateKey"), value: data.key, mono: true },
        ...(readable === undefined ? [] : [{ label: t("explorer.asText"), value: <Copyable text={readable} /> }]),
        ...(data.value_u64 === null ? [] : [{ label: t("explorer.asNumber"), value: String(data.value_u64) }]),
        { label: t("explorer.asHex"), value: <Copyable text={data.value_hex} /> },
      ]}
    />
  );
}

function readableText(hex: string): string | undefined {
  try {
    const text = fromUtf8(fromHex(hex));
    return /^[^\p{C}]+$/u.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
