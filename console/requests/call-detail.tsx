import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { copyText } from '../parts/copy.tsx';
import { formatCount } from '../parts/decimal.ts';
import { Glyph } from '../parts/glyph.tsx';
import { HostileText } from '../parts/hostile-text.tsx';
import { KeyValue } from '../parts/key-value.tsx';
import { Status } from '../parts/status.tsx';
import { clockTime } from '../parts/time.ts';
import { asCode, formsOf, type Form } from './as-code.ts';
import { kindOf } from './call-table.tsx';
import { followedBy, type Entry } from './entries.ts';
import { wayOutOf } from './ways-out.ts';

export interface CallDetailProps {
  readonly entry: Entry;
  readonly entries: readonly Entry[];
  readonly logArguments: boolean;
}

/** One call: what its end means, what followed, and how to make it again. */
export function CallDetail({ entry, entries, logArguments }: CallDetailProps) {
  const { call, status, code, ms, requestBytes, responseBytes, atMs, requestId } = entry;
  const next = followedBy(entries, entry);
  const followed = next === null ? 'not called again' : <Followed entry={entry} next={next} />;
  return (
    <section class="card" aria-label="Call">
      <header>
        <h2 class="mono">
          <HostileText text={call} />
        </h2>
        <Status kind={kindOf(entry)}>{status}</Status>
      </header>
      <div class="pad stack">
        {code === null ? null : <Meaning code={code} />}
        <KeyValue
          rows={[
            ...(code === null ? [] : [['Code', <span class="mono">{code}</span>] as const]),
            ['Took', `${ms.toFixed(1)} ms`],
            ['Request', requestBytes === null ? 'one of a batch' : `${formatCount(requestBytes)} bytes`],
            ['Answer', `${formatCount(responseBytes)} bytes`],
            ['At', `${clockTime(atMs, true)} UTC`],
            ['Request id', requestId === null ? 'none' : <span class="mono small">{requestId}</span>],
            ['What followed', followed],
          ]}
        />
        <AsCode entry={entry} key={entry.seq} />
        {logArguments ? null : (
          <p class="small dim">
            Arguments are placeholders: they are not kept. To keep them on this machine, start with{' '}
            <span class="mono">--log-arguments</span>.
          </p>
        )}
      </div>
    </section>
  );
}

function Meaning({ code }: { readonly code: string }) {
  const { title, meaning } = wayOutOf(code);
  return (
    <p>
      <b>{title}</b> <span class="muted">{meaning}</span>
    </p>
  );
}

function Followed({ entry, next }: { readonly entry: Entry; readonly next: Entry }) {
  return (
    <>
      same call, {formatCount(Math.max(Math.round(next.atMs - entry.atMs), 0))} ms later:{' '}
      <Status kind={kindOf(next)}>{next.status}</Status>
    </>
  );
}

function AsCode({ entry }: { readonly entry: Entry }) {
  const [form, setForm] = useState<Form>('curl');
  const copy = (chosen: Form) => {
    setForm(chosen);
    void copyText(asCode(entry, chosen, location.origin), 'Call');
  };
  return (
    <>
      <div class="row wrap">
        {formsOf(entry).map((name) => (
          <Button key={name} onClick={() => copy(name)}>
            <Glyph name="copy" size={13} />
            {name}
          </Button>
        ))}
      </div>
      <pre tabIndex={0}>{asCode(entry, form, location.origin)}</pre>
    </>
  );
}
