// The button that opens the filters of a search, and the ones that are chosen.
import { SlidersHorizontal } from "lucide-react";
import { type ReactElement, Suspense } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { Popover } from "#renderer/components/overlays/popover.tsx";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { hasFilters } from "./filter-choice.ts";
import type { FilterFormProps } from "./filter-form.tsx";

const FilterForm = lazyPart(async () => (await import("./filter-form.tsx")).FilterForm);
const FilterChips = lazyPart(async () => (await import("./filter-chips.tsx")).FilterChips);

/** The button; pressed while something is chosen. */
export function FilterButton(props: FilterFormProps): ReactElement {
  const t = useMessages();
  return (
    <Popover
      title={t("inbox.filters")}
      align="end"
      trigger={<IconButton icon={SlidersHorizontal} size="small" label={t("inbox.filters")} pressed={hasFilters(props.filters)} />}
    >
      <Suspense fallback={<SkeletonRows count={3} />}>
        <FilterForm {...props} />
      </Suspense>
    </Popover>
  );
}

/** What is chosen; each can be taken away. */
export function ChosenFilters(props: FilterFormProps): ReactElement | null {
  if (!hasFilters(props.filters)) return null;
  return (
    <Suspense fallback={null}>
      <FilterChips {...props} />
    </Suspense>
  );
}
