import { useAsked } from '../parts/asked.ts';
import { Copy } from '../parts/copy.tsx';
import { formatCount } from '../parts/decimal.ts';
import type { Ledger, Reader } from '../parts/reader.ts';
import { Note, Skeleton } from '../parts/states.tsx';

export interface RawTransactionProps {
  readonly ledger: Ledger;
  readonly signature: string;
  readonly reader: Reader;
}

interface Encoded {
  readonly transaction: readonly [string, 'base64'];
}

/** A transaction as it went over the wire. */
export function RawTransaction({ ledger, signature, reader }: RawTransactionProps) {
  const asked = useAsked(
    () =>
      reader.call<Encoded | null>(ledger, 'getTransaction', [
        signature,
        { encoding: 'base64', maxSupportedTransactionVersion: 0, commitment: 'confirmed' },
      ]),
    [reader, ledger, signature],
  );
  if (asked.state === 'loading') return <Skeleton rows={3} />;
  if (asked.state === 'failed') return <Note kind="bad">{asked.message}</Note>;
  const base64 = asked.value?.transaction[0] ?? '';
  return (
    <div class="pad stack">
      <p class="small dim">
        {formatCount(atob(base64).length)} bytes, base64 <Copy text={base64} what="transaction" />
      </p>
      <pre class="bytes-raw" tabIndex={0}>
        {base64}
      </pre>
    </div>
  );
}
