import { useEffect, useState } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import type { ConsoleState } from '../context/console-state.ts';
import { Button } from '../parts/button.tsx';
import { Go } from '../parts/go.tsx';
import { HostileText } from '../parts/hostile-text.tsx';
import { Empty, Note } from '../parts/states.tsx';
import { findWallets, type FoundWallet } from '../wallets/standard.ts';
import { ConnectedWallet } from './connected-wallet.tsx';

/**
 * The start page for real money. The page holds no keys and never asks for a signature. It only shows what a
 * connected wallet would sign.
 */
export function RealMoney({ state }: { readonly state: ConsoleState }) {
  const { connected, forget } = useConsole().connection;
  const [mint] = state.mints;
  return (
    <div class="col">
      <section class="card" aria-label="Real money">
        <Note kind="warn">
          <b>This is {state.cluster}, with real money.</b> The page creates no wallets here, never asks yours
          for a signature, and sends nothing.
        </Note>
        <div class="stage">
          <div>
            <h1>Know what you sign.</h1>
            <p>Paste a transaction and read what it does, before you sign it in your wallet.</p>
          </div>
          <div class="act">
            <Go class="btn main big" to="/console/explain">
              Explain a transaction
            </Go>
          </div>
        </div>
      </section>
      {connected.value === null ? (
        <Choice />
      ) : (
        <ConnectedWallet
          key={connected.value.address}
          name={connected.value.wallet.name}
          address={connected.value.address}
          mint={mint ?? null}
          onForget={forget}
        />
      )}
    </div>
  );
}

/** The wallets of the browser, each with a button to connect. */
function Choice() {
  const { asking, fault, connect, callOff } = useConsole().connection;
  const [wallets, setWallets] = useState<readonly FoundWallet[]>([]);
  useEffect(() => findWallets(window, setWallets), []);
  // Cancels the connection when the user leaves this view.
  useEffect(() => callOff, []);
  const asked = asking.value;
  return (
    <section class="card" aria-label="Connect a wallet">
      <header>
        <h2>Connect a wallet</h2>
      </header>
      {wallets.length === 0 ? (
        <Empty title="No wallet found in this browser.">
          Install a wallet that supports the Wallet Standard, such as Phantom or Solflare. It appears here by
          itself.
          <br />
          <Go class="btn" to="/console/explain">
            Explain a transaction
          </Go>
        </Empty>
      ) : (
        <ul class="list">
          {wallets.map((wallet, at) => (
            <li key={at}>
              <b class="grow">
                <HostileText text={wallet.name} />
              </b>
              <Button
                busy={asked === wallet}
                reason={asked === null || asked === wallet ? undefined : 'Another wallet is connecting'}
                onClick={() => void connect(wallet)}
              >
                Connect
              </Button>
              {asked === wallet ? <Button onClick={callOff}>Cancel</Button> : null}
            </li>
          ))}
        </ul>
      )}
      {fault.value === null ? null : (
        <Note kind="bad">
          <b>The wallet did not connect.</b> <HostileText text={fault.value} />
        </Note>
      )}
    </section>
  );
}
