import type { ConsoleState } from '../context/console-state.ts';
import { Go } from '../parts/go.tsx';
import { Note } from '../parts/states.tsx';

/** What stands in place of the tour where money is real: this page holds no keys for it. */
export function RealMoney({ state }: { readonly state: ConsoleState }) {
  return (
    <section class="card" aria-label="Real money">
      <Note kind="warn">
        <b>This is {state.cluster}: its money is real.</b> The page makes no wallets here, and signs nothing.
      </Note>
      <div class="stage">
        <div>
          <h1>Look before you sign.</h1>
          <p>Paste what your wallet is asked to sign, and read what it does. Your wallet signs it itself.</p>
        </div>
        <div class="act">
          <Go class="btn main big" to="/console/explain">
            Explain a transaction
          </Go>
        </div>
      </div>
    </section>
  );
}
