import { amountIn } from '../explain/words.ts';
import { MintAmount } from '../parts/amount.tsx';
import { formatCount, formatDecimal } from '../parts/decimal.ts';
import { HostileText } from '../parts/hostile-text.tsx';
import { useKnown } from '../parts/names.ts';
import { Void } from '../parts/private-amount.tsx';
import { Signature } from '../parts/signature.tsx';
import { Status } from '../parts/status.tsx';
import { STATE_WORDS, stepSentence } from './step-words.ts';
import type { Step } from './steps.ts';

interface StepRowProps {
  readonly step: Step;
  readonly mint: string;
  readonly payer: string;
  /** The previous step. Both may be in the same transaction. */
  readonly before: Step | undefined;
}

/** A step: its text, its arrow between the lanes, and its transaction. */
export function StepRow({ step, mint, payer, before }: StepRowProps) {
  const labels = useKnown();
  const { number, title, text, deed, isPrivate, amount } = step;
  const said = amount === null ? '' : amountIn(labels, amount, mint);
  return (
    <li
      class={`step ${isPrivate ? 'priv' : ''} ${step.state}`}
      id={`step-${number}`}
      tabIndex={-1}
      aria-label={stepSentence(step, payer, said)}
    >
      <div class="txt">
        <b>
          {number}. {title}
        </b>
        <span class="s">
          {text}{' '}
          {deed?.memo == null || number !== 4 ? null : (
            <>
              “<HostileText text={deed.memo} />”
            </>
          )}
        </span>
      </div>
      <div class="lanes" aria-hidden="true">
        {[0, 1, 2, 3, 4].map((lane) => (
          <i class={`ln l${lane}`} key={lane} />
        ))}
        <Arrow step={step} mint={mint} />
      </div>
      <Meta step={step} before={before} />
    </li>
  );
}

function Arrow({ step, mint }: { readonly step: Step; readonly mint: string }) {
  const { arrow, route, isBack, isAuto, isPrivate, amount, isVoid, state } = step;
  if (arrow === 'none') return null;
  const isDashed = (isAuto && isPrivate) || state === 'waiting';
  const name = [
    'arrow',
    arrow === 'stub' ? 'a-dr stub' : `a-${route}`,
    isBack ? 'back' : '',
    isDashed ? 'auto' : '',
  ];
  return (
    <div class={name.filter((part) => part !== '').join(' ')}>
      {amount === null && !isVoid ? null : (
        <span class="c">
          {isVoid || amount === null ? (
            <Void />
          ) : isPrivate ? (
            <span class="pv">
              <span class="v">
                <MintAmount base={amount} mint={mint} />
              </span>
            </span>
          ) : (
            <MintAmount base={amount} mint={mint} />
          )}
        </span>
      )}
    </div>
  );
}

function Meta({ step, before }: { readonly step: Step; readonly before: Step | undefined }) {
  const { state, readers, deed } = step;
  const { kind, word } = STATE_WORDS[state];
  const isSilent = state === 'not-shown' || (state === 'private' && deed === null);
  const words = readers === word || isSilent ? readers : word;
  const isSame = deed !== null && before?.deed?.signature === deed.signature;
  return (
    <div class="meta">
      <div>
        {kind === null ? <span class="dim">{words}</span> : <Status kind={kind}>{words}</Status>}{' '}
        {words === readers ? null : <span class="dim">· {readers}</span>}
      </div>
      {deed === null ? null : isSame ? (
        <div class="dim">same transaction</div>
      ) : (
        <>
          <div>
            <Signature signature={deed.signature} ledger={deed.ledger} />{' '}
            <span class="dim">slot {formatCount(deed.slot)}</span>
          </div>
          <div class="tiny dim">
            {deed.ledger === 'rollup' ? 'no fee' : `fee ${formatDecimal(deed.feeLamports, 9)} SOL`}
            {deed.computeUnits === null ? '' : ` · ${formatCount(deed.computeUnits)} CU`}
          </div>
        </>
      )}
    </div>
  );
}
