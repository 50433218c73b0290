import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { TableMint } from '../context/console-state.ts';
import { Button } from '../parts/button.tsx';
import { Copy } from '../parts/copy.tsx';
import { formatDecimal } from '../parts/decimal.ts';
import { Glyph } from '../parts/glyph.tsx';
import { Identicon } from '../parts/identicon.tsx';
import { LedgerMark, Status, Tag } from '../parts/status.tsx';
import { PrivateAmount, type PrivateCell } from '../parts/private-amount.tsx';
import { Amount } from '../parts/amount.tsx';
import type { Viewpoint } from '../parts/reader.ts';
import { shorten } from '../parts/short-text.ts';
import type { Portrait, AmountResult } from './portrait.ts';

interface WalletCardProps {
  readonly name: string;
  readonly address: string;
  readonly as: Viewpoint;
  readonly mint: TableMint;
  /** The balances; null while loading. */
  readonly portrait: Portrait | null;
  readonly onDeposit: () => void;
  readonly onPay: () => void;
  readonly onTakeOut: () => void;
  /** Content behind the `More` button. */
  readonly more: ComponentChildren;
}

/** A wallet with its balances on both ledgers. */
export function WalletCard(props: WalletCardProps) {
  const { name, address, as, mint, portrait } = props;
  const [isOpen, open] = useState(false);
  return (
    <section class="card wallet" aria-label={`${name}’s wallet`} aria-busy={portrait === null}>
      <div class="pad">
        <div class="who">
          <Identicon address={address} size={36} />
          <div class="grow">
            <h2>{name}</h2>
            <span class="small muted mono" title={address} data-copy={address}>
              {shorten(address, 6)}
            </span>{' '}
            <Copy text={address} what={`address of ${name}`} />
          </div>
          <Tag>
            <KeyWords portrait={portrait} as={as} />
          </Tag>
        </div>
      </div>
      <div class="bal">
        <div>
          <span class="k">
            <LedgerMark ledger="base" />
            On base
          </span>
          <BaseAmount result={portrait?.onBase ?? null} mint={mint} />
          <span class="tiny dim">everyone can read this</span>
        </div>
        <div>
          <span class="k">
            <LedgerMark ledger="rollup" />
            On the rollup
          </span>
          <RollupAmount as={as} portrait={portrait} mint={mint} />
          <span class="tiny dim">{rollupWords(as, name, portrait, mint)}</span>
        </div>
      </div>
      <div class="acts">
        <Button onClick={props.onDeposit}>Deposit</Button>
        <Button onClick={props.onPay}>Pay</Button>
        <Button onClick={props.onTakeOut}>Withdraw</Button>
        <button
          class="btn quiet"
          type="button"
          aria-expanded={isOpen}
          aria-label={`More of ${name}`}
          onClick={() => open(!isOpen)}
        >
          More
        </button>
      </div>
      {isOpen ? props.more : null}
    </section>
  );
}

function KeyWords({ portrait, as }: { readonly portrait: Portrait | null; readonly as: Viewpoint }) {
  if (as === 'owner' && portrait?.isFrozen === true) return <Status kind="wait">frozen until settled</Status>;
  return (
    <>
      <Glyph name="key" />
      key in this tab
    </>
  );
}

function BaseAmount({ result, mint }: { readonly result: AmountResult | null; readonly mint: TableMint }) {
  const unit = mint.symbol ?? 'tokens';
  if (result === null) return <PrivateAmount cell={{ state: 'loading' }} place="balance" />;
  if (result.kind === 'amount')
    return <Amount base={result.amount} decimals={mint.decimals} unit={unit} size="hero" />;
  if (result.kind === 'absent')
    return <PrivateAmount cell={{ state: 'nothing', says: 'no account yet' }} place="balance" />;
  return <Status kind="bad">{result.kind === 'failed' ? result.message : 'not requested'}</Status>;
}

/** The balance on the rollup. If anyone can read it, it is shown as public. */
function RollupAmount({ as, portrait, mint }: Pick<WalletCardProps, 'as' | 'portrait' | 'mint'>) {
  const cell = rollupCell(as, portrait, mint);
  if (as !== 'anyone' || cell.state !== 'value') return <PrivateAmount cell={cell} place="balance" />;
  return <Amount base={cell.base} decimals={cell.decimals} unit={cell.unit} size="hero" />;
}

/** The content of the rollup balance. */
export function rollupCell(as: Viewpoint, portrait: Portrait | null, mint: TableMint): PrivateCell {
  if (portrait === null) return { state: 'loading' };
  const { onRollup, eata, eataFault } = portrait;
  if (eataFault !== null) return { state: 'nothing', says: 'no response' };
  // Accounts that are not delegated have no rollup balance. The rollup shows a copy of base for them.
  if (eata?.isDelegated !== true) return { state: 'nothing' };
  if (onRollup.kind === 'failed') return { state: 'nothing', says: 'no response' };
  if (onRollup.kind === 'amount') {
    return { state: 'value', base: onRollup.amount, decimals: mint.decimals, unit: mint.symbol ?? 'tokens' };
  }
  if (as === 'base') return { state: 'nothing' };
  if (onRollup.kind === 'not-asked') return { state: 'nothing', says: 'not logged in' };
  return onRollup.kind === 'absent' && as === 'owner' ? { state: 'nothing' } : { state: 'void' };
}

/** The text below the rollup balance. */
export function rollupWords(as: Viewpoint, name: string, portrait: Portrait | null, mint: TableMint): string {
  if (portrait === null) return ' ';
  const { onRollup, eata, eataFault } = portrait;
  if (eataFault !== null) return `base: ${eataFault}`;
  if (onRollup.kind === 'failed') return onRollup.message;
  if (eata === null) return 'no deposit yet';
  const amount = `${formatDecimal(eata.amount, mint.decimals)} ${mint.symbol ?? 'tokens'}`;
  if (!eata.isDelegated) {
    return as === 'base' || eata.amount > 0n ? `${amount} to withdraw` : `${name} has nothing there`;
  }
  if (as === 'base') return `base: ${amount} deposited`;
  if (onRollup.kind === 'amount')
    return as === 'owner' ? `only ${name} can read this` : 'everyone can read this';
  if (as === 'anyone') return 'account not found';
  return onRollup.kind === 'not-asked' ? 'log in to read it' : `${name} has nothing there`;
}
