import type { LongText } from '../json/long-text.ts';

/** The answer to a request body: a string, or a long text in pieces. */
export type Answer = string | LongText;
