import { Copy } from './copy.tsx';
import { Go } from './go.tsx';
import type { Ledger } from './reader.ts';
import { shorten } from './short-text.ts';

interface SignatureProps {
  readonly signature: string;
  readonly ledger: Ledger;
  readonly length?: 'list' | 'heading';
  readonly copy?: boolean;
}

/** A signature as a link to its transaction. */
export function Signature({ signature, ledger, length = 'list', copy = false }: SignatureProps) {
  return (
    <span class="addr">
      <Go class="addr" to={`/console/${ledger}/tx/${signature}`} title={signature}>
        <span class="mono" data-copy={signature}>
          {shorten(signature, length === 'heading' ? 6 : 4)}
        </span>
      </Go>
      {copy ? <Copy text={signature} what="signature" /> : null}
    </span>
  );
}
