/** An npm package with dumps of programs and accounts, and the hashes it is checked against. */
export interface DumpsPackage {
  readonly name: string;
  readonly version: string;
  /** As stated in its package.json. */
  readonly licence: string;
  /** The file the registry serves: Subresource Integrity (`sha512-` and base64), and size in bytes. */
  readonly tarball: { readonly integrity: string; readonly bytes: number };
  /** The folder of the dumps inside the package. */
  readonly folder: string;
  /** SHA-256 in hex of the dumps in use, by file name. */
  readonly dumps: ReadonlyMap<string, string>;
}

/**
 * MagicBlock's validator. Only the dumps of the base ledger that it starts for itself are used, and none of
 * its code is run. Its license is for non-production use, so this program neither installs nor redistributes
 * it.
 */
export const DUMPS_PACKAGE: DumpsPackage = {
  name: '@magicblock-labs/ephemeral-validator',
  version: '0.8.3',
  licence: 'Business Source License 1.1',
  tarball: {
    integrity:
      'sha512-wbjIrh9HQeSgDVxnjuykDoAB7Mi9w4VGmSs8Yu83jYU3F3IR1+8WDo0x32Wg8biCy5AFHxeMrpaHDsmdOtbpOA==',
    bytes: 394_052,
  },
  folder: 'bin/local-dumps',
  dumps: new Map([
    // The delegation program.
    [
      'DELeGGvXpWV2fqJUhqcF5ZSYMS4JTLjteaAMARRSaeSh.so',
      '590d2e9d5d33d25a2ec5fda4d0e77dd758cb88899a88a1fb5108b032785e6183',
    ],
    // The ephemeral SPL token program.
    [
      'SPLxh1LVZzEkX99H6rqYizhytLWPZVV296zyYDPagv2.so',
      '8eda06e265ffe93a4403516ccf473595b3d22180719a17bbaf688dfbaf7c558b',
    ],
    // The permission program.
    [
      'ACLseoPoyC3cBqoUtkbjZ4aDrkurZW86v19pXz2XQnp1.so',
      'ca33232d8ea5cac6da7b23b616da610eb4ee96ac8f951f21b5fe93fdac1e2d16',
    ],
    // The no-op program.
    [
      'noopb9bkMVfRPU8AsbpTUg8AQkHtKwMYZiFUjNRtMmV.so',
      'dfa9b5e1c425131cbbe77a7277cf2fecffce2ef4d1b94e9a5770dda218f54131',
    ],
    // The delegation program's vault for the protocol's fees.
    [
      '7JrkjmZPprHwtuvtuGTXp9hwfGYFAQLnLeFM52kqAgXg.json',
      'fa4a490c3d2803824ebc42f95970775c6356a3d90bb47c4f3613883c5d02289d',
    ],
    // The public localnet validator.
    [
      'mAGicPQYBMvcYveUZA5F5UNNwyHvfYh5xkLS2Fr1mev.json',
      '7ffa7fc8a3343ddbbb68926da7c3740ff9bb862b830d80c731afe770628b05ce',
    ],
    // Its fees vault.
    [
      'EpJnX7ueXk7fKojBymqmVuCuwyhDQsYcLVL1XMsBbvDX.json',
      'daddda1393ed8caf4b60e438b0d85237db866a62656561837882044b61170e3c',
    ],
  ]),
};

/** The package and version in npm's notation. */
export const specifierOf = ({ name, version }: DumpsPackage): string => `${name}@${version}`;
