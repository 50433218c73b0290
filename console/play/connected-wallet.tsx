import { useState } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import type { TableMint } from '../context/console-state.ts';
import { ExplainCard } from '../explain/explain-card.tsx';
import { explainInput } from '../explain/explain-input.ts';
import { Address } from '../parts/address.tsx';
import { MintAmount } from '../parts/amount.tsx';
import { useLoaded, Await } from '../parts/loaded.tsx';
import { Button } from '../parts/button.tsx';
import { HostileText } from '../parts/hostile-text.tsx';
import { LedgerMark } from '../parts/status.tsx';
import { Note, Skeleton } from '../parts/states.tsx';
import { requestFor, type Intent } from './intent.ts';
import { PaymentForm, type FormKind } from './payment-form.tsx';

interface ConnectedWalletProps {
  /** The name that the wallet gives itself. */
  readonly name: string;
  readonly address: string;
  /** The first mint of the service; null if it has none. */
  readonly mint: TableMint | null;
  readonly onForget: () => void;
}

/** A connected wallet with real money: its balance, and the transactions that it would sign. */
export function ConnectedWallet({ name, address, mint, onForget }: ConnectedWalletProps) {
  const [form, setForm] = useState<FormKind['kind'] | null>(null);
  const [intent, setIntent] = useState<Intent | null>(null);
  const open = (kind: FormKind['kind']) => () => {
    setIntent(null);
    setForm(kind);
  };
  const unit = 10n ** BigInt(mint?.decimals ?? 0);
  return (
    <>
      <section class="card wallet" aria-label="Connected wallet">
        <div class="pad who">
          <div class="grow">
            <h2>
              <HostileText text={name} />
            </h2>
            <Address address={address} length="whole" copy />
          </div>
          <Button onClick={onForget}>Disconnect</Button>
        </div>
        {mint === null ? null : <Balances address={address} mint={mint.mint} />}
        <div class="acts">
          <Button onClick={open('deposit')}>Deposit</Button>
          <Button onClick={open('pay')}>Pay</Button>
          <Button onClick={open('withdraw')}>Withdraw</Button>
        </div>
        {form === null || mint === null ? null : (
          <PaymentForm
            key={form}
            form={{ kind: form, wallet: address, amount: unit, to: '', memo: '', isOnBase: form === 'pay' }}
            name="This wallet"
            mint={mint}
            isBusy={false}
            payees={[]}
            onBegin={setIntent}
            onCancel={() => setForm(null)}
          />
        )}
      </section>
      {intent === null || mint === null ? null : <WouldSign intent={intent} mint={mint.mint} />}
    </>
  );
}

/** The public balance. The private one would need a login, which needs a signature. */
function Balances({ address, mint }: { readonly address: string; readonly mint: string }) {
  const { api } = useConsole();
  const loaded = useLoaded(() => api.getBalance({ address, mint }), [address, mint]);
  return (
    <div class="bal">
      <div>
        <span class="k">
          <LedgerMark ledger="base" />
          On base
        </span>
        <Await result={loaded} rows={1}>
          {({ balance }) => (
            <>
              <MintAmount base={balance} mint={mint} size="hero" />
              <span class="tiny dim">everyone can read this</span>
            </>
          )}
        </Await>
      </div>
      <div>
        <span class="k">
          <LedgerMark ledger="rollup" />
          On the rollup
        </span>
        <p class="small muted">Not shown: it needs a login, and a login needs a signature.</p>
      </div>
    </div>
  );
}

/** Explains the transaction that the service builds. The page does not ask for a signature. */
function WouldSign({ intent, mint }: { readonly intent: Intent; readonly mint: string }) {
  const console = useConsole();
  const loaded = useLoaded(() => {
    const request = requestFor(intent, { mint, layout: null, isDelegated: false });
    return explainInput(console, { kind: 'request', request }, null);
  }, [intent, mint]);
  if (loaded.state === 'answered') {
    const { explanation, transactionBase64, lastValidBlockHeight } = loaded.value;
    return (
      <ExplainCard
        explanation={explanation}
        transactionBase64={transactionBase64}
        lastValidBlockHeight={lastValidBlockHeight}
      >
        <Note kind="plain">The page stops here. It never asks your wallet for a signature.</Note>
      </ExplainCard>
    );
  }
  return (
    <section class="card" aria-label="Explanation">
      {loaded.state === 'failed' ? <Note kind="bad">{loaded.message}</Note> : <Skeleton rows={6} />}
    </section>
  );
}
