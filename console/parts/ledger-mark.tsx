import type { Ledger } from './reader.ts';

/** Which ledger: told by shape and letter, not by hue. */
export function LedgerMark({ ledger }: { readonly ledger: Ledger }) {
  const name = ledger === 'base' ? 'Base ledger' : 'Rollup';
  return (
    <span class={`lm ${ledger === 'base' ? 'b' : 'r'}`} role="img" aria-label={name} title={name}>
      {ledger === 'base' ? 'B' : 'R'}
    </span>
  );
}
