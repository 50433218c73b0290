import { useLoaded, Await } from '../parts/loaded.tsx';
import { Base64 } from '../parts/base64.tsx';
import type { Ledger, Reader } from '../parts/reader.ts';

interface RawTransactionProps {
  readonly ledger: Ledger;
  readonly signature: string;
  readonly reader: Reader;
}

interface Encoded {
  readonly transaction: readonly [string, 'base64'];
}

/** The bytes of a transaction in base64. */
export function RawTransaction({ ledger, signature, reader }: RawTransactionProps) {
  const loaded = useLoaded(
    () =>
      reader.call<Encoded | null>(ledger, 'getTransaction', [
        signature,
        { encoding: 'base64', maxSupportedTransactionVersion: 1, commitment: 'confirmed' },
      ]),
    [reader, ledger, signature],
  );
  return (
    <Await result={loaded} rows={3}>
      {(encoded) => <Base64 text={encoded?.transaction[0] ?? ''} />}
    </Await>
  );
}
