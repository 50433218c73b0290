import type { Viewpoint } from '../parts/reader.ts';
import { PLACES } from './places.ts';

/** What a key press asks for. */
export type KeyCommand =
  | { readonly kind: 'search' }
  | { readonly kind: 'look'; readonly as: Viewpoint }
  | { readonly kind: 'go'; readonly path: string }
  | { readonly kind: 'row'; readonly by: 1 | -1 }
  | { readonly kind: 'copy' }
  | { readonly kind: 'help' };

/** The list of keys, as `?` shows it. */
export const KEYS: readonly (readonly [keys: string, words: string])[] = [
  ['/', 'search'],
  ['1 2 3', 'look as base, as anybody, as the owner'],
  ['g, then p l e x b r o', 'play, life, explain, explorer, books, requests, operations'],
  ['j k', 'next row, row before'],
  ['Enter', 'open'],
  ['Esc', 'back, or close'],
  ['c', 'copy the focused address or signature'],
  ['[ ]', 'step before, step after, in Life'],
  ['Ctrl Enter', 'explain'],
  ['?', 'this list'],
];

/** What single keys ask for. */
const COMMANDS: Readonly<Record<string, KeyCommand>> = {
  '/': { kind: 'search' },
  '1': { kind: 'look', as: 'base' },
  '2': { kind: 'look', as: 'anybody' },
  '3': { kind: 'look', as: 'owner' },
  j: { kind: 'row', by: 1 },
  k: { kind: 'row', by: -1 },
  c: { kind: 'copy' },
  '?': { kind: 'help' },
};

/**
 * What a key asks for.
 *
 * @param before the key before it, where that was `g` a moment ago.
 */
export function commandOf(key: string, before: string | null): KeyCommand | null {
  if (before !== 'g') return COMMANDS[key] ?? null;
  const place = PLACES.find((each) => each.key === key);
  return place === undefined ? null : { kind: 'go', path: place.path };
}
