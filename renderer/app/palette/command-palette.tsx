// One field for commands and search. Everything in it comes from the registry in lib/commands.
import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useRouter } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Kbd } from "#renderer/components/basics/kbd.tsx";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import dialog from "#renderer/components/overlays/dialog.module.css";
import { useReturnFocus } from "#renderer/components/overlays/use-return-focus.ts";
import shared from "#renderer/components/styles/shared.module.css";
import { type Command, type CommandGroup, matchCommands, useCommandStore } from "#renderer/lib/commands/command-store.ts";
import type { TypedText } from "#renderer/lib/commands/typed-ahead.ts";
import { useCommandSource } from "#renderer/lib/commands/use-commands.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useInviteSource } from "./invite-source.ts";
import type { OverlayProps } from "./overlay-props.ts";
import styles from "./palette.module.css";
import { useSettingsSource } from "./settings-source.ts";
import { enteredCommand, type PaletteGroup, stableGroups } from "./stable-groups.ts";
import { useChainSearch } from "./use-chain-search.ts";

const GROUP_ORDER: readonly CommandGroup[] = ["jump", "people", "labels", "chain", "actions", "go", "messages"];
const GROUP_LABELS = {
  jump: "shell.paletteJump",
  people: "explorer.people",
  labels: "shell.paletteLabels",
  messages: "shell.paletteMessages",
  chain: "shell.paletteChain",
  go: "shell.paletteGo",
  actions: "shell.paletteActions",
} as const;

/** Commands of the parts of the shell that are loaded beside the palette. */
const EXPECTED = ["lock", "message-new"];

/** What a leading `@` asks for. */
const PEOPLE_GROUPS: ReadonlySet<CommandGroup> = new Set(["people", "jump", "chain"]);

export interface CommandPaletteProps extends OverlayProps {
  /** What was typed before the field was there. */
  readonly takeTyped: () => TypedText;
}

export function CommandPalette(props: CommandPaletteProps): ReactElement {
  const { open, onOpenChange, takeTyped } = props;
  const t = useMessages();
  useCommandSource(useSettingsSource());
  useCommandSource(useInviteSource());
  const session = useSession(open);
  const returnFocus = useReturnFocus(open);
  const hasRun = useRef(false);
  const close = (isAfterCommand: boolean): void => {
    hasRun.current = isAfterCommand;
    onOpenChange(false);
  };
  /** One press closes, where the field alone would take the first one to clear itself. */
  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close(false);
  };
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(isOpen): void => (isOpen ? onOpenChange(true) : close(false))}
      onOpenChangeComplete={(isOpen): void => {
        if (!isOpen) focusView();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog.backdrop} />
        <Dialog.Viewport className={styles.viewport}>
          <Dialog.Popup
            {...returnFocus}
            // What had the focus has it again, unless a command was run: that leads elsewhere.
            finalFocus={(): HTMLElement | boolean => !hasRun.current && returnFocus.finalFocus()}
            className={styles.popup}
            aria-label={t("shell.palette")}
            onKeyDownCapture={closeOnEscape}
          >
            <PaletteBody key={session} onClose={(): void => close(true)} takeTyped={takeTyped} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Counts openings: what was typed before is gone at once, also when it opens again while it still fades away. */
function useSession(open: boolean): number {
  const [wasOpen, setWasOpen] = useState(open);
  const [session, setSession] = useState(0);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) setSession(session + 1);
  }
  return session;
}

interface PaletteBodyProps extends Pick<CommandPaletteProps, "takeTyped"> {
  readonly onClose: () => void;
}

function PaletteBody({ onClose, takeTyped }: PaletteBodyProps): ReactElement {
  const t = useMessages();
  const [query, setQuery] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const [isEntered, setEntered] = useState(false);
  useLayoutEffect(() => {
    input.current?.focus();
    const typed = takeTyped();
    setQuery(typed.text);
    setEntered(typed.isEntered);
  }, [takeTyped]);
  const [isChosen, setChosen] = useState(false);
  const groups = useStableGroups(query, isChosen);
  /** The row that is highlighted for this very text; the field highlights the first one a moment after it was typed. */
  const highlighted = useRef<Command>(undefined);
  const focusNewView = useFocusOfNewView();
  const run = (command: Command): void => {
    onClose();
    focusNewView();
    command.run();
  };
  const runOnEnter = (event: KeyboardEvent<HTMLInputElement> & { preventBaseUIHandler?: () => void }): void => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.preventBaseUIHandler?.();
    const command = enteredCommand(groups, highlighted.current);
    // What runs at once does not run again behind it.
    setEntered(command === undefined);
    if (command !== undefined) run(command);
  };
  useEnteredBefore(isEntered, groups, run);
  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      filter={null}
      value={query}
      onValueChange={(text): void => {
        setChosen(false);
        setEntered(false);
        highlighted.current = undefined;
        setQuery(text);
      }}
      onItemHighlighted={(command, { reason }): void => {
        highlighted.current = command;
        if (reason === "keyboard") setChosen(true);
      }}
      itemToStringValue={(command: Command): string => command.label}
      autoHighlight="always"
      keepHighlight
    >
      <div className={styles.search}>
        <Search size={18} aria-hidden="true" />
        <Autocomplete.Input
          ref={input}
          className={styles.input}
          aria-label={t("shell.paletteOpen")}
          // Until something is typed or chosen, screen readers are at the field, and not at the row that Enter would run.
          render={({ "aria-activedescendant": row, ...rest }): ReactElement => (
            <input {...rest} aria-activedescendant={query !== "" || isChosen ? row : undefined} />
          )}
          placeholder={t("shell.palettePlaceholder")}
          onKeyDown={runOnEnter}
        />
        <Kbd keys="escape" />
      </div>
      <Dialog.Close render={<button type="button" />}>
        <VisuallyHidden>{t("common.close")}</VisuallyHidden>
      </Dialog.Close>
      <Autocomplete.Empty className={styles.empty}>{t("shell.paletteEmpty")}</Autocomplete.Empty>
      <Autocomplete.List className={styles.list}>
        {(group: PaletteGroup): ReactElement => (
          <Autocomplete.Group key={group.value} items={group.items} className={styles.group}>
            <Autocomplete.GroupLabel className={styles.groupLabel}>{t(GROUP_LABELS[group.value])}</Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(command: Command): ReactElement => <PaletteRow key={command.id} command={command} onRun={run} />}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

/** The view that a command opens has the focus, where what had it went with the view before and nothing else took it. */
function focusView(): void {
  // Behind what Base UI and the new view do themselves.
  requestAnimationFrame(() => {
    // A window takes the focus itself; toasts are dialogs too.
    const isFree = document.activeElement === document.body && document.querySelector("[role=dialog]:not([data-type])") === null;
    if (isFree) document.querySelector("main")?.focus();
  });
}

/** Watches for the next view; the palette may still fade away when it is shown. */
function useFocusOfNewView(): () => void {
  const router = useRouter();
  return () => {
    const stop = router.subscribe("onRendered", () => {
      stop();
      focusView();
    });
  };
}

/** Enter that was pressed before there was anything to run: it counts once the commands of every view are there. */
function useEnteredBefore(isEntered: boolean, groups: readonly PaletteGroup[], run: (command: Command) => void): void {
  const hasAll = useCommandStore(({ lists }) => {
    const known = new Set([...lists.values()].flat().map(({ id }) => id));
    return EXPECTED.every((id) => known.has(id));
  });
  const command = isEntered && hasAll ? enteredCommand(groups, undefined) : undefined;
  const runOnce = useEffectEvent(run);
  useEffect(() => {
    if (command !== undefined) runOnce(command);
  }, [command]);
}

function PaletteRow(props: { readonly command: Command; readonly onRun: (command: Command) => void }): ReactElement {
  const { command, onRun } = props;
  const { icon: Icon, label, detail, shortcut } = command;
  return (
    <Autocomplete.Item value={command} className={styles.item} onClick={(): void => onRun(command)}>
      {Icon !== undefined && <Icon size={17} aria-hidden="true" />}
      <span className={styles.label}>{label}</span>
      {detail !== undefined && <span className={shared.hint}>{detail}</span>}
      {shortcut !== undefined && <Kbd keys={shortcut} />}
    </Autocomplete.Item>
  );
}

interface ShownGroups {
  readonly text: string;
  readonly groups: readonly PaletteGroup[];
}

/** What was found for the text, in the order in which it came; nothing comes or goes any more once one has moved to a row of it. */
function useStableGroups(query: string, isChosen: boolean): readonly PaletteGroup[] {
  const found = usePaletteGroups(query);
  const [shown, setShown] = useState<ShownGroups>({ text: query, groups: found });
  const [last, setLast] = useState(found);
  if (shown.text === query && (found === last || isChosen)) return shown.groups;
  const groups = shown.text === query ? stableGroups(shown.groups, found) : found;
  setLast(found);
  setShown({ text: query, groups });
  return groups;
}

/** A leading `@` asks for people only. */
function usePaletteGroups(query: string): readonly PaletteGroup[] {
  const lists = useCommandStore((store) => store.lists);
  const sources = useCommandStore((store) => store.sources);
  const onChain = useChainSearch(query);
  return useMemo(() => {
    const text = query.trim();
    const wantsPeople = text.startsWith("@");
    const fixed = matchCommands([...lists.values()].flat(), wantsPeople ? text.slice(1) : text);
    const found = text === "" ? [] : [...sources.values()].flatMap((source) => source(text));
    const known = new Set(found.map(({ id }) => id));
    const rest = [...fixed, ...onChain].filter(({ id }) => !known.has(id.replace(/^found:/, "")));
    const all = [...found, ...rest].filter((command) => !wantsPeople || PEOPLE_GROUPS.has(command.group));
    return GROUP_ORDER.map((value) => ({ value, items: all.filter((command) => command.group === value) })).filter(
      ({ items }) => items.length > 0,
    );
  }, [lists, sources, query, onChain]);
}
