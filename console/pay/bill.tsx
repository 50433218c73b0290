import { useEffect, useState } from 'preact/hooks';
import { Address } from '../parts/address.tsx';
import { Amount } from '../parts/amount.tsx';
import { HostileText } from '../parts/hostile-text.tsx';
import { KeyValue } from '../parts/key-value.tsx';
import { dateTime, msOf, shorten } from '../parts/short-text.ts';
import { Tag } from '../parts/status.tsx';
import { claimedHost, clusterOf, isPrivate, type Order, type Terms } from './order.ts';

interface PriceProps {
  readonly terms: Terms;
  /** Base units. */
  readonly base: bigint;
  /** `mid` shows a change of a balance, with its sign. */
  readonly size: 'hero' | 'mid' | 'plain';
}

/** An amount in whole tokens, or in base units if the mint's decimals are unknown. */
export function Price({ terms: { mint, decimals, symbol }, base, size }: PriceProps) {
  const isKnown = Number.isInteger(decimals);
  return (
    <Amount
      base={base}
      decimals={isKnown ? (decimals ?? 0) : 0}
      unit={`${isKnown ? '' : 'base units of '}${symbol ?? `token ${shorten(mint)}`}`}
      signed={size === 'mid'}
      size={size}
    />
  );
}

/** Labels for the tokens of test networks. */
const MONEY: Readonly<Record<string, string>> = { localnet: 'play money', devnet: 'test money' };

/** The amount, the merchant and the network of a payment. */
export function Bill({ terms, order, nowMs }: { terms: Terms; order: Order | null; nowMs: () => number }) {
  const [isWhole, setWhole] = useState(false);
  const cluster = clusterOf(terms);
  const host = claimedHost(terms, location.host);
  return (
    <>
      <div class="due">
        <h1>
          {order === null || order.status === 'created' ? 'Pay ' : null}
          <Price terms={terms} base={BigInt(terms.amount)} size="hero" />
        </h1>
        <p>{terms.description === undefined ? null : <HostileText text={terms.description} />}</p>
      </div>
      <div class="pad">
        <KeyValue
          rows={[
            [
              'Sold by',
              <span class="row wrap">
                the wallet
                <Address address={terms.merchantId} length={isWhole ? 'whole' : 'list'} copy />
                <button
                  class="more small"
                  type="button"
                  aria-expanded={isWhole}
                  onClick={() => setWhole(!isWhole)}
                >
                  {isWhole ? 'shorten' : 'whole address'}
                </button>
              </span>,
            ],
            ...(host === null
              ? []
              : [
                  [
                    'For',
                    <>
                      {host}{' '}
                      <div class="small dim">The merchant says so. This service has not checked it.</div>
                    </>,
                  ] as const,
                ]),
            ...(order === null ? [] : [['From', <Address address={order.payer} copy />] as const]),
            [
              'Network',
              <>
                <span class="row wrap">
                  Rollup of {cluster === 'custom' ? 'this service' : cluster}
                  {MONEY[cluster] === undefined ? null : <Tag>{MONEY[cluster]}</Tag>}
                </span>
                <div class="small dim">{isPrivate(terms) ? 'a private' : 'a'} ledger next to Solana</div>
              </>,
            ],
            [
              'Who can see it',
              isPrivate(terms) ? (
                <span class="own">Only you, the merchant, and the operators of this service and ledger.</span>
              ) : (
                'Everyone: the payment is public.'
              ),
            ],
            ...(order?.status === 'created'
              ? [['Time left', <TimeLeft until={order.expiresAt} nowMs={nowMs} />] as const]
              : []),
          ]}
        />
      </div>
    </>
  );
}

/** Counts down to a time. The state of the order, not this clock, decides whether it can be paid. */
function TimeLeft({ until, nowMs }: { readonly until: string; readonly nowMs: () => number }) {
  const [, redraw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => redraw((count) => count + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  const untilMs = msOf(until);
  const seconds = Math.max(0, Math.floor((untilMs - nowMs()) / 1_000));
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const words = ['h', 'min', 's'].map((unit, at) => `${parts[at]} ${unit}`);
  return (
    <time dateTime={until} title={dateTime(untilMs)}>
      {words.slice(seconds >= 3_600 ? 0 : seconds >= 60 ? 1 : 2).join(' ')}
    </time>
  );
}
