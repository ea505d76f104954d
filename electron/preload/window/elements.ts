// Elements of the shell's own windows. Everything is put in as text: what others wrote is never markup.

/** An element with a text and a class. */
export function element<Name extends keyof HTMLElementTagNameMap>(name: Name, text = "", className = ""): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  if (className !== "") made.className = className;
  return made;
}

/** An element around others. */
export function group<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: readonly Node[]
): HTMLElementTagNameMap[Name] {
  const made = element(name, "", className);
  made.append(...children);
  return made;
}

/** A button that only a person presses: events that a script makes are ignored. */
export function button(text: string, className: string, press: () => void): HTMLButtonElement {
  const made = element("button", text, className);
  made.type = "button";
  made.addEventListener("click", (event) => {
    if (event.isTrusted) press();
  });
  return made;
}
