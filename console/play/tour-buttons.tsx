import { Button } from '../parts/button.tsx';
import { formatDecimal, parseDecimal } from '../parts/decimal.ts';
import { Glyph } from '../parts/glyph.tsx';
import { Go } from '../parts/go.tsx';
import type { Intent } from './intent.ts';
import type { TourStageProps } from './tour-stage.tsx';
import type { Progress } from './tour.ts';

/** Values of the stage's fields. */
interface Typed {
  readonly deposits: readonly [string, string];
  readonly payment: string;
  readonly note: string;
}

type TourButtonsProps = TourStageProps & Typed;

/** The main button of a step, and secondary links. */
export function TourButtons(props: TourButtonsProps) {
  switch (props.step) {
    case 0:
      return <MakeWallets {...props} />;
    case 1:
      return <Deposit {...props} />;
    case 2:
      return props.as === 'owner' ? (
        <Pay {...props} />
      ) : (
        <Main {...props} label="Look as the owner" intents={[]} />
      );
    case 3:
      return <LookAgain {...props} />;
    case 4:
      return <TakeOut {...props} />;
    default:
      return (
        <>
          <Go class="btn main big" to={lifeOf(props.progress)}>
            See every step
          </Go>
          <Button onClick={props.onRestart}>Start again</Button>
        </>
      );
  }
}

type MainProps = TourStageProps & {
  readonly label: string;
  readonly intents: readonly Intent[];
  /** Why the button is disabled; null if it is not. */
  readonly fault?: string | null;
};

function Main({ label, intents, fault = null, busy, onBegin }: MainProps) {
  return (
    <Button kind="main" big busy={busy !== null} reason={fault ?? undefined} onClick={() => onBegin(intents)}>
      {busy ?? label}
    </Button>
  );
}

function MakeWallets({ busy, keysMissing, mint, onWallets }: TourStageProps) {
  const reason = keysMissing ?? (mint === null ? 'Waiting for the service' : undefined);
  return (
    <>
      <Button kind="main" big busy={busy !== null} reason={reason} onClick={onWallets}>
        {busy ?? 'Start the tour'}
      </Button>
      <span class="small dim center">{keysMissing ?? 'Creates two test wallets in this tab'}</span>
    </>
  );
}

function Deposit(props: TourButtonsProps) {
  const { progress, deposits, mint } = props;
  const amounts = deposits.map((text) => parseDecimal(text, mint?.decimals ?? 0));
  const isRight = amounts.every((amount) => amount !== null && amount > 0n);
  const intents = (progress.wallets ?? []).flatMap((wallet, at): Intent[] =>
    progress.deposited.includes(wallet) ? [] : [{ kind: 'deposit', wallet, amount: amounts[at] ?? 0n }],
  );
  const label = intents.length === 1 ? 'Deposit' : 'Deposit for both';
  return (
    <Main
      {...props}
      label={label}
      intents={intents}
      fault={isRight ? null : 'Enter a number for both amounts'}
    />
  );
}

function Pay(props: TourButtonsProps) {
  const [payer, payee] = props.progress.wallets ?? [];
  const amount = parseDecimal(props.payment, props.mint?.decimals ?? 0);
  const isRight = amount !== null && amount > 0n && payer !== undefined && payee !== undefined;
  const intents: readonly Intent[] = isRight
    ? [{ kind: 'pay', wallet: payer, to: payee, amount, memo: props.note, isOnBase: false }]
    : [];
  return (
    <Main
      {...props}
      label="Review before signing"
      intents={intents}
      fault={isRight ? null : 'Enter a number'}
    />
  );
}

function LookAgain({ as, progress, onGoOn, onLook }: TourStageProps) {
  return (
    <>
      {as === 'anyone' ? (
        <Button kind="main" big onClick={onGoOn}>
          Next: withdraw
        </Button>
      ) : (
        <Button kind="main" big onClick={onLook}>
          <Glyph name="crossed" />
          Look as anyone
        </Button>
      )}
      <Go class="btn quiet" to={lifeOf(progress)}>
        See every step
      </Go>
    </>
  );
}

function TakeOut(props: TourStageProps) {
  const { progress, mint } = props;
  const [wallet = ''] = progress.wallets ?? [];
  const { settled } = progress;
  if (settled === null)
    return <Main {...props} label="Undelegate" intents={[{ kind: 'undelegate', wallet }]} />;
  const label = `Withdraw ${formatDecimal(settled, mint?.decimals ?? 0)} ${mint?.symbol ?? 'tokens'}`;
  return <Main {...props} label={label} intents={[{ kind: 'withdraw', wallet, amount: settled }]} />;
}

const lifeOf = ({ paid }: Progress): string =>
  paid === null ? '/console/life' : `/console/life/${paid.signature}`;
