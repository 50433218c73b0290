import type { VerbExit } from './exit-codes.ts';

/** A verb that cannot do what it was asked for. */
export class VerbFailure extends Error {
  override readonly name = 'VerbFailure';
  readonly exit: VerbExit;
  /** Stable, for programs. */
  readonly code: string;
  /** What else programs may want to know. */
  readonly facts: Readonly<Record<string, unknown>>;

  /** @param message says what to change. */
  constructor(exit: VerbExit, code: string, message: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.exit = exit;
    this.code = code;
    this.facts = facts;
  }
}

/** The command line, a setting or a file cannot be used. */
export const unusable = (message: string): VerbFailure =>
  new VerbFailure('config', 'CONFIG_INVALID', message);
