import { useState } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import { Button } from '../parts/button.tsx';
import { Note } from '../parts/states.tsx';
import { areKept, dropWallets, keepWallets, KEEPING_WARNING } from '../wallets/kept.ts';

/** Whether the keys outlive the tab. They do only after someone has read what that means. */
export function Keeping() {
  const { wallets } = useConsole();
  const [kept, setKept] = useState(() => areKept(localStorage));
  const [isAsked, ask] = useState(false);
  if (wallets.all.value.length === 0) return null;
  if (kept) {
    return (
      <section class="card" aria-label="Stored keys">
        <Note kind="warn">
          This browser stores the keys of these wallets.{' '}
          <Button
            onClick={() => {
              dropWallets(localStorage);
              setKept(false);
            }}
          >
            Delete the stored keys
          </Button>
        </Note>
      </section>
    );
  }
  if (!isAsked) {
    return (
      <p class="small dim keeping">
        Closing this tab deletes the keys.{' '}
        <button class="more" type="button" onClick={() => ask(true)}>
          Store them in this browser
        </button>
      </p>
    );
  }
  const keep = async (): Promise<void> => {
    await keepWallets(wallets, localStorage);
    setKept(true);
    ask(false);
  };
  return (
    <section class="card" aria-label="Store the keys">
      <Note kind="warn">
        <p>{KEEPING_WARNING}</p>
        <div class="row">
          <Button kind="danger" onClick={() => void keep()}>
            Store the keys
          </Button>
          <Button onClick={() => ask(false)}>Cancel</Button>
        </div>
      </Note>
    </section>
  );
}
