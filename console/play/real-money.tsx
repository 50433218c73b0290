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
 * What stands in place of the tour where money is real. The page holds no keys for it, and asks no wallet for a
 * signature: it shows what a connected wallet would sign.
 */
export function RealMoney({ state }: { readonly state: ConsoleState }) {
  const { connected } = useConsole();
  const [mint] = state.mints;
  return (
    <div class="col">
      <section class="card" aria-label="Real money">
        <Note kind="warn">
          <b>This is {state.cluster}: its money is real.</b> The page makes no wallets here, asks yours for no
          signature, and sends nothing.
        </Note>
        <div class="stage">
          <div>
            <h1>Look before you sign.</h1>
            <p>
              Paste what your wallet is asked to sign, and read what it does. Your wallet signs it itself.
            </p>
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
          onForget={() => {
            connected.value = null;
          }}
        />
      )}
    </div>
  );
}

/** The wallets that there are, and one button each. */
function Choice() {
  const { connected } = useConsole();
  const [wallets, setWallets] = useState<readonly FoundWallet[]>([]);
  useEffect(() => findWallets(window, setWallets), []);
  const [asking, ask] = useState<FoundWallet | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const connect = async (wallet: FoundWallet): Promise<void> => {
    ask(wallet);
    setFault(null);
    const change = (address: string | null): void => {
      // A wallet that was forgotten has no say any more.
      if (connected.peek()?.wallet === wallet)
        connected.value = address === null ? null : { wallet, address };
    };
    try {
      connected.value = { wallet, address: await wallet.connect(change) };
    } catch (error) {
      setFault(wordsOf(error));
    }
    ask(null);
  };
  return (
    <section class="card" aria-label="Connect a wallet">
      <header>
        <h2>Connect a wallet</h2>
      </header>
      {wallets.length === 0 ? (
        <Empty title="No wallet has announced itself.">
          One for Solana that follows the wallet standard appears here by itself.
        </Empty>
      ) : (
        <ul class="list">
          {wallets.map((wallet, at) => (
            <li key={at}>
              <b class="grow">
                <HostileText text={wallet.name} />
              </b>
              <Button
                busy={asking === wallet}
                reason={asking === null || asking === wallet ? undefined : 'Another wallet is being asked'}
                onClick={() => void connect(wallet)}
              >
                Connect
              </Button>
            </li>
          ))}
        </ul>
      )}
      {fault === null ? null : (
        <Note kind="bad">
          <b>The wallet did not connect.</b> <HostileText text={fault} />
        </Note>
      )}
    </section>
  );
}

/** Wallets refuse with an Error, or with what merely looks like one. */
function wordsOf(error: unknown): string {
  const { message } = Object(error) as { readonly message?: unknown };
  return typeof message === 'string' && message !== '' ? message : 'It gave no reason.';
}
