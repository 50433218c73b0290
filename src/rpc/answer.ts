import type { LongText } from '../json/long-text.ts';

/** An answer to a body: a text, or where it is long one in pieces. */
export type Answer = string | LongText;
