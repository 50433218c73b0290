import { useState } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import { Button } from '../parts/button.tsx';
import { Field } from './fields.tsx';
import type { Portrait } from './portrait.ts';
import { usePlay } from './play-context.ts';

/** More actions of a wallet. Actions that the programs do not support are disabled and say why. */
export function MoreActions({
  wallet,
  portrait,
  onPayOnBase,
  onWires,
}: {
  readonly wallet: string;
  readonly portrait: Portrait | null;
  readonly onPayOnBase: () => void;
  /** Shows the calls behind the figures. */
  readonly onWires: () => void;
}) {
  const console = useConsole();
  const play = usePlay();
  const isLoggedIn = console.owners.value.includes(wallet);
  const notHere = console.state.value === null ? '' : console.state.value.base.notHere;
  const isOnRollup = portrait?.eata?.isDelegated === true;
  return (
    <div class="acts">
      <Button onClick={onWires}>Show the calls</Button>
      <Button
        reason={isOnRollup ? undefined : 'It has no balance on the rollup'}
        onClick={() => void play.begin([{ kind: 'undelegate', wallet }])}
      >
        Undelegate
      </Button>
      {isLoggedIn ? (
        <Button onClick={() => console.wallets.logOut(wallet)}>Log out</Button>
      ) : (
        <Button onClick={() => void play.logIn(wallet)}>Log in</Button>
      )}
      <Button reason={notHere ?? undefined} onClick={onPayOnBase}>
        Pay privately on base
      </Button>
      {notHere === null ? <HandleForm wallet={wallet} /> : <Button reason={notHere}>Stealth handle</Button>}
      {notHere === null ? null : <p class="tiny dim">{notHere}</p>}
    </div>
  );
}

/** Creates a stealth handle that pays this wallet. Needs two signatures. */
function HandleForm({ wallet }: { readonly wallet: string }) {
  const play = usePlay();
  const [handle, setHandle] = useState('');
  const name = handle.trim();
  const make = (): void => {
    if (name === '') return;
    void play.begin([
      { kind: 'handle', wallet, handle: name, part: 'pool' },
      { kind: 'handle', wallet, handle: name, part: 'wallets' },
    ]);
  };
  return (
    <form
      class="row wrap"
      onSubmit={(event) => {
        event.preventDefault();
        make();
      }}
    >
      <Field label="Stealth handle" value={handle} onInput={setHandle} />
      <Button submit reason={name === '' ? 'Enter a name first' : undefined}>
        Create
      </Button>
    </form>
  );
}
