import type { Health, LoggedCall } from '../answers.ts';
import type { Settlement } from './settlements.ts';

/** What the page is told of as it happens; everybody may know of it. */
export type ConsoleEvent =
  | { readonly kind: 'request'; readonly data: LoggedCall }
  | { readonly kind: 'settlement'; readonly data: Settlement }
  | { readonly kind: 'state'; readonly data: { readonly health: Health } };
