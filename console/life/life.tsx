import { useEffect } from 'preact/hooks';
import { useConsole, type Console } from '../context/console.ts';
import { playMint, type TableMint } from '../context/console-state.ts';
import { useLatest } from '../context/use-latest.ts';
import type { WalletAccounts } from '../history/wallet-deeds.ts';
import { wordsOf } from '../parts/loaded.tsx';
import { isAddress, isSignature } from '../parts/encodings.ts';
import { Go } from '../parts/go.tsx';
import { useKnown } from '../parts/names.ts';
import { shorten } from '../parts/short-text.ts';
import { Empty, Note, Skeleton } from '../parts/states.tsx';
import { findPayer } from './life-facts.ts';
import { LifeOf } from './life-of.tsx';
import { Stranger } from './stranger.tsx';

export interface LifeViewProps {
  /** A signature or a wallet; empty for the payment of this tab. */
  readonly id: string;
  /** The wallets of this tab with their accounts. */
  readonly accounts: readonly WalletAccounts[];
  /** The payment of the tour; null if there is none. */
  readonly ownPayment: string | null;
  /** The wallet that waits for its settlement; null for none. */
  readonly settling: string | null;
  readonly onOwner: () => void;
}

/** The life of a payment, found by signature or wallet; by default this tab's own payment. */
export function LifeView(props: LifeViewProps) {
  const { id, accounts, ownPayment } = props;
  const console = useConsole();
  const { names } = useKnown();
  const mint = playMint(console.state.value);
  const target = id === '' ? (ownPayment ?? accounts[0]?.wallet ?? '') : id;
  const signature = isSignature(target) ? target : null;
  const owners = console.owners.value;
  // Only the owner can see which wallet made a payment; the link does not reveal it.
  const found = useLatest(
    mint === null || target === '' ? null : `${target} ${owners.join(' ')}`,
    0,
    async () => {
      try {
        return {
          wallet: mint === null ? null : await walletOf(target, accounts, mint, console),
          fault: null,
        };
      } catch (error) {
        return { wallet: null, fault: wordsOf(error) };
      }
    },
  );
  useEffect(() => {
    const steps = (event: KeyboardEvent): void => moveStep(event);
    addEventListener('keydown', steps);
    return () => removeEventListener('keydown', steps);
  }, []);
  if (target === '') {
    return (
      <section class="card">
        <h1 class="vh">Life of a payment</h1>
        <Empty title="No payment yet.">
          Make a payment in the tour. Every step of it then appears here.
          <br />
          <Go class="btn main" to="/console/">
            Start the tour
          </Go>
        </Empty>
      </section>
    );
  }
  if (signature === null && !isAddress(target)) {
    return <Note kind="bad">“{shorten(target, 6)}” is neither a signature nor an address.</Note>;
  }
  if (found === null || mint === null) return <Skeleton rows={7} />;
  const { wallet, fault } = found;
  if (fault !== null) return <Note kind="bad">{fault}</Note>;
  if (wallet === null) return <Stranger signature={target} />;
  return (
    <LifeOf
      {...props}
      wallet={wallet}
      signature={signature}
      mint={mint}
      payer={names.get(wallet.wallet) ?? shorten(wallet.wallet)}
    />
  );
}

async function walletOf(
  target: string,
  accounts: readonly WalletAccounts[],
  mint: TableMint,
  console: Console,
): Promise<WalletAccounts | null> {
  if (isSignature(target)) return await findPayer(console.readers, accounts, target);
  return { wallet: target, ...(await console.accountsOf(target, mint)) };
}

/** Focuses the previous or next step on `[` or `]`. */
function moveStep({ key, target }: KeyboardEvent): void {
  if (
    (key !== '[' && key !== ']') ||
    (target instanceof HTMLElement && /^(INPUT|TEXTAREA)$/.test(target.tagName))
  )
    return;
  const steps = [...document.querySelectorAll<HTMLElement>('.step')];
  const at = steps.findIndex((step) => step === document.activeElement);
  const next = at < 0 ? 0 : Math.min(Math.max(at + (key === ']' ? 1 : -1), 0), steps.length - 1);
  steps[next]?.focus();
}
