// What replaces a view that fails, does not exist or is loading.
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import type { ReactElement } from "react";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";

/** A view that threw: the rest of the app keeps working. */
export function RouteError(props: ErrorComponentProps): ReactElement {
  const { error, reset } = props;
  const router = useRouter();
  const t = useMessages();
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return <ErrorState isPage error={error} onRetry={retry} actions={<ButtonLink to="/inbox">{t("shell.goHome")}</ButtonLink>} />;
}

/** An address without a view. */
export function RouteNotFound(): ReactElement {
  const t = useMessages();
  return (
    <EmptyState
      isPage
      icon={SearchX}
      title={t("shell.notFoundTitle")}
      text={t("shell.notFoundText")}
      actions={<ButtonLink to="/inbox">{t("shell.goHome")}</ButtonLink>}
    />
  );
}

/** A view whose code is on its way. */
export function RoutePending(): ReactElement {
  return <SkeletonRows />;
}
