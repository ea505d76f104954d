// What a link to the queue of requests leads to: the list of them, with no one chosen.
import { type ReactElement, useEffect } from "react";
import { NoPersonChosen } from "./no-person-chosen.tsx";
import { showSection } from "./section-store.ts";

export function RequestsOpener(): ReactElement {
  useEffect(() => showSection("requests"), []);
  return <NoPersonChosen />;
}
