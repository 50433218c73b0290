import { Amount } from './amount.tsx';
import { formatCount } from './decimal.ts';

interface Figure {
  /** Base units. */
  readonly base: bigint;
  readonly decimals: number;
  readonly unit: string;
}

/**
 * A private amount that one reader requested.
 *
 * `void`: hidden. `nothing`: not on this ledger. `stale`: as of the last settlement.
 */
export type PrivateCell =
  | { readonly state: 'loading' }
  | ({ readonly state: 'value' } & Figure)
  | { readonly state: 'void' }
  | { readonly state: 'nothing'; readonly says?: string }
  | ({ readonly state: 'stale'; readonly slot: bigint } & Figure);

interface PrivateAmountProps {
  readonly cell: PrivateCell;
  readonly place: 'balance' | 'row';
}

/** A private amount in a box of fixed size, which hides its length. */
export function PrivateAmount({ cell, place }: PrivateAmountProps) {
  return (
    <span class={`pv ${place}`}>
      <PrivateContent cell={cell} place={place} />
    </span>
  );
}

function PrivateContent({ cell, place }: PrivateAmountProps) {
  const size = place === 'balance' ? ({ size: 'hero' } as const) : {};
  switch (cell.state) {
    case 'loading':
      return <span class={`sk ${place}`} role="img" aria-label="loading" />;
    case 'void':
      return <Void place={place} />;
    case 'nothing':
      return <span class="dim">{cell.says ?? 'nothing'}</span>;
    case 'value':
      return (
        <span class="v">
          <Amount base={cell.base} decimals={cell.decimals} unit={cell.unit} {...size} />
        </span>
      );
    case 'stale':
      return (
        <span>
          <Amount base={cell.base} decimals={cell.decimals} unit={cell.unit} {...size} />{' '}
          <span class="dim small">as of the last settlement, slot {formatCount(cell.slot)}</span>
        </span>
      );
  }
}

/** The box for an amount that the ledger hides. It has one size for balances and one for rows. */
export function Void({ place = 'row' }: { readonly place?: 'balance' | 'row' }) {
  return <span class={`void wipe ${place}`} role="img" aria-label="not shown" />;
}
