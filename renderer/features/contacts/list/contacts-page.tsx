// The contacts: lists on the left, one person on the right.
import { Outlet, useParams } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { Panes } from "#renderer/components/layout/panes.tsx";
import { ContactList } from "./contact-list.tsx";

export function ContactsPage(): ReactElement {
  const { publicKey } = useParams({ strict: false });
  return <Panes shows={publicKey === undefined ? "list" : "detail"} list={<ContactList />} detail={<Outlet />} />;
}
