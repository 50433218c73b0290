import { formatDecimal, formatSigned } from './decimal.ts';
import { Identicon } from './identicon.tsx';
import { useKnown } from './names.ts';
import { shorten } from './short-text.ts';

interface AmountProps {
  /** Base units. */
  readonly base: bigint;
  readonly decimals: number;
  /** The symbol of the service's table. */
  readonly unit: string;
  /** Says which way it goes, for effects. */
  readonly signed?: boolean;
  readonly size?: 'mid' | 'hero' | 'plain';
}

/** An amount with its unit beside it, exact. */
export function Amount({ base, decimals, unit, signed = false, size }: AmountProps) {
  return (
    <span class={size === undefined ? 'amt' : `amt ${size}`}>
      {signed ? formatSigned(base, decimals) : formatDecimal(base, decimals)}
      <span class="u">{unit}</span>
    </span>
  );
}

/** Lamports, read as SOL; the lamports are on hover. */
export function Sol({ lamports, signed = false }: { readonly lamports: bigint; readonly signed?: boolean }) {
  return (
    <span title={`${lamports} lamports`}>
      <Amount base={lamports} decimals={9} unit="SOL" signed={signed} />
    </span>
  );
}

/** The most that something costs; `unread` is said where it is not known. */
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

/** An amount of a mint. A symbol is trusted only from the service's table; others have their address for a unit. */
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
