// Buttons and fields.
import { Copy, Plus, Send, Settings2, Trash2 } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Checkbox } from "#renderer/components/controls/checkbox.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import { Select } from "#renderer/components/controls/select.tsx";
import { Switch } from "#renderer/components/controls/switch.tsx";
import { Tabs } from "#renderer/components/controls/tabs.tsx";
import { TextArea } from "#renderer/components/controls/text-area.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { PasswordField } from "#renderer/components/secrets/password-field.tsx";
import { PhraseField } from "#renderer/components/secrets/phrase-field.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import type { PasswordEstimate } from "#shared/keyring/passwords/password-estimate.ts";
import styles from "./gallery.module.css";

/** Inputs in all states. */
export function InputSamples(): ReactElement {
  return (
    <>
      <Section title="Buttons">
        <Buttons />
      </Section>
      <Section title="Fields">
        <Fields />
      </Section>
      <Section title="Choices">
        <Choices />
      </Section>
    </>
  );
}

function Buttons(): ReactElement {
  return (
    <>
      <div className={styles.row}>
        <Button variant="primary" icon={Send}>
          Send
        </Button>
        <Button>Secondary</Button>
        <Button variant="ghost">Ghost</Button>
        <Button variant="danger" icon={Trash2}>
          Unlink
        </Button>
        <Button variant="primary" disabled>
          Disabled
        </Button>
        <Button variant="primary" busy>
          Signing
        </Button>
        <Button icon={Plus} busy>
          Adding
        </Button>
      </div>
      <div className={styles.row}>
        <Button size="small" icon={Plus}>
          Small
        </Button>
        <Button size="large" variant="primary">
          Large
        </Button>
        <IconButton icon={Copy} label="Copy" shortcut="mod+c" />
        <IconButton icon={Settings2} label="Settings" size="small" />
        <IconButton icon={Copy} label="Pressed" pressed />
        <IconButton icon={Copy} label="Disabled" disabled />
      </div>
    </>
  );
}

const FAIR: PasswordEstimate = { guessesLog10: 11.2, isAcceptable: true, warning: null, suggestions: [] };
const WEAK: PasswordEstimate = {
  guessesLog10: 8,
  isAcceptable: false,
  warning: "similarToCommon",
  suggestions: ["anotherWord", "capitalization"],
};

function Fields(): ReactElement {
  const [text, setText] = useState("");
  const [password, setPassword] = useState("correct horse bat");
  return (
    <div className={styles.grid}>
      <TextField label="Name" optional hint="Shown to others" value={text} onChange={setText} placeholder="Ada" />
      <TextField label="Amount" mono affix="T" value="1.5" onChange={setText} />
      <TextField label="Recipient" value="pl1qqq" onChange={setText} error="This is no address: it ends too early." />
      <TextField label="Disabled" value="pl1qqq" onChange={setText} disabled />
      <PasswordField label="New password" purpose="new" value={password} estimate={FAIR} onChange={setPassword} />
      <PasswordField label="Weak password" purpose="new" value="Passwort123!" estimate={WEAK} onChange={setPassword} />
      <PasswordField
        label="Password"
        purpose="current"
        value="secret"
        onChange={setText}
        error="Wrong password. Nothing is lost; try again."
      />
      <TextArea label="Intro" limit={280} value={text} onChange={setText} hint="Public: everybody can read it." />
      <PhraseField value="abandon ability able" onChange={setText} />
    </div>
  );
}

function Choices(): ReactElement {
  const [isOn, setOn] = useState(true);
  const [choice, setChoice] = useState<"all" | "unread" | "requests">("all");
  const options = [
    { value: "all", label: "All" },
    { value: "unread", label: "Unread", count: 3 },
    { value: "requests", label: "Requests" },
  ] as const;
  return (
    <>
      <div className={styles.grid}>
        <Select label="Show" options={options} value={choice} onChange={setChoice} />
        <div className={shared.stack3}>
          <Checkbox label="I have written it down" hint="On paper, in order." checked={isOn} onChange={setOn} />
          <Checkbox label="Off" checked={!isOn} onChange={setOn} />
        </div>
        <div className={shared.stack3}>
          <Switch label="Read receipts" hint="Others see it." checked={isOn} onChange={setOn} />
          <Switch label="Typing" checked={!isOn} onChange={(next): void => setOn(!next)} />
        </div>
      </div>
      <div>
        <SegmentedControl label="Filter" options={options} value={choice} onChange={setChoice} />
      </div>
      <Tabs
        label="Parts"
        value={choice}
        onChange={setChoice}
        items={options.map((option) => ({ value: option.value, label: option.label, content: `Panel of ${option.label}` }))}
      />
    </>
  );
}
