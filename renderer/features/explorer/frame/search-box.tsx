// One box for a height, a hash, a transaction, an address or a key.
import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type FormEvent, type ReactElement, useRef, useState } from "react";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useShortcut } from "#renderer/lib/commands/use-shortcut.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import styles from "./search-box.module.css";

/** The box. `/` moves the focus into it. */
export function SearchBox(): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useShortcut("/", () => input.current?.focus());
  const search = (event: FormEvent): void => {
    event.preventDefault();
    const q = text.trim();
    if (q === "") return;
    setText("");
    void navigate({ to: "/explorer/search", search: { q } });
  };
  return (
    <search>
      <form className={styles.form} onSubmit={search}>
        <TextField
          ref={input}
          label={t("explorer.search")}
          hideLabel
          type="search"
          value={text}
          onChange={setText}
          placeholder={t("explorer.searchPlaceholder")}
          spellCheck={false}
          affix={<Search size={15} aria-hidden="true" className={shared.searchIcon} />}
        />
      </form>
    </search>
  );
}
