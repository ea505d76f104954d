// The words of a recovery phrase, numbered. There is no copy button on purpose: the clipboard is read by other programs.
import type { ReactElement, Ref } from "react";
import styles from "./phrase-words.module.css";

/** A numbered grid of words, which can be given the focus. */
export function PhraseWords(props: { readonly words: readonly string[]; readonly ref?: Ref<HTMLOListElement> }): ReactElement {
  const numbered = props.words.map((word, index) => ({ word, position: index + 1 }));
  return (
    <ol ref={props.ref} tabIndex={-1} className={styles.words}>
      {numbered.map(({ word, position }) => (
        <li key={position} className={styles.word}>
          <span className={styles.position}>{position}</span>
          {word}
        </li>
      ))}
    </ol>
  );
}
