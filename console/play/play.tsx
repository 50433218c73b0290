import { useEffect, useState } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import { playMint, type TableMint } from '../context/console-state.ts';
import { useLatest } from '../context/use-latest.ts';
import { useKnown } from '../parts/names.ts';
import { KeyStorage } from './key-storage.tsx';
import { BooksStrip, readBooks, type Books } from './books-strip.tsx';
import { workOut } from '../history/wallet-deeds.ts';
import { Happened } from './happened.tsx';
import { readHappenings, type Happenings } from './happenings.ts';
import { LiveCard } from './live-card.tsx';
import { MoreActions } from './more.tsx';
import type { FormKind } from './payment-form.tsx';
import { usePlay } from './play-context.ts';
import { readPortrait, readyOf, type Portrait } from './portrait.ts';
import { Stage } from './stage.tsx';
import { stepOf } from './tour.ts';
import { useRetry } from './use-retry.ts';
import { WalletCard } from './wallet-card.tsx';
import { Welcome } from './welcome.tsx';
import { Wires } from './wires.tsx';

/** Storage key of a skipped tour. */
const SKIPPED = 'spl-private-payments.tour-skipped';

/** Initial amounts of the forms, in whole tokens. */
const FIRST_AMOUNT = { deposit: 1n, pay: 1n };

/** The start page: the tour, the wallets, their transactions, and live feeds. */
export function PlayView({ onLook }: { readonly onLook: () => void }) {
  const console = useConsole();
  const play = usePlay();
  const [form, setForm] = useState<FormKind | null>(null);
  const [isSkipped, skip] = useState(() => localStorage.getItem(SKIPPED) !== null);
  const mint = playMint(console.state.value);
  const as = console.viewpoint.value;
  const accounts = play.accounts.value;
  const epoch = console.epoch.value;
  const readers = accounts.map(
    ({ wallet }) => `${wallet} ${console.wallets.tokenOf(wallet) === null ? '-' : '+'}`,
  );
  const who = accounts.length === 0 ? null : `${as} ${readers.join(' ')}`;
  const portraits = useLatest(who, epoch, async () => {
    const read = accounts.map(
      async (each) => [each.wallet, await readPortrait(console.readers, as, each)] as const,
    );
    return new Map(await Promise.all(read));
  });
  const happenings = useLatest(who, epoch, () => readHappenings(console.readers, as, accounts));
  const count = useLatest(as === 'base' ? null : `count ${as}`, epoch, () =>
    console.readers.anyone.call<number>('getTransactionCount'),
  );
  const books = useLatest<{ readonly books: Books }>('books', epoch, async () => ({
    books: await readBooks(),
  }));
  useRetry(portraits, happenings);
  // The form closes when its transaction is signed or canceled.
  const activity = play.activity.value.kind;
  useEffect(() => {
    if (activity === 'sign') setForm(null);
  }, [activity]);
  const [payer] = play.progress.value.wallets ?? [];
  return (
    <>
      <Stage
        less={payer === undefined ? null : lessOf(happenings, portraits?.get(payer) ?? null, payer)}
        play={play}
        form={form}
        onForm={setForm}
        portraits={portraits ?? NONE}
        isTour={!isSkipped || stepOf(play.progress.value) === 0}
        onSkip={() => {
          localStorage.setItem(SKIPPED, '1');
          skip(true);
        }}
        onLook={onLook}
      />
      {accounts.length === 0 ? (
        <Welcome isRollupPrivate={console.state.value?.rollup.readPermissions !== false} />
      ) : (
        <div class="cols gap">
          <div class="col">
            <Wallets portraits={portraits} mint={mint} onForm={setForm} />
            <KeyStorage />
            <Happened
              as={as}
              happenings={happenings}
              mint={mint?.mint ?? ''}
              nowS={console.nowMs() / 1_000}
            />
          </div>
          <div class="col side">
            <BooksStrip books={books?.books ?? null} mint={mint?.mint ?? ''} isLoaded={books !== null} />
            <LiveCard rollupCount={count?.kind === 'value' ? count.value : null} />
          </div>
        </div>
      )}
    </>
  );
}

/** How much less a wallet withdrew than it deposited; null if base does not show it, or could not be read. */
function lessOf(happenings: Happenings | null, portrait: Portrait | null, wallet: string): bigint | null {
  if (happenings === null || happenings.fault !== null || happenings.cut.includes(wallet)) return null;
  if (portrait === null || portrait.eataFault !== null) return null;
  const worked = workOut(happenings.deeds, wallet, portrait.eata);
  return worked === null ? null : worked.putIn - worked.tookOut;
}

const NONE: ReadonlyMap<string, Portrait> = new Map();

function Wallets({
  portraits,
  mint,
  onForm,
}: {
  readonly portraits: ReadonlyMap<string, Portrait> | null;
  readonly mint: TableMint | null;
  readonly onForm: (form: FormKind) => void;
}) {
  const console = useConsole();
  const { names } = useKnown();
  const accounts = usePlay().accounts.value;
  const [proof, prove] = useState<string | null>(null);
  const as = console.viewpoint.value;
  if (mint === null) return null;
  const open = (kind: FormKind['kind'], wallet: string, isOnBase = false): void => {
    const ready = readyOf(portraits?.get(wallet) ?? null);
    const unit = 10n ** BigInt(mint.decimals);
    const to = accounts.find((each) => each.wallet !== wallet)?.wallet ?? '';
    const amount = kind === 'withdraw' ? ready : FIRST_AMOUNT[kind] * unit;
    onForm({ kind, wallet, to, amount, memo: '', isOnBase });
  };
  return (
    <div class="two">
      {accounts.map(({ wallet }) => (
        <WalletCard
          key={wallet}
          name={names.get(wallet) ?? 'Wallet'}
          address={wallet}
          as={as}
          mint={mint}
          portrait={portraits?.get(wallet) ?? null}
          onDeposit={() => open('deposit', wallet)}
          onPay={() => open('pay', wallet)}
          onTakeOut={() => open('withdraw', wallet)}
          more={
            <MoreActions
              wallet={wallet}
              portrait={portraits?.get(wallet) ?? null}
              onPayOnBase={() => open('pay', wallet, true)}
              onWires={() => prove(wallet)}
            />
          }
        />
      ))}
      {proof === null ? null : (
        <Wires
          title={`Calls for ${names.get(proof) ?? 'this wallet'}`}
          wires={portraits?.get(proof)?.wires ?? []}
          onClose={() => prove(null)}
        />
      )}
    </div>
  );
}
