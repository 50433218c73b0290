import { Copy } from './copy.tsx';
import { Go } from './go.tsx';
import { Identicon } from './identicon.tsx';
import { useKnown } from './names.ts';
import type { Ledger } from './reader.ts';
import { shorten } from './short-text.ts';

interface AddressProps {
  readonly address: string;
  /** The ledger to link to; no link if absent. */
  readonly ledger?: Ledger;
  /** The length of the text; `whole` before money moves. */
  readonly length?: 'list' | 'heading' | 'whole';
  readonly copy?: boolean;
}

/** An address: identicon, name if known, and shortened text. The tooltip shows all of it. */
export function Address({ address, ledger, length = 'list', copy = false }: AddressProps) {
  const name = useKnown().names.get(address);
  const text = length === 'whole' ? address : shorten(address, length === 'heading' ? 6 : 4);
  const content = (
    <>
      <Identicon address={address} />
      {name === undefined ? null : <b>{name}</b>}
      <span class="mono" data-copy={address}>
        {text}
      </span>
    </>
  );
  return (
    <span class="addr">
      {ledger === undefined ? (
        <span class="addr" title={address}>
          {content}
        </span>
      ) : (
        <Go class="addr" to={`/console/${ledger}/account/${address}`} title={address}>
          {content}
        </Go>
      )}
      {copy ? <Copy text={address} what={name === undefined ? 'address' : `address of ${name}`} /> : null}
    </span>
  );
}
