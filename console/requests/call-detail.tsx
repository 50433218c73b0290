import { useState } from 'preact/hooks';
import type { CallForm } from '../../src/console/answers.ts';
import { useLoaded, Await } from '../parts/loaded.tsx';
import { Button } from '../parts/button.tsx';
import { copyText } from '../parts/copy.tsx';
import { formatCount } from '../parts/decimal.ts';
import { Glyph } from '../parts/glyph.tsx';
import { HostileText } from '../parts/hostile-text.tsx';
import { KeyValue } from '../parts/key-value.tsx';
import { getJson } from '../parts/service-api.ts';
import { Status } from '../parts/status.tsx';
import { clockTime } from '../parts/short-text.ts';
import { kindOf } from './call-table.tsx';
import { followedBy, type Entry, type ErrorTitles } from './entries.ts';

interface CallDetailProps {
  readonly entry: Entry;
  readonly entries: readonly Entry[];
  readonly titles: ErrorTitles;
  /** An additional text from the service; null for none. */
  readonly note: string | null;
}

/** One call: its result, the next same call, and code that repeats it. */
export function CallDetail({ entry, entries, titles, note }: CallDetailProps) {
  const { call, status, code, ms, requestBytes, responseBytes, atMs, requestId } = entry;
  const next = followedBy(entries, entry);
  const followed = next === null ? 'none yet' : <Followed entry={entry} next={next} />;
  return (
    <section class="card" aria-label="Call">
      <header>
        <h2 class="mono">
          <HostileText text={call} />
        </h2>
        <Status kind={kindOf(entry)}>{status}</Status>
      </header>
      <div class="pad stack">
        {code === null ? null : (
          <p>
            {titles[code] ?? 'Rejected'}. <span class="muted">The response says what to change.</span>
          </p>
        )}
        <KeyValue
          rows={[
            ...(code === null ? [] : [['Code', <span class="mono">{code}</span>] as const]),
            ['Duration', `${ms.toFixed(1)} ms`],
            ['Request', requestBytes === null ? 'part of a batch' : `${formatCount(requestBytes)} bytes`],
            ['Response', `${formatCount(responseBytes)} bytes`],
            ['Time', `${clockTime(atMs, true)} UTC`],
            ['Request id', requestId === null ? 'none' : <span class="mono small">{requestId}</span>],
            ['Next same call', followed],
          ]}
        />
        <AsCode seq={entry.seq} key={entry.seq} />
        {note === null ? null : <p class="small dim">{note}</p>}
      </div>
    </section>
  );
}

function Followed({ entry, next }: { readonly entry: Entry; readonly next: Entry }) {
  return (
    <>
      {formatCount(Math.max(Math.round(next.atMs - entry.atMs), 0))} ms later:{' '}
      <Status kind={kindOf(next)}>{next.status}</Status>
    </>
  );
}

function AsCode({ seq }: { readonly seq: number }) {
  const [chosen, setChosen] = useState(0);
  const query = new URLSearchParams({ seq: String(seq), origin: location.origin });
  const loaded = useLoaded(
    () => getJson<readonly CallForm[]>(`/console/api/forms?${query.toString()}`),
    [seq],
  );
  const copy = (at: number, text: string) => {
    setChosen(at);
    void copyText(text, 'Call');
  };
  return (
    <Await result={loaded} rows={3}>
      {(forms) => (
        <>
          <div class="row wrap">
            {forms.map(({ name, text }, at) => (
              <Button key={name} onClick={() => copy(at, text)}>
                <Glyph name="copy" size={13} />
                {name}
              </Button>
            ))}
          </div>
          <pre tabIndex={0}>{forms[chosen]?.text}</pre>
        </>
      )}
    </Await>
  );
}
