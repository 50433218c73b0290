/** The content of the page's address: an order and its access token, or a payment link. */
export type Place =
  | { readonly kind: 'order'; readonly id: string; readonly token: string }
  | { readonly kind: 'link'; readonly merchant: string; readonly id: string };

/** Reads an address of the page; null if a part is missing. */
export function readPlace({ pathname, hash }: Pick<URL, 'pathname' | 'hash'>): Place | null {
  const [, , first = '', second] = pathname.split('/');
  const token = hash.slice(1);
  if (second !== undefined) return { kind: 'link', merchant: first, id: second };
  return token === '' ? null : { kind: 'order', id: first, token };
}
