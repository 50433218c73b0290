import { useEffect, useRef, useState } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import { playMint } from '../context/console-state.ts';
import { amountIn } from '../explain/words.ts';
import { useKnown } from '../parts/names.ts';
import type { Viewpoint } from '../parts/reader.ts';
import { contentOf } from '../payments/consent.ts';
import { keysMissing } from '../wallets/keypair.ts';
import type { Activity } from './activity.ts';
import type { Play } from './flow.ts';
import { PaymentForm, type FormKind } from './payment-form.tsx';
import type { Portrait } from './portrait.ts';
import { SignPanel } from './sign-panel.tsx';
import { Covered, Failed, Landed, NotKnown, Settling } from './stage-states.tsx';
import { stageWords, type StageFacts } from './stage-words.ts';
import { Steps } from './steps.tsx';
import { asShown, stepOf, type Progress } from './tour.ts';
import { TourStage } from './tour-stage.tsx';

interface StageProps {
  readonly play: Play;
  /** The open form; null for the tour. */
  readonly form: FormKind | null;
  readonly onForm: (form: FormKind | null) => void;
  readonly portraits: ReadonlyMap<string, Portrait>;
  /** How much less the payer withdrew than deposited; null while base does not show it. */
  readonly less: bigint | null;
  /** Whether to show the steps of the tour. */
  readonly isTour: boolean;
  readonly onSkip: () => void;
  /** Looks as anyone and focuses the switch. */
  readonly onLook: () => void;
}

/** The main card: a step of the tour, a form, or a proposal to sign. */
export function Stage(props: StageProps) {
  const { play, isTour } = props;
  const activity = play.activity.value;
  const step = stepOf(shownProgress(props));
  const card = useRef<HTMLElement>(null);
  const hasActed = useRef(false);
  // The focused element is gone with its step. Focuses the next button, or the heading of a proposal, which
  // must be read first.
  useEffect(() => {
    hasActed.current ||= activity.kind !== 'rest';
    if (!hasActed.current || document.activeElement !== document.body) return;
    const next = activity.kind === 'sign' ? 'h1' : '.btn.main';
    card.current?.querySelector<HTMLElement>(next)?.focus();
  }, [activity.kind, step]);
  return (
    <section ref={card} class="card stagecard" aria-label="Your first private payment">
      {isTour ? <Steps now={step} /> : null}
      <Content {...props} activity={activity} step={step} />
    </section>
  );
}

/**
 * Whether the stage has content that only the owner may see, but the viewpoint is not the owner's. Without a
 * login, this applies only to proposals that were built with a token.
 */
function isCovered(activity: Activity, as: Viewpoint, hasOwner: boolean): boolean {
  if (as === 'owner') return false;
  if (activity.kind === 'sign') return hasOwner || activity.proposal.isOwners;
  return hasOwner && ['failed', 'unknown', 'landed'].includes(activity.kind);
}

/** The progress of the tour, updated with the payer's account on base. */
function shownProgress({ play, portraits }: StageProps): Progress {
  const progress = play.progress.value;
  const [payer] = progress.wallets ?? [];
  return asShown(progress, payer === undefined ? null : (portraits.get(payer)?.eata ?? null));
}

function Content(props: StageProps & { readonly activity: Activity; readonly step: number }) {
  const { activity, play, form, onForm } = props;
  const { viewpoint, owners } = useConsole();
  if (isCovered(activity, viewpoint.value, owners.value.length > 0)) return <Covered play={play} />;
  if (activity.kind === 'sign') {
    const { intent, proposal, hasChanged } = activity;
    return (
      <SignPanel
        key={contentOf(proposal)}
        intent={intent}
        proposal={proposal}
        hasChanged={hasChanged}
        onSign={(agreed) => void play.sign(agreed)}
        onCancel={() => play.cancel()}
      />
    );
  }
  if (activity.kind === 'failed') return <Failed play={play} activity={activity} />;
  if (activity.kind === 'unknown') return <NotKnown play={play} unknown={activity} />;
  if (activity.kind === 'landed') return <Landed play={play} activity={activity} />;
  if (activity.kind === 'settling') return <Settling play={play} activity={activity} />;
  return form === null ? <Tour {...props} /> : <Form {...props} form={form} onForm={onForm} />;
}

function Tour(props: StageProps & { readonly activity: Activity; readonly step: number }) {
  const { less, play, activity, step, portraits, isTour, onSkip, onLook } = props;
  const console = useConsole();
  const known = useKnown();
  const { names } = known;
  const [missing, setMissing] = useState<string | null>(null);
  useEffect(() => {
    void keysMissing().then(setMissing);
  }, []);
  const progress = shownProgress(props);
  const mint = playMint(console.state.value);
  const as = console.viewpoint.value;
  const [payer, payee] = progress.wallets ?? [null, null];
  const nameOf = (address: string | null, fallback: string): string =>
    address === null ? fallback : (names.get(address) ?? fallback);
  const amount = (base: bigint): string => amountIn(known, base, mint?.mint ?? null);
  const shown = payer === null ? undefined : portraits.get(payer)?.onBase;
  const facts: StageFacts = {
    payer: nameOf(payer, 'Alice'),
    payee: nameOf(payee, 'Bob'),
    paid: progress.paid === null ? '' : amount(progress.paid.amount),
    deposits: depositWords(progress.wallets ?? [], portraits, amount),
    onBase: shown?.kind === 'amount' ? amount(shown.amount) : 'the tokens',
    less: less === null || less <= 0n ? null : amount(less),
    isWaitingForTakeOut: progress.settled !== null,
  };
  return (
    <TourStage
      step={step}
      words={stageWords(step, as, facts)}
      as={as}
      progress={progress}
      mint={mint}
      busy={activity.kind === 'busy' ? activity.words : null}
      keysMissing={missing}
      names={[facts.payer, facts.payee]}
      onWallets={() => void play.makeWallets()}
      onBegin={(intents) => void play.begin(intents)}
      onLook={onLook}
      onGoOn={() => play.goOn()}
      onRestart={() => play.restart()}
      skip={
        isTour && step < 5 ? (
          <button class="more" type="button" onClick={onSkip}>
            Skip the tour
          </button>
        ) : null
      }
    />
  );
}

/** The deposits that base shows for the wallets. */
function depositWords(
  wallets: readonly string[],
  portraits: ReadonlyMap<string, Portrait>,
  amount: (base: bigint) => string,
): string {
  const amounts = wallets.flatMap((wallet) => {
    const eata = portraits.get(wallet)?.eata;
    return eata === null || eata === undefined ? [] : [amount(eata.amount)];
  });
  return amounts.length === 0 ? 'deposits' : amounts.join(' and ');
}

function Form({ play, form, onForm }: StageProps & { readonly form: FormKind }) {
  const console = useConsole();
  const { names } = useKnown();
  const mint = playMint(console.state.value);
  if (mint === null) return null;
  const payees = console.wallets.all.value
    .map(({ name, key }) => ({ name, address: key.address }))
    .filter(({ address }) => address !== form.wallet);
  return (
    <PaymentForm
      key={`${form.kind} ${form.wallet} ${form.isOnBase}`}
      form={form}
      name={names.get(form.wallet) ?? 'This wallet'}
      mint={mint}
      payees={payees}
      isBusy={play.activity.value.kind === 'busy'}
      onBegin={(intent) => void play.begin([intent])}
      onCancel={() => onForm(null)}
    />
  );
}
