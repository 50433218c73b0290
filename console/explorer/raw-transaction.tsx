import { useAsked, Told } from '../parts/asked.tsx';
import { Copy } from '../parts/copy.tsx';
import { formatCount } from '../parts/decimal.ts';
import type { Ledger, Reader } from '../parts/reader.ts';

interface RawTransactionProps {
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
        { encoding: 'base64', maxSupportedTransactionVersion: 1, commitment: 'confirmed' },
      ]),
    [reader, ledger, signature],
  );
  return (
    <Told asked={asked} rows={3}>
      {(encoded) => <Base64 text={encoded?.transaction[0] ?? ''} />}
    </Told>
  );
}

function Base64({ text }: { readonly text: string }) {
  return (
    <div class="pad stack">
      <p class="small dim">
        {formatCount(atob(text).length)} bytes, base64 <Copy text={text} what="transaction" />
      </p>
      <pre class="bytes-raw" tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}
