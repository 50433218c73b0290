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

const VIEWPOINTS: Readonly<Record<string, Viewpoint>> = { '1': 'base', '2': 'anybody', '3': 'owner' };

/**
 * What a key asks for.
 *
 * @param before the key before it, where that was `g` a moment ago.
 */
export function commandOf(key: string, before: string | null): KeyCommand | null {
  if (before === 'g') {
    const place = PLACES.find((each) => each.key === key);
    return place === undefined ? null : { kind: 'go', path: place.path };
  }
  const as = VIEWPOINTS[key];
  if (as !== undefined) return { kind: 'look', as };
  switch (key) {
    case '/':
      return { kind: 'search' };
    case 'j':
      return { kind: 'row', by: 1 };
    case 'k':
      return { kind: 'row', by: -1 };
    case 'c':
      return { kind: 'copy' };
    case '?':
      return { kind: 'help' };
    default:
      return null;
  }
}
