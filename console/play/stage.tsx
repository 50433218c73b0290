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
  /** What a wallet's button asked for; null for the tour itself. */
  readonly form: FormKind | null;
  readonly onForm: (form: FormKind | null) => void;
  readonly portraits: ReadonlyMap<string, Portrait>;
  /** How much less came back to the payer than was put in, as base shows it; null as long as it does not. */
  readonly less: bigint | null;
  /** Whether the tour is shown, or only what is next. */
  readonly isTour: boolean;
  readonly onSkip: () => void;
  /** Looks as anyone, and shows where that is switched. */
  readonly onLook: () => void;
}

/** Where everything is done: a step of the tour, a form, or what is about to be signed. */
export function Stage(props: StageProps) {
  const { play, isTour } = props;
  const activity = play.activity.value;
  const step = stepOf(shownProgress(props));
  const card = useRef<HTMLElement>(null);
  const hasActed = useRef(false);
  // What had the focus is gone with the step it was of: the next thing to press takes it, but what is to be
  // signed is to be read first.
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
 * Whether the stage holds what the owner alone was told while someone else looks. Where no wallet is logged in,
 * only what was told before the login was gone is the owner's.
 */
function isCovered(activity: Activity, as: Viewpoint, hasOwner: boolean): boolean {
  if (as === 'owner') return false;
  if (activity.kind === 'sign') return hasOwner || activity.proposal.isOwners;
  return hasOwner && ['failed', 'unknown', 'landed'].includes(activity.kind);
}

/** How far the tour is, by what was done here and by what base shows of the payer. */
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

/** What base shows of each wallet's deposit. */
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
