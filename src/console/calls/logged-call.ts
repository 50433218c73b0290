import type { CallFacts } from '../answers.ts';

/** A call as it is reported to the list. */
export interface ReportedCall extends CallFacts {
  /** Whether the console's own page called. */
  readonly isOwn: boolean;
  /** Whether a bearer token came with it. */
  readonly hasToken: boolean;
  readonly arguments: unknown;
}
