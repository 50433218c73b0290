import { formatDecimal, formatSigned } from './decimal.ts';
import { Identicon } from './identicon.tsx';
import { useKnown } from './names.ts';
import { shorten } from './short-text.ts';

interface AmountProps {
  /** Base units. */
  readonly base: bigint;
  readonly decimals: number;
  /** The symbol from the service's table. */
  readonly unit: string;
  /** Whether to show a plus sign, for balance changes. */
  readonly signed?: boolean;
  readonly size?: 'mid' | 'hero' | 'plain';
}

/** An exact amount with its unit. */
export function Amount({ base, decimals, unit, signed = false, size }: AmountProps) {
  return (
    <span class={size === undefined ? 'amt' : `amt ${size}`}>
      {signed ? formatSigned(base, decimals) : formatDecimal(base, decimals)}
      <span class="u">{unit}</span>
    </span>
  );
}

/** An amount of SOL. The tooltip shows the lamports. */
export function Sol({ lamports, signed = false }: { readonly lamports: bigint; readonly signed?: boolean }) {
  return (
    <span title={`${lamports} lamports`}>
      <Amount base={lamports} decimals={9} unit="SOL" signed={signed} />
    </span>
  );
}

/** The maximum cost of something, or the text `unread` if it is unknown. */
export function AtMost({ lamports, unread }: { readonly lamports: bigint | null; readonly unread: string }) {
  if (lamports === null) return <b>{unread}</b>;
  if (lamports === 0n) return <b>none</b>;
  return (
    <>
      at most <Sol lamports={lamports} />
    </>
  );
}

interface MintAmountProps {
  readonly base: bigint;
  readonly mint: string;
  /** Decimals from the ledger, for mints outside the service's table; null if unknown. */
  readonly decimals?: number | null | undefined;
  readonly signed?: boolean;
  readonly size?: 'mid' | 'hero' | 'plain';
}

/** An amount of a mint. The unit is the symbol in the service's table, else the mint's address. */
export function MintAmount({ base, mint, decimals, signed, size }: MintAmountProps) {
  const known = useKnown().mints.get(mint);
  const places = known?.decimals ?? decimals;
  const rest = { ...(signed === undefined ? {} : { signed }), ...(size === undefined ? {} : { size }) };
  if (places == null) return <Amount base={base} decimals={0} unit="base units" {...rest} />;
  if (known?.symbol) return <Amount base={base} decimals={places} unit={known.symbol} {...rest} />;
  return (
    <span class="row" title={mint}>
      <Amount base={base} decimals={places} unit={shorten(mint)} {...rest} />
      <Identicon address={mint} size={12} />
    </span>
  );
}
