import { useState } from 'preact/hooks';
import type { Deed, DeedKind } from '../history/deed.ts';
import { Address } from '../parts/address.tsx';
import { MintAmount, Sol } from '../parts/amount.tsx';
import { useLoaded } from '../parts/loaded.tsx';
import { Copy } from '../parts/copy.tsx';
import { formatCount } from '../parts/decimal.ts';
import { Go } from '../parts/go.tsx';
import { HostileText } from '../parts/hostile-text.tsx';
import { LedgerMark, Status } from '../parts/status.tsx';
import { LogTree } from '../parts/log-tree.tsx';
import type { Ledger, Reader } from '../parts/reader.ts';
import { shorten, clockTime } from '../parts/short-text.ts';
import { Note, Skeleton } from '../parts/states.tsx';
import { AccountsByRole } from './accounts-by-role.tsx';
import { effectsOf, readDeed, rentOf, type Effect, type FullTransaction } from './full-transaction.ts';
import { MissingTransaction } from './missing.tsx';
import { RawTransaction } from './raw-transaction.tsx';
import { transactionOf } from './transactions.ts';

interface TransactionViewProps {
  readonly ledger: Ledger;
  readonly signature: string;
  readonly reader: Reader;
}

/** One transaction: its effects, accounts and bytes. */
export function TransactionView({ ledger, signature, reader }: TransactionViewProps) {
  const loaded = useLoaded(
    async () => (reader.ledgers.includes(ledger) ? transactionOf(reader, ledger, signature) : null),
    [reader, ledger, signature],
  );
  if (loaded.state !== 'answered') {
    return (
      <section class="card" aria-label="Transaction">
        {loaded.state === 'failed' ? <Note kind="bad">{loaded.message}</Note> : <Skeleton rows={6} />}
      </section>
    );
  }
  if (loaded.value === null)
    return <MissingTransaction ledger={ledger} signature={signature} reader={reader} />;
  return (
    <Found
      ledger={ledger}
      reader={reader}
      transaction={loaded.value as FullTransaction}
      signature={signature}
    />
  );
}

interface FoundProps extends TransactionViewProps {
  readonly transaction: FullTransaction;
}

const TABS = ['What it did', 'Accounts', 'Raw'] as const;

function Found(props: FoundProps) {
  const { ledger, signature, transaction } = props;
  const [tab, setTab] = useState<(typeof TABS)[number]>('What it did');
  const deed = readDeed(ledger, transaction);
  return (
    <section class="card" aria-label="Transaction">
      <header>
        <LedgerMark ledger={ledger} />
        <h1 class="h2">
          <Title deed={deed} /> <span class="dim mono">{shorten(signature, 6)}</span>{' '}
          <Copy text={signature} what="signature" />
        </h1>
        <Status kind={deed.hasFailed ? 'bad' : 'ok'}>{deed.hasFailed ? 'failed' : 'succeeded'}</Status>
      </header>
      <Facts deed={deed} transaction={transaction} ledger={ledger} />
      <div class="tabs" role="tablist">
        {TABS.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={tab === name}
            onClick={() => setTab(name)}
          >
            {name}
            {name === 'Accounts' ? (
              <span class="dim"> {transaction.transaction.message.accountKeys.length}</span>
            ) : null}
          </button>
        ))}
        <Go to={`/console/life/${signature}`}>Life</Go>
      </div>
      <div role="tabpanel" aria-label={tab}>
        {tab === 'What it did' ? <Did {...props} deed={deed} /> : null}
        {tab === 'Accounts' ? <AccountsByRole ledger={ledger} transaction={transaction} /> : null}
        {tab === 'Raw' ? <RawTransaction {...props} /> : null}
      </div>
    </section>
  );
}

/** Titles by kind. An amount may follow: "of 3.5 USDC". */
const TITLES: Readonly<Record<DeedKind, string>> = {
  airdrop: 'Airdrop',
  deposit: 'Deposit',
  undelegation: 'Undelegation',
  settlement: 'Settlement',
  withdrawal: 'Withdrawal',
  payment: 'Transfer',
  other: 'Transaction',
};

function Title({ deed }: { readonly deed: Deed }) {
  const words = TITLES[deed.kind];
  if (deed.amount === null || deed.kind === 'settlement') return <>{words}</>;
  return (
    <>
      {words} of{' '}
      {deed.mint === null ? (
        <Sol lamports={deed.amount} />
      ) : (
        <MintAmount base={deed.amount} mint={deed.mint} />
      )}
    </>
  );
}

interface FactsProps {
  readonly deed: Deed;
  readonly transaction: FullTransaction;
  readonly ledger: Ledger;
}

function Facts({ deed, transaction, ledger }: FactsProps) {
  const rent = rentOf(transaction);
  return (
    <div class="facts top0">
      <span>
        Slot{' '}
        <Go to={`/console/${ledger}/block/${deed.slot}`}>
          <b>{formatCount(deed.slot)}</b>
        </Go>
      </span>
      {deed.time === null ? null : (
        <span>
          <b>{clockTime(deed.time * 1000)}</b> UTC
        </span>
      )}
      <span>
        Signed by <Address address={deed.feePayer} ledger={ledger} />
      </span>
      <span>Fee {deed.feeLamports === 0n ? <b>none</b> : <Sol lamports={deed.feeLamports} />}</span>
      {rent === 0n ? null : (
        <span>
          Rent <Sol lamports={rent} />
        </span>
      )}
      {deed.memo === null ? null : (
        <span>
          Note{' '}
          <b>
            <HostileText text={deed.memo} />
          </b>
        </span>
      )}
    </div>
  );
}

function Did({ ledger, transaction, deed }: FoundProps & { readonly deed: Deed }) {
  const effects = effectsOf(transaction);
  const used = deed.computeUnits;
  return (
    <>
      {deed.hasFailed ? (
        <Note kind="bad">
          <b>The transaction failed.</b> It had no effect, except for the fee.{' '}
          <span class="mono tiny">
            <HostileText text={JSON.stringify(transaction.meta?.err ?? null)} />
          </span>
        </Note>
      ) : null}
      <Effects effects={effects.filter(({ isRent }) => !isRent)} ledger={ledger} payer={deed.feePayer} />
      <Rent effects={effects.filter(({ isRent }) => isRent)} ledger={ledger} payer={deed.feePayer} />
      <details open>
        <summary>
          Programs and logs
          {used === null ? null : <span class="dim">{formatCount(used)} compute units</span>}
        </summary>
        <LogTree logs={transaction.meta?.logMessages ?? []} />
      </details>
    </>
  );
}

interface EffectRowProps {
  readonly effect: Effect;
  readonly ledger: Ledger;
  readonly payer: string;
}

function EffectRow({ effect, ledger, payer }: EffectRowProps) {
  const { party, mint, decimals, change, account } = effect;
  return (
    <div class="eff">
      <Address address={party} ledger={ledger} copy />
      {mint === null ? (
        <Sol lamports={change} signed />
      ) : (
        <MintAmount base={change} mint={mint} decimals={decimals} signed size="mid" />
      )}
      <div class="small dim row">
        <LedgerMark ledger={ledger} />
        {mint === null ? (account === payer ? 'SOL, including fee and rent' : 'SOL') : 'token account'}
        {mint === null ? null : <Address address={account} ledger={ledger} />}
      </div>
    </div>
  );
}

interface EffectsProps {
  readonly effects: readonly Effect[];
  readonly ledger: Ledger;
  readonly payer: string;
}

function Effects({ effects, ledger, payer }: EffectsProps) {
  return (
    <>
      {effects.map((effect) => (
        <EffectRow key={`${effect.account} ${effect.mint}`} effect={effect} ledger={ledger} payer={payer} />
      ))}
    </>
  );
}

/** Rent of new accounts. Collapsed, because it is not a payment. */
function Rent(props: EffectsProps) {
  const count = props.effects.length;
  if (count === 0) return null;
  return (
    <details>
      <summary>
        Rent of new accounts<span class="dim">{formatCount(count)}</span>
      </summary>
      <Effects {...props} />
    </details>
  );
}
