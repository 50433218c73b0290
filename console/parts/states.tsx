import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Glyph } from './glyph.tsx';

/** Delay before the skeleton appears, ms. Fast answers never show it. */
const SHOWN_AFTER_MS = 150;

/** A message for an empty view, with a next step. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <b>{title}</b>
      {children}
    </div>
  );
}

/** Placeholder rows with the height of the rows that load. */
export function Skeleton({ rows }: { readonly rows: number }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <ul class={shown ? 'list feed' : 'list feed hush'} aria-busy="true" aria-label="loading">
      {Array.from({ length: rows }, (_, row) => (
        <li key={row}>
          <span class="sk w0" />
          <span class={row % 2 === 0 ? 'sk w1' : 'sk w3'} />
          <span class="sk w2" />
        </li>
      ))}
    </ul>
  );
}

interface NoteProps {
  readonly kind: 'wait' | 'warn' | 'bad' | 'plain';
  readonly children: ComponentChildren;
}

const NOTE_GLYPHS = { wait: 'ring', warn: 'triangle', bad: 'octagon', plain: 'lines' } as const;

/** A message with an icon. Screen readers announce errors. */
export function Note({ kind, children }: NoteProps) {
  const role = kind === 'bad' ? ({ role: 'alert' } as const) : {};
  return (
    <div class={kind === 'warn' || kind === 'bad' ? `note ${kind}` : 'note'} {...role}>
      <Glyph name={NOTE_GLYPHS[kind]} />
      <div>{children}</div>
    </div>
  );
}
