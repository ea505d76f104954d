// A whole address in groups of four, for comparing by eye. Selected text is the address without the gaps.
import type { ReactElement } from "react";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/address.ts";
import { classNames } from "../lib/class-names.ts";
import { groupByFour } from "../lib/format/key.ts";
import { compareAddresses } from "../lib/people/look-alike.ts";
import styles from "./full-address.module.css";

/** Props of {@link FullAddress}. */
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
  const groups = groupByFour(address).map((characters, index) => ({ characters, start: index * 4 }));
  return (
    <code className={styles.address}>
      {groups.map(({ characters, start }) => (
        <span key={start} className={styles.group}>
          {comparedWith === undefined
            ? characters
            : [...characters].map((character, index) => {
                const position = start + index;
                return marks[position]?.differs === true ? (
                  <mark key={position} className={classNames(styles.mark)}>
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
