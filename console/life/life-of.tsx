import { useConsole } from '../context/console.ts';
import type { TableMint } from '../context/console-state.ts';
import { useLatest } from '../context/use-latest.ts';
import type { WalletAccounts } from '../history/wallet-deeds.ts';
import { amountIn } from '../explain/words.ts';
import { Button } from '../parts/button.tsx';
import { Copy } from '../parts/copy.tsx';
import { keepViewpoint } from '../parts/go.tsx';
import { navigate, useSearch } from '../parts/location.ts';
import { useKnown } from '../parts/names.ts';
import { shorten } from '../parts/short-text.ts';
import { Note, Skeleton } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';
import type { Cycle } from './cycle.ts';
import { ADDED_UP_MAX, readLife, type LifeFacts } from './life-facts.ts';
import type { LifeViewProps } from './life.tsx';
import { StepRow } from './step-row.tsx';
import { stepsOf } from './steps.ts';
import { askThreeWays, type ReaderAnswers } from './three-ways.ts';
import { ThreeWays } from './three-ways.tsx';

type LifeOfProps = LifeViewProps & {
  readonly wallet: WalletAccounts;
  /** Name of the wallet. */
  readonly payer: string;
  readonly signature: string | null;
  readonly mint: TableMint;
};

/** The life of one wallet's payment for the current viewpoint. */
export function LifeOf(props: LifeOfProps) {
  const { wallet, payer, mint, signature, accounts, settling } = props;
  const console = useConsole();
  const as = console.viewpoint.value;
  const labels = useKnown();
  const epoch = console.epoch.value;
  // Private steps are drawn only in a browser that can also look as the owner.
  const hasToken = console.owners.value.includes(wallet.wallet);
  const seen = as === 'owner' && !hasToken ? 'anyone' : as;
  const key = `${seen} ${wallet.wallet} ${signature ?? ''}`;
  const facts = useLatest(key, epoch, () => readLife(console.readers, seen, wallet, signature));
  if (facts === null) return <Skeleton rows={7} />;
  const payment = facts.cycle.payment;
  const payeeAta = payment?.to ?? accounts.find((each) => each.wallet !== wallet.wallet)?.ata ?? null;
  const payeeWallet = accounts.find(({ ata }) => ata === payeeAta)?.wallet ?? payeeAta;
  const payee = payeeWallet === null ? 'Someone' : (labels.names.get(payeeWallet) ?? shorten(payeeWallet));
  const isSettling = settling === wallet.wallet && facts.cycle.settlement === null;
  const steps = stepsOf({
    as: seen,
    payer,
    payee,
    unit: mint.symbol ?? 'the mint',
    cycle: facts.cycle,
    status: facts.status,
    settling: isSettling ? 'waiting' : isStalled(facts.cycle, console.nowMs()) ? 'stalled' : 'no',
  });
  const drawn = hasToken ? steps : steps.filter(({ isPrivate }) => !isPrivate);
  return (
    <>
      <Head facts={facts} payer={payer} signature={payment?.signature ?? signature} />
      {facts.fault === null ? null : <Note kind="bad">{facts.fault}</Note>}
      <section class="card" aria-label="Steps">
        <div class="lanes-head" aria-hidden="true">
          <div>Step</div>
          <div class="lanes">
            <span>{payer}</span>
            <span>Base</span>
            <span>Delegation</span>
            <span>Rollup</span>
            <span>Settlement</span>
          </div>
          <div>Transaction</div>
        </div>
        <ol>
          {drawn.map((step, at) => (
            <StepRow step={step} mint={mint.mint} payer={payer} before={drawn[at - 1]} key={step.number} />
          ))}
        </ol>
        {hasToken ? null : <Note kind="plain">Steps on the rollup are hidden from this reader.</Note>}
      </section>
      <Compared {...props} facts={facts} payee={payee} payeeAta={payeeAta} hasToken={hasToken} />
    </>
  );
}

/** Time after which a settlement counts as stalled, seconds. On localnet it takes about 40 ms. */
const STALLED_S = 5;

function isStalled({ undelegation, settlement }: Cycle, nowMs: number): boolean {
  if (undelegation === null || undelegation.hasFailed || settlement !== null) return false;
  return undelegation.time !== null && nowMs / 1_000 - undelegation.time > STALLED_S;
}

interface HeadProps {
  readonly facts: LifeFacts;
  readonly payer: string;
  readonly signature: string | null;
}

function Head({ facts: { cycle }, payer, signature }: HeadProps) {
  const { deposit, withdrawal } = cycle;
  const isComplete = deposit?.time != null && withdrawal?.time != null;
  return (
    <div class="head">
      <div>
        <h1>Life of a payment</h1>
        <p>
          From {payer}’s deposit to the withdrawal.{' '}
          {signature === null ? null : (
            <>
              Payment <span class="mono">{shorten(signature, 6)}</span>{' '}
              <Copy text={signature} what="signature" />
            </>
          )}
        </p>
      </div>
      <div class="row wrap">
        {isComplete ? (
          <Status kind="ok">completed in {(withdrawal.time ?? 0) - (deposit.time ?? 0)} s</Status>
        ) : (
          <Status kind="wait">in progress</Status>
        )}
        {signature === null ? null : <ExplainThis what={signature} />}
      </div>
    </div>
  );
}

/** Opens the explain view. The input stays in memory and out of the URL. */
function ExplainThis({ what }: { readonly what: string }) {
  const { explaining } = useConsole();
  const search = useSearch();
  return (
    <Button
      onClick={() => {
        explaining.value = { what, request: '' };
        navigate(keepViewpoint('/console/explain', search));
      }}
    >
      Explain the payment
    </Button>
  );
}

type ComparedProps = LifeOfProps & {
  readonly facts: LifeFacts;
  readonly payee: string;
  readonly payeeAta: string | null;
  readonly hasToken: boolean;
};

/** Compares the answers of three readers. The owner's token is used only in the owner's viewpoint. */
function Compared({
  wallet,
  payer,
  payee,
  payeeAta,
  mint,
  facts,
  signature,
  hasToken,
  accounts,
  onOwner,
}: ComparedProps) {
  const console = useConsole();
  const as = console.viewpoint.value;
  const labels = useKnown();
  const paid = facts.cycle.payment?.signature ?? signature;
  const other = accounts.find(({ ata }) => ata === payeeAta) ?? null;
  const isOwner = as === 'owner' && hasToken;
  const loaded = useLatest(
    paid === null || !hasToken ? null : `${as} ${wallet.wallet} ${paid} ${payeeAta ?? ''}`,
    console.epoch.value,
    async () => {
      const { base, anyone } = console.readers;
      const owner = isOwner ? console.readers.owner(wallet.wallet) : null;
      const [ofBase, ofAnyone, ofOwner] = await Promise.all(
        [base, anyone, owner].map((reader): Promise<ReaderAnswers> | null =>
          reader === null ? null : askThreeWays(reader, paid ?? '', wallet, other, accounts),
        ),
      );
      return { base: ofBase ?? null, anyone: ofAnyone ?? null, owner: ofOwner ?? null };
    },
  );
  if (paid === null || !hasToken) return null;
  const { worked } = facts;
  const amount = (base: bigint): string => amountIn(labels, base, mint.mint);
  const less = worked === null ? 0n : worked.putIn - worked.tookOut;
  return (
    <ThreeWays
      base={loaded?.base ?? null}
      anyone={loaded?.anyone ?? null}
      owner={isOwner ? (loaded?.owner ?? null) : null}
      payer={payer}
      payee={payee}
      mint={mint.mint}
      workedOut={
        worked === null
          ? facts.isCut
            ? `Not calculated: the page reads only the newest ${ADDED_UP_MAX} transactions of the base ledger.`
            : null
          : `${payer} deposited ${amount(worked.putIn)} and withdrew ${amount(worked.tookOut)}: ${
              less === 0n
                ? 'the same'
                : less > 0n
                  ? `${amount(less)} less. The recipient is not shown.`
                  : `${amount(-less)} more. The payer is not shown.`
            }`
      }
      onOwner={onOwner}
    />
  );
}
