import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { wordsOf } from '../parts/loaded.tsx';
import { Button } from '../parts/button.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { Note } from '../parts/states.tsx';

interface SureProps {
  readonly title: string;
  /** A description of what is lost. */
  readonly children: ComponentChildren;
  /** The name that the user must type. */
  readonly cluster: string;
  /** Label for the button. */
  readonly label: string;
  /** Runs the action. Throws an Error with the reason if it fails. */
  readonly act: () => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks for the name of the ledger before an action that cannot be undone. */
export function Sure({ title, children, cluster, label, act, onDone, onClose }: SureProps) {
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (typed !== cluster || isBusy) return;
    setBusy(true);
    try {
      await act();
      onClose();
      onDone();
    } catch (error) {
      setRefused(wordsOf(error));
      setBusy(false);
    }
  };
  return (
    <Sheet title={title} onClose={onClose}>
      <form class="stack find" onSubmit={(event) => void submit(event)}>
        <p>
          {children} This cannot be undone. Type <b>{cluster}</b> to continue.
        </p>
        <label class="vh" for="sure">
          Name of the ledger
        </label>
        <input
          id="sure"
          type="text"
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {refused === null ? null : <Note kind="bad">{refused}</Note>}
        <div class="row">
          <Button
            kind="danger"
            submit
            busy={isBusy}
            reason={typed === cluster ? undefined : `Type ${cluster} first`}
          >
            {label}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Sheet>
  );
}
