import { useState } from 'preact/hooks';
import type { Segment } from '../../src/console/answers.ts';
import { HostileText } from '../parts/hostile-text.tsx';
import { postJson } from '../parts/service-api.ts';
import { Note } from '../parts/states.tsx';
import { decodeBase64 } from '../parts/encodings.ts';

/** Bytes of a segment that are drawn; of more, the first and how many there are. */
const DRAWN_MAX = 8;

/**
 * Asks the service what each byte of a transaction is. The bytes leave for the page's own service alone.
 *
 * @returns null where it does not say.
 */
async function readSegments(transaction: string): Promise<readonly Segment[] | null> {
  try {
    return (
      await postJson<{ readonly segments: readonly Segment[] }>('/console/api/segments', { transaction })
    ).segments;
  } catch {
    return null;
  }
}

/** The bytes as hex, shortened where there are many. */
export function hexOf(bytes: Uint8Array, { offset, length }: Pick<Segment, 'offset' | 'length'>): string {
  const shown = bytes.subarray(offset, offset + (length > DRAWN_MAX ? DRAWN_MAX - 2 : length));
  const hex = Array.from(shown, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return length > DRAWN_MAX ? `${hex} … ${length} bytes` : hex;
}

/** What the service says of each byte. Null segments are still on their way, or could not be had. */
export function Bytes({ transactionBase64 }: { readonly transactionBase64: string }) {
  const bytes = decodeBase64(transactionBase64);
  const [segments, setSegments] = useState<readonly Segment[] | null | undefined>(undefined);
  const [at, setAt] = useState<number | null>(null);
  const open = (event: Event): void => {
    if (!(event.currentTarget as HTMLDetailsElement).open || segments !== undefined) return;
    void readSegments(transactionBase64).then(setSegments);
  };
  const shown = at === null ? undefined : segments?.[at];
  return (
    <details onToggle={open}>
      <summary>
        Raw bytes<span class="dim">{bytes?.length ?? 0}</span>
      </summary>
      {segments === null ? <Note kind="warn">The service does not say what the bytes are.</Note> : null}
      {bytes === null || segments === null || segments === undefined ? null : (
        <p class="bytes">
          {segments.map((segment, index) => (
            <button
              type="button"
              key={segment.offset}
              class={index === at ? 'on' : ''}
              aria-label={`${segment.field}, bytes ${segment.offset} to ${segment.offset + segment.length - 1}`}
              onClick={() => setAt(index)}
              onFocus={() => setAt(index)}
              onMouseEnter={() => setAt(index)}
            >
              {hexOf(bytes, segment)}
            </button>
          ))}
        </p>
      )}
      {segments === null || segments === undefined ? null : (
        <p class="tip" aria-live="polite">
          {shown === undefined ? 'Point at a byte.' : <SegmentWords segment={shown} />}
        </p>
      )}
    </details>
  );
}

function SegmentWords({ segment: { field, offset, length, value, meaning } }: { readonly segment: Segment }) {
  return (
    <>
      <b>{field}</b>, {length === 1 ? `byte ${offset}` : `bytes ${offset} to ${offset + length - 1}`}:{' '}
      <HostileText text={value} />. <HostileText text={meaning} />
    </>
  );
}
