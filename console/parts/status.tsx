import type { ComponentChildren } from 'preact';
import { Glyph, type GlyphName } from './glyph.tsx';
import type { Ledger } from './reader.ts';

const SIGNS = {
  ok: { glyph: 'tick', tone: 'ok' },
  warn: { glyph: 'triangle', tone: 'warn' },
  bad: { glyph: 'octagon', tone: 'bad' },
  wait: { glyph: 'ring', tone: '' },
  own: { glyph: 'key', tone: 'own' },
  hidden: { glyph: 'crossed', tone: '' },
  live: { glyph: 'dot', tone: 'ok' },
} as const satisfies Record<string, { glyph: GlyphName; tone: string }>;

export type StatusKind = keyof typeof SIGNS;

interface StatusProps {
  readonly kind: StatusKind;
  readonly children: ComponentChildren;
  /** Whether only screen readers get the word, for narrow columns. */
  readonly glyphOnly?: boolean;
}

/** A state as an icon and a word. */
export function Status({ kind, children, glyphOnly = false }: StatusProps) {
  const { glyph, tone } = SIGNS[kind];
  return (
    <span class={`st ${tone}`}>
      <Glyph name={glyph} />
      {glyphOnly ? <span class="vh">{children}</span> : children}
    </span>
  );
}

/** A state or word as a small label. */
export function Tag({
  kind,
  children,
}: {
  readonly kind?: StatusKind;
  readonly children: ComponentChildren;
}) {
  if (kind === undefined) return <span class="tag">{children}</span>;
  const { glyph, tone } = SIGNS[kind];
  return (
    <span class={`tag ${tone}`}>
      <Glyph name={glyph} />
      {children}
    </span>
  );
}

/** The mark of a ledger. Marks differ by shape and letter, not only by color. */
export function LedgerMark({ ledger }: { readonly ledger: Ledger }) {
  const name = ledger === 'base' ? 'Base ledger' : 'Rollup';
  return (
    <span class={`lm ${ledger === 'base' ? 'b' : 'r'}`} role="img" aria-label={name} title={name}>
      {ledger === 'base' ? 'B' : 'R'}
    </span>
  );
}
