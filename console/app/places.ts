import type { GlyphName } from '../parts/glyph.tsx';

/** A view that the bars link to. */
export interface Place {
  readonly name: string;
  readonly path: string;
  /** The key that opens it after `g`. */
  readonly key: string;
  readonly glyph: GlyphName;
  /** Whether the view shows ledger data, which depends on the viewpoint. */
  readonly isLedgerData: boolean;
}

export const PLACES: readonly Place[] = [
  { name: 'Play', path: '/console/', key: 'p', glyph: 'play', isLedgerData: true },
  { name: 'Life', path: '/console/life', key: 'l', glyph: 'lanes', isLedgerData: true },
  { name: 'Explain', path: '/console/explain', key: 'e', glyph: 'lines', isLedgerData: true },
  { name: 'Explorer', path: '/console/explorer', key: 'x', glyph: 'grid', isLedgerData: true },
  { name: 'Books', path: '/console/books', key: 'b', glyph: 'lines', isLedgerData: true },
  { name: 'Requests', path: '/console/requests', key: 'r', glyph: 'lines', isLedgerData: false },
  { name: 'Operations', path: '/console/operations', key: 'o', glyph: 'lines', isLedgerData: false },
];

/** The place that a path belongs to. Transactions, accounts and blocks belong to the explorer. */
export function placeOf(path: string): Place | null {
  const [, , first = ''] = path.split('/');
  if (first === '') return PLACES[0] ?? null;
  if (first === 'base' || first === 'rollup') return placeOf('/console/explorer');
  return PLACES.find((place) => place.path === `/console/${first}`) ?? null;
}
