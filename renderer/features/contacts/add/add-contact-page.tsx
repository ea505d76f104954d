// Adding a contact, above the lists. The address bar may name the person.
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { NoPersonChosen } from "../list/no-person-chosen.tsx";
import { showSection } from "../list/section-store.ts";
import { AddContactDialog } from "./add-contact-dialog.tsx";

/** The dialog with its way out: to the person who was added or asked, or back to the lists. */
export function AddContactPage(): ReactElement {
  const navigate = useNavigate();
  const { to = "" } = useSearch({ from: "/shell/contacts/new" });
  return (
    <>
      <NoPersonChosen />
      <AddContactDialog
        key={to}
        initial={to}
        onClose={(): void => void navigate({ to: "/contacts" })}
        onAdded={(publicKey): void => {
          showSection("people");
          void navigate({ to: "/contacts/$publicKey", params: { publicKey } });
        }}
        onSent={(publicKey): void => {
          showSection("sent");
          void navigate({ to: "/contacts/$publicKey", params: { publicKey } });
        }}
      />
    </>
  );
}
