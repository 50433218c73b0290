import { describe, expect, it } from 'vitest';
import { type Address, addressOf } from '../../solana/address.ts';
import { type ProvisionTexts, readProvision } from './read-provision.ts';

const at = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));
const NOTHING: ProvisionTexts = {
  accounts: [],
  accountDirs: [],
  programs: [],
  upgradeablePrograms: [],
  clone: [],
  maybeClone: [],
  cloneUpgradeablePrograms: [],
  deepCloneTables: [],
  snapshots: [],
  mint: null,
  cliConfig: null,
  epochSlots: null,
  rentPerByte: null,
  deactivateFeatures: [],
  cloneFeatureSet: false,
};
const source = { getAccounts: async () => [] };

describe('readProvision', () => {
  it('reads the flags of the command line', () => {
    const texts: ProvisionTexts = {
      accounts: [
        { address: at(1), file: 'a.json' },
        { address: null, file: 'b.json' },
      ],
      accountDirs: ['dumps'],
      programs: [{ address: at(2), file: 'p.so' }],
      upgradeablePrograms: [{ address: at(3), file: 'u.so', authority: at(4) }],
      clone: [at(5)],
      maybeClone: [at(6)],
      cloneUpgradeablePrograms: [at(7)],
      deepCloneTables: [at(10)],
      snapshots: ['s.json'],
      mint: at(8),
      cliConfig: null,
      epochSlots: 32,
      deactivateFeatures: [at(11)],
      cloneFeatureSet: true,
      rentPerByte: null,
    };
    expect(readProvision(texts, { source, isFork: false, mintLamports: 9n })).toEqual({
      accounts: texts.accounts,
      accountFolders: ['dumps'],
      programs: [
        { address: at(2), file: 'p.so', authority: null },
        { address: at(3), file: 'u.so', authority: at(4) },
      ],
      snapshots: ['s.json'],
      mint: { address: at(8), lamports: 9n },
      clones: { source, accounts: [at(5)], optional: [at(6)], programs: [at(7)], tables: [at(10)] },
      shape: {
        epochSlots: 32,
        rentPerByte: null,
        rentOf: null,
        inactiveFeatures: [at(11)],
        featuresOf: source,
      },
    });
  });

  it('uses the rent of the cluster for a fork without --rent-per-byte', () => {
    const shapeOf = (rentPerByte: number | null) =>
      readProvision({ ...NOTHING, rentPerByte }, { source, isFork: true, mintLamports: 0n }).shape;
    expect(shapeOf(null)).toMatchObject({ rentPerByte: null, rentOf: source });
    expect(shapeOf(5_080)).toMatchObject({ rentPerByte: 5_080n, rentOf: null });
  });

  it('copies nothing without a cluster', () => {
    expect(readProvision(NOTHING, { source: null, isFork: false, mintLamports: 0n })).toMatchObject({
      mint: null,
      clones: null,
    });
  });

  it.each<[Partial<ProvisionTexts>, string]>([
    [{ clone: ['1'.repeat(44)] }, '--clone'],
    [{ mint: 'me' }, '--mint'],
    [{ upgradeablePrograms: [{ address: at(1), file: 'u.so', authority: 'me' }] }, '--upgradeable-program'],
  ])('rejects %j', (texts, flag) => {
    expect(() =>
      readProvision({ ...NOTHING, ...texts }, { source, isFork: false, mintLamports: 0n }),
    ).toThrow(expect.objectContaining({ code: 'INVALID_ADDRESS', context: { field: flag } }));
  });
});
