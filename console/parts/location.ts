import { signal } from './signal.ts';

/** The part of the browser's location that the page reads. */
interface Here {
  readonly path: string;
  /** With its question mark; empty where there is none. */
  readonly search: string;
}

// Tests read these modules where there is no browser.
const read = (): Here =>
  'location' in globalThis ? { path: location.pathname, search: location.search } : { path: '/', search: '' };

const here = signal(read());

const readAgain = (): void => {
  here.value = read();
};

globalThis.addEventListener?.('popstate', readAgain);

/** The path of the page. What calls it while it is drawn is drawn again when it changes. */
export const usePath = (): string => here.value.path;

/** The query of the page, like {@link usePath}. */
export const useSearch = (): string => here.value.search;

/**
 * Leads to another place of the page.
 *
 * @param to path and query at this origin.
 * @param options `replace` has it take the place of the present one in the browser's history.
 */
export function navigate(to: string, options?: { readonly replace: boolean }): void {
  history[options?.replace === true ? 'replaceState' : 'pushState'](null, '', to);
  readAgain();
}

/**
 * The search part of a URL, for what a list shows of all rows.
 *
 * @param members by name; null, and what is not so, is left out.
 */
export function searchOf(members: Readonly<Record<string, string | boolean | null>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members))
    if (value !== null && value !== false) query.set(name, value === true ? '1' : value);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
