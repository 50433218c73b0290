import { useState } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import { Button } from '../parts/button.tsx';
import { Note } from '../parts/states.tsx';
import { areStored, deleteStoredWallets, storeWallets, STORING_WARNING } from '../wallets/stored-wallets.ts';

/** Lets the user store the keys in this browser, after a warning, and delete them. */
export function KeyStorage() {
  const { wallets } = useConsole();
  const [isStored, setStored] = useState(() => areStored(localStorage));
  const [isOpen, open] = useState(false);
  if (wallets.all.value.length === 0) return null;
  if (isStored) {
    return (
      <section class="card" aria-label="Stored keys">
        <Note kind="warn">
          This browser stores the keys of these wallets.{' '}
          <Button
            onClick={() => {
              deleteStoredWallets(localStorage);
              setStored(false);
            }}
          >
            Delete the stored keys
          </Button>
        </Note>
      </section>
    );
  }
  if (!isOpen) {
    return (
      <p class="small dim keeping">
        Closing this tab deletes the keys.{' '}
        <button class="more" type="button" onClick={() => open(true)}>
          Store them in this browser
        </button>
      </p>
    );
  }
  const store = async (): Promise<void> => {
    await storeWallets(wallets, localStorage);
    setStored(true);
    open(false);
  };
  return (
    <section class="card" aria-label="Store the keys">
      <Note kind="warn">
        <p>{STORING_WARNING}</p>
        <div class="row">
          <Button kind="danger" onClick={() => void store()}>
            Store the keys
          </Button>
          <Button onClick={() => open(false)}>Cancel</Button>
        </div>
      </Note>
    </section>
  );
}
