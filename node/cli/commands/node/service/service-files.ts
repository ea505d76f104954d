// What makes a system start a node or signer by itself: a systemd unit, a launchd property list, a scheduled task of Windows. Pure: text from values.

/** What is started, and as whom. */
export interface ServiceProgram {
  /** A node by default. */
  readonly role?: "node" | "signer";
  /** Name of the service, `parley` unless chosen. */
  readonly name: string;
  /** Program and arguments, each absolute where it is a path. */
  readonly command: readonly string[];
  /** Account of a service of the whole system; undefined for one of this user. */
  readonly account?: string;
}

/** First words of every file that was written here: others are never replaced or removed. */
export const MARK = "Written by parley service install";

/** Exit codes after which another start changes nothing: wrong settings, a data folder that must not vote. */
const FINAL_EXITS = "2 6";

/** A unit of systemd. */
export function systemdUnit({ role = "node", name, command, account }: ServiceProgram): string {
  const isSystem = account !== undefined;
  return `# ${MARK}
[Unit]
Description=Parley ${role} (${name})
${isSystem ? "Wants=network-online.target\nAfter=network-online.target\n" : ""}StartLimitIntervalSec=0

[Service]
ExecStart=${execStart(command)}
${isSystem ? `User=${account}\n` : ""}Restart=always
RestartSec=1
RestartPreventExitStatus=${FINAL_EXITS}
KillMode=mixed
TimeoutStopSec=30
NoNewPrivileges=true
UMask=0077

[Install]
WantedBy=${isSystem ? "multi-user.target" : "default.target"}
`;
}

/** A property list of launchd. A node that ended in order stays ended; one that failed is started again after ten seconds. */
export function launchdPlist({ name, command, account }: ServiceProgram, logFile: string): string {
  const text = (value: string): string => `<string>${xml(value)}</string>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${MARK} -->
<plist version="1.0">
<dict>
  <key>Label</key>${text(name)}
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    ${text(word)}`).join("\n")}
  </array>
${account === undefined ? "" : `  <key>UserName</key>${text(account)}\n`}  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key>
  <dict><key>SuccessfulExit</key><false/></dict>
  <key>ExitTimeOut</key><integer>30</integer>
  <key>ProcessType</key><string>Background</string>
  <key>Umask</key><integer>63</integer>
  <key>StandardErrorPath</key>${text(logFile)}
</dict>
</plist>
`;
}

/** What Task Scheduler puts values into, which nothing keeps it from. */
export const WINDOWS_EXPANDS = /%[^%]+%|\$\(/;

/** A task that begins when its user logs on, and again a minute after it failed. */
export function windowsTask({ role = "node", name, command: [program = "", ...words] }: ServiceProgram, user: string): string {
  return `<?xml version="1.0" encoding="UTF-16"?>
<!-- ${MARK} -->
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>${xml(`Parley ${role} (${name})`)}</Description></RegistrationInfo>
  <Triggers><LogonTrigger><Enabled>true</Enabled><UserId>${xml(user)}</UserId></LogonTrigger></Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${xml(user)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>999</Count></RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${xml(program)}</Command>
      <Arguments>${xml(words.map(windowsWord).join(" "))}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

/** Words with nothing in them that systemd expands or takes apart. It puts variables into the arguments, and none into the program's path. */
function execStart([program = "", ...words]: readonly string[]): string {
  const quoted = (word: string): string => `"${word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%")}"`;
  return [quoted(program), ...words.map((word) => quoted(word).replaceAll("$", "$$$$"))].join(" ");
}

/** A word of a command line as programs of Windows take it apart: backslashes count double before a quotation mark alone. */
function windowsWord(word: string): string {
  return `"${word.replace(/(\\*)("|$)/g, (_, slashes: string, mark: string) => `${slashes}${slashes}${mark === '"' ? '\\"' : ""}`)}"`;
}

function xml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
