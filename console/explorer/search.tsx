import { useState } from 'preact/hooks';
import { Address } from '../parts/address.tsx';
import { useLoaded } from '../parts/loaded.tsx';
import { formatCount } from '../parts/decimal.ts';
import { keepViewpoint } from '../parts/go.tsx';
import { LedgerMark } from '../parts/status.tsx';
import { navigate, useSearch } from '../parts/location.ts';
import { useKnown } from '../parts/names.ts';
import type { Reader } from '../parts/reader.ts';
import { Sheet } from '../parts/sheet.tsx';
import { shorten } from '../parts/short-text.ts';
import { find, type Hit } from './find.ts';

interface SearchProps {
  readonly reader: Reader;
  readonly onClose: () => void;
}

/** Finds addresses, signatures, slots and names. The typed text never enters a URL. */
export function Search({ reader, onClose }: SearchProps) {
  const [text, setText] = useState('');
  const search = useSearch();
  const { names } = useKnown();
  const found = useLoaded(() => find(text, reader, names), [text, reader]);
  const hits = found.state === 'answered' ? found.value : [];
  const open = (hit: Hit | undefined) => {
    if (hit === undefined) return;
    onClose();
    navigate(keepViewpoint(hit.path, search));
  };
  const submit = (event: Event) => {
    event.preventDefault();
    open(hits[0]);
  };
  return (
    <Sheet title="Search" onClose={onClose}>
      <form class="find" onSubmit={submit}>
        <label class="vh" for="find">
          Address, signature, slot or name
        </label>
        <input
          id="find"
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder="Address, signature, slot"
          value={text}
          autofocus
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
      <ul class="list hits">
        {hits.map((hit) => (
          <li key={hit.path}>
            <LedgerMark ledger={hit.ledger} />
            <button class="more" type="button" onClick={() => open(hit)}>
              <What hit={hit} />
            </button>
          </li>
        ))}
      </ul>
      {found.state === 'failed' ? <p class="small dim">{found.message}</p> : null}
      {text.trim() !== '' && found.state === 'answered' && hits.length === 0 ? (
        <p class="small dim">No results for this reader.</p>
      ) : null}
    </Sheet>
  );
}

function What({ hit }: { readonly hit: Hit }) {
  if (hit.what === 'account') return <Address address={hit.id} />;
  if (hit.what === 'block') return <>Block of slot {formatCount(BigInt(hit.id))}</>;
  return <>Transaction {shorten(hit.id, 6)}</>;
}
