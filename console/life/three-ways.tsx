import type { ComponentChildren } from 'preact';
import { Address } from '../parts/address.tsx';
import { MintAmount } from '../parts/amount.tsx';
import { Button } from '../parts/button.tsx';
import { formatCount } from '../parts/decimal.ts';
import { Glyph } from '../parts/glyph.tsx';
import { HostileText } from '../parts/hostile-text.tsx';
import { LedgerMark, Status } from '../parts/status.tsx';
import { Void } from '../parts/private-amount.tsx';
import type { Wire } from '../readers/wire.ts';
import type { BalanceAnswer, ReaderAnswers } from './three-ways.ts';

interface ThreeWaysProps {
  readonly base: ReaderAnswers | null;
  readonly anyone: ReaderAnswers | null;
  /** The owner's answers; null in other viewpoints. The column then has a button that switches. */
  readonly owner: ReaderAnswers | null;
  readonly payer: string;
  readonly payee: string;
  readonly mint: string;
  /** Conclusion from public data; null if there is none. */
  readonly workedOut: ComponentChildren;
  /** Switches to the owner's viewpoint. */
  readonly onOwner: () => void;
}

/** Compares what three readers see of a payment. Every cell is a live answer and names its call. */
export function ThreeWays(props: ThreeWaysProps) {
  const { payer, payee } = props;
  return (
    <section class="card space" aria-label="The payment, three ways">
      <header>
        <h2>The payment, three ways</h2>
        <span class="small dim wide">live answers of the ledgers</span>
      </header>
      <div class="three">
        <Heads payer={payer} />
        <Row name="The payment" {...props} cell={paymentCell} />
        <Row name="Who paid" {...props} cell={(answers, who) => partyCell(answers, who, 'from')} />
        <Row name="Who was paid" {...props} cell={(answers, who) => partyCell(answers, who, 'to')} />
        <Row name="Amount" {...props} cell={amountCell} />
        <Row name="Note" {...props} cell={memoCell} />
        <Row name="Slot and result" {...props} cell={statusCell} />
        <Row
          name={`${payer}’s balance`}
          {...props}
          cell={(answers, who) => balanceCell(answers.payer, who, props.mint)}
        />
        <Row
          name={`${payee}’s balance`}
          {...props}
          cell={(answers, who) => balanceCell(answers.payee, who, props.mint)}
        />
        {props.workedOut === null ? null : (
          <>
            <div class="k">Can be calculated</div>
            <div class="c2 vb">
              <span class="infer">{props.workedOut}</span>
            </div>
            <div class="c2 vu">
              <span class="infer">The same, because the base ledger is public.</span>
            </div>
            <div class="c2 vo o">nothing to calculate</div>
          </>
        )}
      </div>
      <Legend />
    </section>
  );
}

type Who = 'base' | 'anyone' | 'owner';

function Heads({ payer }: { readonly payer: string }) {
  return (
    <>
      <div class="h k wide" />
      <div class="h c2 vb wide">
        <b>
          <LedgerMark ledger="base" />
          Base ledger
        </b>
        <span>needs no token</span>
      </div>
      <div class="h c2 vu wide">
        <b>
          <Glyph name="crossed" />
          Anyone on the rollup
        </b>
        <span>without a token</span>
      </div>
      <div class="h c2 vo o wide">
        <b>
          <Glyph name="key" />
          {payer}, who paid
        </b>
        <span>with {payer}’s token</span>
      </div>
    </>
  );
}

type RowProps = ThreeWaysProps & {
  readonly name: string;
  readonly cell: (answers: ReaderAnswers, who: Who, mint: string) => ComponentChildren;
};

function Row({ name, base, anyone, owner, cell, mint, onOwner }: RowProps) {
  const isFirst = name === 'The payment';
  return (
    <>
      <div class="k">{name}</div>
      <div class="c2 vb">{base === null ? <Waiting /> : cell(base, 'base', mint)}</div>
      <div class="c2 vu">{anyone === null ? <Waiting /> : cell(anyone, 'anyone', mint)}</div>
      <div class="c2 vo o">
        {owner !== null ? (
          cell(owner, 'owner', mint)
        ) : isFirst ? (
          <Button onClick={onOwner}>Look as the owner</Button>
        ) : (
          <span class="no small">look as the owner to see it</span>
        )}
      </div>
    </>
  );
}

const Waiting = () => <span class="sk w2" role="img" aria-label="loading" />;

/** A cell for data that is not on base, or that the rollup hides. */
const missing = (who: Who): ComponentChildren =>
  who === 'base' ? (
    <span class="no">nothing</span>
  ) : (
    <>
      <Void />
      <span class="no small">hidden</span>
    </>
  );

function paymentCell(
  { payment, paymentWire, status, statusWire }: ReaderAnswers,
  who: Who,
): ComponentChildren {
  if (payment !== null) return cellOf('Everything.', paymentWire);
  if (status !== null) return cellOf('With its exact signature: it landed.', statusWire);
  return cellOf(who === 'base' ? <span class="no">No such transaction.</span> : missing(who), paymentWire);
}

function partyCell({ payment }: ReaderAnswers, who: Who, side: 'from' | 'to'): ComponentChildren {
  const address = payment?.[side] ?? null;
  return address === null ? missing(who) : <Address address={address} />;
}

function amountCell({ payment }: ReaderAnswers, who: Who, mint: string): ComponentChildren {
  if (payment?.amount == null) return missing(who);
  return <MintAmount base={payment.amount} mint={mint} size="mid" />;
}

function memoCell({ payment }: ReaderAnswers, who: Who): ComponentChildren {
  if (payment === null) return missing(who);
  return payment.memo === null ? <span class="no">none</span> : <HostileText text={payment.memo} />;
}

function statusCell({ status, statusWire }: ReaderAnswers, who: Who): ComponentChildren {
  if (status === null) return missing(who);
  return cellOf(`slot ${formatCount(status.slot)}, ${status.hasFailed ? 'failed' : 'succeeded'}`, statusWire);
}

function balanceCell(answer: BalanceAnswer | null, who: Who, mint: string): ComponentChildren {
  if (answer === null) return missing(who);
  const { amount, isStale, change, wire } = answer;
  if (change !== null) {
    return (
      <>
        <MintAmount base={change[0]} mint={mint} /> → <MintAmount base={change[1]} mint={mint} />
      </>
    );
  }
  if (amount === null) return cellOf(missing(who), wire);
  return cellOf(
    <>
      <MintAmount base={amount} mint={mint} />{' '}
      {isStale ? <span class="dim small">as of the last settlement</span> : null}
    </>,
    wire,
  );
}

const cellOf = (content: ComponentChildren, wire: Wire): ComponentChildren => (
  <>
    {content}
    <WireLine wire={wire} />
  </>
);

/** The call of a cell, with its result and duration. */
function WireLine({ wire: { method, answer, ms } }: { readonly wire: Wire }) {
  return (
    <span class="wire">
      {method} → {answer} · {Math.ceil(ms)} ms
    </span>
  );
}

function Legend() {
  return (
    <div class="legend">
      <span>
        <Void />
        the ledger answers as if it did not exist
      </span>
      <span class="no">nothing: not on this ledger</span>
      <Status kind="own">its parties only</Status>
      <span>
        <span class="infer">calculated</span> from public data
      </span>
    </div>
  );
}
