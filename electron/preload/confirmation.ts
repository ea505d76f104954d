// The preload script of the confirmation window: puts what is decided into an empty document, as text, and reports the answer. The
// document has no script of its own and gets no function. Cancel is the default; agreeing is possible only after a moment with the window
// in front, so that a click or key that was meant for another window does not agree.
import { ipcRenderer } from "electron";
import { CONFIRMATION_ANSWER_CHANNEL, CONFIRMATION_CONTENT_CHANNEL } from "#shared/desktop/channels.ts";

/** How long the window is in front before it can be agreed to. */
const ATTENTION_MS = 1_000;

interface Content {
  readonly language: string;
  readonly title: string;
  readonly text: string;
  readonly rows: readonly { readonly label: string; readonly value: string }[];
  readonly agree: string;
  readonly cancel: string;
}

function answer(isAgreed: boolean): void {
  void ipcRenderer.invoke(CONFIRMATION_ANSWER_CHANNEL, isAgreed);
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, text = "", className = ""): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  if (className !== "") made.className = className;
  return made;
}

function show({ language, title, text, rows, agree, cancel }: Content): void {
  document.documentElement.lang = language;
  document.title = `Parley – ${title}`;
  const main = element("main");
  const list = element("dl");
  for (const { label, value } of rows) list.append(element("dt", label), element("dd", value));
  const footer = element("footer");
  const cancelButton = element("button", cancel);
  const agreeButton = element("button", agree, "agree");
  cancelButton.addEventListener("click", () => answer(false));
  agreeButton.addEventListener("click", (event) => {
    if (event.isTrusted) answer(true);
  });
  footer.append(cancelButton, agreeButton);
  main.append(element("p", "Parley", "source"), element("h1", title), element("p", text), ...(rows.length > 0 ? [list] : []), footer);
  document.body.replaceChildren(main);
  cancelButton.focus();
  enableAfterAttention(agreeButton);
}

/** The moment begins again whenever another window was in front. */
function enableAfterAttention(button: HTMLButtonElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = (): void => {
    clearTimeout(timer);
    button.disabled = true;
    timer = setTimeout(() => {
      button.disabled = !document.hasFocus();
    }, ATTENTION_MS);
  };
  window.addEventListener("focus", begin);
  window.addEventListener("blur", () => {
    clearTimeout(timer);
    button.disabled = true;
  });
  begin();
}

window.addEventListener("keydown", (event) => {
  if (event.key === "Escape") answer(false);
});
window.addEventListener("DOMContentLoaded", () => {
  void ipcRenderer
    .invoke(CONFIRMATION_CONTENT_CHANNEL)
    .then((content: Content | null) => (content === null ? answer(false) : show(content)));
});
