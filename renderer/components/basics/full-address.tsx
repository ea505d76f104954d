// A whole address in groups of four, for comparing by eye. Selected text is the address without the gaps.
import type { ReactElement } from "react";
import { groupByFour } from "#renderer/lib/format/key.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { compareAddresses } from "#shared/text/look-alike.ts";
import styles from "./full-address.module.css";

export interface FullAddressProps {
  readonly publicKey: PublicKeyHex;
  /** Marks the characters in which this one differs. */
  readonly comparedWith?: PublicKeyHex;
}

/** The address of a key. */
export function FullAddress(props: FullAddressProps): ReactElement {
  const { publicKey, comparedWith } = props;
  const address = formatAddress(publicKey);
  const marks = compareAddresses(address, comparedWith === undefined ? address : formatAddress(comparedWith));
  const groups = groupsOf(address);
  return (
    <code className={styles.address}>
      {groups.map(({ characters, start }) => (
        <span key={start} className={styles.group}>
          {comparedWith === undefined
            ? characters
            : [...characters].map((character, index) => {
                const position = start + index;
                return marks[position]?.differs === true ? (
                  <mark key={position} className={styles.mark}>
                    {character}
                  </mark>
                ) : (
                  <span key={position}>{character}</span>
                );
              })}
        </span>
      ))}
    </code>
  );
}

/** Groups of four; a single character at the end joins the group before it. */
function groupsOf(address: string): readonly { readonly characters: string; readonly start: number }[] {
  const tail = address.length % 4 === 1 ? address.slice(-1) : "";
  const groups = groupByFour(address.slice(0, address.length - tail.length));
  return groups.map((characters, index) => ({
    characters: index === groups.length - 1 ? `${characters}${tail}` : characters,
    start: index * 4,
  }));
}
