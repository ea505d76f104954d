// How to call a person in a row that has as many lines as that needs (`isWhole`).
import type { ReactElement } from "react";
import { labelLines } from "#renderer/lib/people/names/use-label.ts";
import { usePerson } from "#renderer/lib/people/people-context.tsx";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import styles from "./whole-label.module.css";

/** Name or short address, and in any case all of the end of the address where nothing else says who they are. */
export function WholeLabel({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement {
  const { name, tail } = labelLines(usePerson(publicKey), publicKey);
  return (
    <>
      <bdi>{name}</bdi> {tail !== undefined && <span className={styles.tail}>({tail})</span>}
    </>
  );
}
