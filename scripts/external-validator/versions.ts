import type { Layout } from '../../src/chain/chain.ts';

/** The npm package with the binary for Linux on x64. */
export const PACKAGE = '@magicblock-labs/ephemeral-validator-linux-x64';

/** A version of the validator that this launcher knows. */
export interface ValidatorVersion {
  readonly version: string;
  /** The layout of the programs on base that it gets on with. */
  readonly layout: Layout;
  /** Whether it draws on a terminal, and ends where there is none; another is told not to draw. */
  readonly needsTerminal: boolean;
  /** Whether it makes and delegates a vault for its fees on the rollup, and calls base's no-op program. */
  readonly hasMagicFeeVault: boolean;
}

/**
 * The version for each layout. 0.8.3 is the last one whose commits the programs of the npm package of the
 * same version accept; with 0.14.10 their withdrawals fail, as it commits eATAs of 80 bytes. 0.14.10 gets on
 * with the programs that the networks run.
 */
export const VERSION_OF: Readonly<Record<Layout, ValidatorVersion>> = {
  a: { version: '0.8.3', layout: 'a', needsTerminal: true, hasMagicFeeVault: false },
  b: { version: '0.14.10', layout: 'b', needsTerminal: false, hasMagicFeeVault: true },
};

/** The one of {@link VERSION_OF} with this number; undefined for another. */
export function findVersion(version: string): ValidatorVersion | undefined {
  return Object.values(VERSION_OF).find((each) => each.version === version);
}
