import { signal } from './signal.ts';

/** The part of the browser's location that the page reads. */
interface Here {
  readonly path: string;
  /** The query with its question mark; empty if there is none. */
  readonly search: string;
}

// Tests import this module without a browser.
const read = (): Here =>
  'location' in globalThis ? { path: location.pathname, search: location.search } : { path: '/', search: '' };

const here = signal(read());

const readAgain = (): void => {
  here.value = read();
};

globalThis.addEventListener?.('popstate', readAgain);

/** The path of the page. Components that call it while rendering are rendered again when it changes. */
export const usePath = (): string => here.value.path;

/** The query of the page, like {@link usePath}. */
export const useSearch = (): string => here.value.search;

/**
 * Navigates to another view.
 *
 * @param to path and query at this origin.
 * @param options `replace` replaces the current entry of the browser's history.
 */
export function navigate(to: string, options?: { readonly replace: boolean }): void {
  history[options?.replace === true ? 'replaceState' : 'pushState'](null, '', to);
  readAgain();
}

/**
 * Builds a query string, for example for the filters of a list.
 *
 * @param members by name; null and false are left out.
 */
export function searchOf(members: Readonly<Record<string, string | boolean | null>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members))
    if (value !== null && value !== false) query.set(name, value === true ? '1' : value);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
