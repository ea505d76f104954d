// Scripts that complete command lines in shells, made from the outline of the commands. Pure text: nothing of it runs here.
import type { CommandPath, ProgramOutline, Word } from "./command-outline.ts";

/** A shell that scripts are made for. */
export type Shell = keyof typeof SCRIPTS;

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** Names of the shells. */
export const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];

/** The script of a shell for a program. */
export function completionScript(shell: Shell, { paths, valueOptions }: ProgramOutline): string {
  return SCRIPTS[shell](paths, valueOptions);
}

/** Paths of all commands as the patterns of a shell's `case`. */
function pathPatterns(paths: readonly CommandPath[]): string {
  return paths
    .filter(({ path }) => path !== "")
    .map(({ path }) => `"${path}"`)
    .join("|");
}

function bashScript(paths: readonly CommandPath[], values: readonly string[]): string {
  const cases = paths.map(({ path, words }) => `    "${path}") words="${words.map(({ text }) => text).join(" ")}" ;;`);
  return `# bash completion of parley: source <(parley completion bash)
_parley() {
  local place="" words="" word index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$place $word" in ${pathPatterns(paths)}) place="$place $word" ;; esac
  done
  COMPREPLY=()
  case "\${COMP_WORDS[COMP_CWORD - 1]}" in ${values.join("|")}) return ;; esac
  case "$place" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _parley parley
`;
}

function zshScript(paths: readonly CommandPath[], values: readonly string[]): string {
  const item = ({ text, description }: Word): string => quoted(`${text.replaceAll(":", "\\:")}:${description}`);
  const cases = paths.map(({ path, words }) => `    "${path}") candidates=(${words.map(item).join(" ")}) ;;`);
  return `#compdef parley
# zsh completion of parley: source <(parley completion zsh), or save it as _parley in a folder of $fpath
_parley() {
  local place="" word
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $word" in ${pathPatterns(paths)}) place="$place $word" ;; esac
  done
  case "\${words[CURRENT-1]}" in ${values.join("|")}) _files; return ;; esac
  case "$place" in
${cases.join("\n")}
  esac
  _describe 'parley' candidates || _files
}
if [ "$funcstack[1]" = "_parley" ]; then _parley "$@"; else compdef _parley parley; fi
`;
}

function fishScript(paths: readonly CommandPath[], values: readonly string[]): string {
  const patterns = paths.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`);
  const lines = paths.flatMap(({ path, words }) =>
    words.map(({ text, description }) => {
      const what = text.startsWith("--") ? `-l ${text.slice(2)}${values.includes(text) ? " -r -F" : ""}` : `-f -a ${text}`;
      return `complete -c parley -n '__parley_at "${path}"' ${what} -d ${quoted(description)}`;
    }),
  );
  return `# fish completion of parley: parley completion fish | source
function __parley_at
  set -l place ""
  for word in (commandline -opc)[2..-1]
    switch "$place $word"
      case ${patterns.join(" ")}
        set place "$place $word"
    end
  end
  test "$place" = "$argv[1]"
end
${lines.join("\n")}
`;
}

/** A text in single quotes, which all three shells read alike once a quote in it is written outside of them. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}
