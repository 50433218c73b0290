import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { TableMint } from '../context/console-state.ts';
import type { Viewpoint } from '../parts/reader.ts';
import { amountFault, Field } from './fields.tsx';
import type { Intent } from './intent.ts';
import type { StageWords } from './stage-words.ts';
import { TourButtons } from './tour-buttons.tsx';
import type { Progress } from './tour.ts';

export interface TourStageProps {
  readonly step: number;
  readonly words: StageWords;
  readonly as: Viewpoint;
  readonly progress: Progress;
  readonly mint: TableMint | null;
  /** Label for the running action; null if there is none. */
  readonly busy: string | null;
  /** Why the browser cannot create wallets; null if it can. */
  readonly keysMissing: string | null;
  readonly names: readonly [payer: string, payee: string];
  readonly onWallets: () => void;
  readonly onBegin: (intents: readonly Intent[]) => void;
  readonly onLook: () => void;
  readonly onGoOn: () => void;
  readonly onRestart: () => void;
  /** A button that skips the tour. */
  readonly skip: ComponentChildren;
}

/** Initial values of the tour's fields, in whole tokens. */
const DEPOSITS = ['3.5', '1'] as const;
const PAYMENT = '1.25';
const NOTE = 'for lunch';

/** A step of the tour: its text, its fields and its main button. */
export function TourStage(props: TourStageProps) {
  const { words, step, busy } = props;
  const [deposits, setDeposits] = useState<readonly [string, string]>(DEPOSITS);
  const [payment, setPayment] = useState(PAYMENT);
  const [note, setNote] = useState(NOTE);
  const unit = props.mint?.symbol ?? 'tokens';
  const decimals = props.mint?.decimals ?? 0;
  const isPaying = step === 2 && props.as === 'owner';
  return (
    <div class="stage" aria-busy={busy !== null}>
      <div>
        <h1>{words.title}</h1>
        <p>{words.text}</p>
        {step === 1 ? (
          <div class="row wrap fields">
            {([0, 1] as const).map((at) => (
              <Field
                key={at}
                label={`${props.names[at]}’s deposit`}
                unit={unit}
                value={deposits[at]}
                fault={amountFault(deposits[at], decimals)}
                onInput={(value) => setDeposits(at === 0 ? [value, deposits[1]] : [deposits[0], value])}
              />
            ))}
          </div>
        ) : null}
        {isPaying ? (
          <div class="row wrap fields">
            <Field
              label={`Payment by ${props.names[0]}`}
              unit={unit}
              value={payment}
              fault={amountFault(payment, decimals)}
              onInput={setPayment}
            />
            <Field label="Note" value={note} onInput={setNote} />
          </div>
        ) : null}
      </div>
      <div class="act">
        <TourButtons {...props} deposits={deposits} payment={payment} note={note} />
        {props.skip}
      </div>
    </div>
  );
}
