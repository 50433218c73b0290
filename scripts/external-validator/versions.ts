import type { Layout } from '../../src/chain/chain.ts';

/** The npm package with the binary for Linux on x64. */
export const PACKAGE = '@magicblock-labs/ephemeral-validator-linux-x64';

/** A version of the validator that this launcher knows. */
export interface ValidatorVersion {
  readonly version: string;
  /** The layout of base programs that it supports. */
  readonly layout: Layout;
  /** Whether this version requires a terminal. The other one can disable its terminal interface. */
  readonly needsTerminal: boolean;
  /** Whether this version creates and delegates a vault for its fees, and calls the no-op program of base. */
  readonly hasMagicFeeVault: boolean;
}

/**
 * The version for each layout. 0.8.3 is the last one that works with the programs in its npm package: 0.14.10
 * commits eATAs of 80 bytes, and those programs reject withdrawals from them. 0.14.10 works with the programs
 * of the networks.
 */
export const VERSION_OF: Readonly<Record<Layout, ValidatorVersion>> = {
  a: { version: '0.8.3', layout: 'a', needsTerminal: true, hasMagicFeeVault: false },
  b: { version: '0.14.10', layout: 'b', needsTerminal: false, hasMagicFeeVault: true },
};

/** Finds a version by number; undefined if it is unknown. */
export function findVersion(version: string): ValidatorVersion | undefined {
  return Object.values(VERSION_OF).find((each) => each.version === version);
}
