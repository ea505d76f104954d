// What the deployer of a contract published: how it was built, and its source. Published is not verified: the page says what it checked.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileQuestion } from "lucide-react";
import type { ReactElement } from "react";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { KeyValueList, type KeyValueRow } from "#renderer/components/layout/key-value-list.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { shorten } from "#renderer/lib/format/key.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { PublishedContract } from "#renderer/lib/node/access/published-contract.ts";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import styles from "../contract.module.css";
import { SourceFile } from "./source-file.tsx";

export function ContractSource({ contractId }: { readonly contractId: ContractId }): ReactElement {
  const t = useMessages();
  const query = useQuery(useNetworkQueries().contractPublished(contractId));
  const { data } = query;
  const missing = <EmptyState icon={FileQuestion} title={t("explorer.sourceMissing")} text={t("explorer.sourceMissingText")} />;
  return (
    <div className={styles.part}>
      <QueryState query={query} rows={3} missing={missing} />
      {data !== undefined && <Published contractId={contractId} published={data} />}
    </div>
  );
}

interface PublishedProps {
  readonly contractId: ContractId;
  readonly published: PublishedContract;
}

function Published({ contractId, published }: PublishedProps): ReactElement {
  const t = useMessages();
  const rows = useBuildRows({ contractId, published });
  const { manifest, files, isMismatch } = published;
  if (manifest === undefined && !isMismatch)
    return <EmptyState icon={FileQuestion} title={t("explorer.sourceNone")} text={t("explorer.sourceNoneText")} />;
  return (
    <>
      <Checked contractId={contractId} published={published} />
      <KeyValueList rows={rows} />
      {files !== undefined && (
        <ul className={shared.stack3} aria-label={t("explorer.sourceFiles")}>
          {[...files].map(([path, text]) => (
            <li key={path}>
              <SourceFile path={path} text={text} hash={manifest?.sources[path] ?? ""} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** What was checked here, and what was not. */
function Checked({ published }: PublishedProps): ReactElement {
  const t = useMessages();
  const { files, isMismatch, isProven } = published;
  if (isMismatch)
    return (
      <Banner tone="danger" title={t("explorer.sourceMismatch")}>
        {t("explorer.sourceMismatchText")}
      </Banner>
    );
  return (
    <>
      <Banner tone="warning" title={t(files === undefined ? "explorer.sourceNotPublished" : "explorer.sourcePublished")}>
        {t(files === undefined ? "explorer.sourceNotPublishedText" : "explorer.sourcePublishedText")}
      </Banner>
      {!isProven && <Banner tone="warning" title={t("explorer.sourceBelieved")} />}
    </>
  );
}

/** Only AssemblyScript is built from what a stranger published. */
function verifyCommand(contractId: ContractId, { manifest, files }: PublishedContract): string {
  return `parley contract verify ${contractId} ${files !== undefined && manifest?.language === "as" ? "--published" : "--source FOLDER"}`;
}

function useBuildRows({ contractId, published }: PublishedProps): readonly KeyValueRow[] {
  const t = useMessages();
  const { manifest, moduleHash, txId } = published;
  const claims =
    manifest === undefined
      ? []
      : [
          { label: t("explorer.language"), value: manifest.language === "as" ? t("explorer.languageAs") : visibleText(manifest.language) },
          { label: t("explorer.compiler"), value: visibleText(manifest.compiler) },
          ...(manifest.options.length === 0
            ? []
            : [{ label: t("explorer.compilerOptions"), value: visibleText(manifest.options.join(" ")), mono: true }]),
          { label: t("explorer.memoryPages"), value: String(manifest.memory_pages) },
          { label: t("explorer.sdkHash"), value: manifest.sdk, mono: true },
        ];
  return [
    {
      label: t("explorer.sourceVerify"),
      value: <Copyable text={verifyCommand(contractId, published)} label={t("explorer.copyCommand")} />,
    },
    ...claims,
    { label: t("explorer.moduleHash"), value: <Copyable text={moduleHash} label={t("explorer.copyHash")} /> },
    {
      label: t("explorer.deploymentTransaction"),
      value: (
        <Link to="/explorer/tx/$id" params={{ id: txId }}>
          {shorten(txId)}
        </Link>
      ),
    },
  ];
}
