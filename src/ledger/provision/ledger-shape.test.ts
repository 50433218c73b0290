import { describe, expect, it } from 'vitest';
import { USDC_MINT } from '../../programs/addresses.ts';
import { FEATURE_PROGRAM, inactiveFeature } from '../../programs/feature.ts';
import { CLOCK_SYSVAR, EPOCH_SCHEDULE_SYSVAR, rentOf, rentSysvarData } from '../../programs/sysvars.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { knownFeatures, mainnetFeatures } from '../engine/litesvm-engine.ts';
import { bareGenesis, localGenesis } from '../genesis/genesis.ts';
import { MORE_ACCOUNT_LOCKS } from '../run/account-keys.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { openTestLedger } from '../testing/test-ledger.ts';
import { readEpochSlots, sysvarAccount } from '../time/sysvars.ts';
import type { LedgerShape } from './ledger-shape.ts';
import { Provisioner } from './provisioner.ts';
import { EMPTY_PROVISION, USUAL_SHAPE } from './testing/empty-provision.ts';

/** `get_sysvar_syscall_enabled`, without which the token program cannot read the rent. */
const GET_SYSVAR = 'CLCoTADvV64PSrnR6QXty6Fwrt9Xc6EdxSJE4wLRePjq' as Address;
const WALLET = addressOf(new Uint8Array(32).fill(7));

async function shaped(
  shape: Partial<LedgerShape>,
  { genesis = bareGenesis(), store = new MemoryStore() } = {},
) {
  const provisioner = new Provisioner({ ...EMPTY_PROVISION, shape: { ...USUAL_SHAPE, ...shape } }, genesis);
  const world = await openTestLedger({ place: { store }, genesis: provisioner.genesis() });
  const warnings = await provisioner.complete(world.ledger, world.ledger);
  return { ...world, store, warnings };
}

/** The epoch that programs see (Clock sysvar, u64 at 16). */
function epochOf(clock: Account | null): bigint {
  return Buffer.from(clock?.data ?? []).readBigUInt64LE(16);
}

const activated: Account = { ...inactiveFeature(), data: Uint8Array.of(1, 9, 0, 0, 0, 0, 0, 0, 0) };

describe('--rent-per-byte', () => {
  it('is the rent of programs and of the node, and is stored', async () => {
    const first = await shaped({ rentPerByte: 5_080n });
    await first.ledger.close();
    const { ledger, warnings } = await shaped({ rentPerByte: 5_080n }, { store: first.store });
    expect(warnings).toEqual([]);
    expect(rentOf(ledger).minimum(165)).toBe(1_488_440n);
    await ledger.resetLedger();
    expect(rentOf(ledger).minimum(165)).toBe(1_488_440n);
  });

  it('has no effect on an existing ledger, with a warning', async () => {
    const first = await shaped({});
    await first.ledger.close();
    const { ledger, warnings } = await shaped({ rentPerByte: 696n }, { store: first.store });
    expect(rentOf(ledger).lamportsPerByte).toBe(6_960n);
    expect(warnings).toEqual([
      '--rent-per-byte 696 has no effect: the existing ledger has a rent of 6960 lamports per byte. Start with --reset to create a new one.',
    ]);
  });

  it('is that of the cluster of a fork, which must have one', async () => {
    const sysvar = sysvarAccount(rentSysvarData(13_920n));
    const { ledger } = await shaped({ rentOf: { getAccounts: async () => [sysvar] } });
    expect(rentOf(ledger).lamportsPerByte).toBe(13_920n);
    const early = sysvarAccount(rentSysvarData(3_480n));
    new DataView(early.data.buffer, early.data.byteOffset).setFloat64(8, 2, true);
    const fork = await shaped({ rentOf: { getAccounts: async () => [early] } });
    expect(rentOf(fork.ledger).minimum(165)).toBe(2_039_280n);
    expect(rentOf(fork.ledger).lamportsPerByte).toBe(6_960n);
    await expect(shaped({ rentOf: { getAccounts: async () => [null] } })).rejects.toMatchObject({
      code: 'PROVISION_INVALID',
    });
  });
});

describe('--slots-per-epoch', () => {
  it('is the length of epochs for programs and for the node, and is stored', async () => {
    const first = await shaped({ epochSlots: 32 });
    await first.ledger.close();
    const again = await shaped({ epochSlots: 32 }, { store: first.store });
    for (const { ledger, warnings } of [first, again]) {
      expect(warnings).toEqual([]);
      expect(ledger.epochSlots).toBe(32);
    }
    const { ledger } = again;
    const { slot } = ledger.head();
    expect(epochOf(ledger.getAccount(CLOCK_SYSVAR))).toBe(BigInt(Math.floor(slot / 32)));
    expect(readEpochSlots(ledger.getAccount(EPOCH_SCHEDULE_SYSVAR) as Account)).toBe(32);
    await ledger.resetLedger();
    expect(ledger.epochSlots).toBe(32);
  });

  it('has no effect on an existing ledger, with a warning', async () => {
    const first = await shaped({});
    await first.ledger.close();
    const { ledger, warnings } = await shaped({ epochSlots: 64 }, { store: first.store });
    expect(ledger.epochSlots).toBe(432_000);
    expect(warnings).toEqual([
      '--slots-per-epoch 64 has no effect: the existing ledger has epochs of 432000 slots. Start with --reset to create a new one.',
    ]);
  });
});

describe('--deactivate-feature', () => {
  it('removes the feature and its account, and is stored', async () => {
    const usual = await shaped({}, { genesis: localGenesis() });
    await usual.ledger.airdropTokens(WALLET, USDC_MINT, 5n);
    const first = await shaped({ inactiveFeatures: [GET_SYSVAR] }, { genesis: localGenesis() });
    await first.ledger.close();
    const again = await shaped({}, { genesis: localGenesis(), store: first.store });
    expect(again.ledger.getAccount(GET_SYSVAR)).toBeNull();
    expect([...again.ledger.programAccounts(FEATURE_PROGRAM)]).toHaveLength(mainnetFeatures().size - 1);
    await expect(again.ledger.airdropTokens(WALLET, USDC_MINT, 5n)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
    });
    await again.ledger.resetLedger();
    expect(again.ledger.getAccount(GET_SYSVAR)).not.toBeNull();
  });

  it('rejects unknown features, and has no effect on an existing ledger', async () => {
    await expect(shaped({ inactiveFeatures: [WALLET] })).rejects.toMatchObject({
      code: 'PROVISION_INVALID',
      message: `--deactivate-feature ${WALLET} is not a feature of the virtual machine: check the address, or remove the flag`,
    });
    const first = await shaped({});
    await first.ledger.close();
    const { ledger, warnings } = await shaped({ inactiveFeatures: [GET_SYSVAR] }, { store: first.store });
    expect(ledger.getAccount(GET_SYSVAR)).not.toBeNull();
    expect(warnings).toEqual([
      `--deactivate-feature has no effect: the existing ledger was created with ${GET_SYSVAR} active. Start with --reset to create a new one.`,
    ]);
  });
});

describe('--clone-feature-set', () => {
  it('uses the features of the cluster without the deactivated ones', async () => {
    const there = new Set([...mainnetFeatures(), MORE_ACCOUNT_LOCKS]);
    there.delete(GET_SYSVAR);
    const featuresOf = {
      getAccounts: async (addresses: readonly Address[]) =>
        addresses.map((address) => (there.has(address) ? activated : null)),
    };
    const off = [...mainnetFeatures()].find((feature) => feature !== GET_SYSVAR) as Address;
    const first = await shaped({ featuresOf, inactiveFeatures: [off] });
    await first.ledger.close();
    const { ledger, warnings } = await shaped({ featuresOf }, { store: first.store });
    there.delete(off);
    const active = Array.from(ledger.programAccounts(FEATURE_PROGRAM), ([address]) => address);
    expect(new Set(active)).toEqual(there);
    expect(ledger.getAccount(MORE_ACCOUNT_LOCKS)).toEqual(activated);
    expect([...there].every((feature) => knownFeatures().has(feature))).toBe(true);
    expect(warnings).toEqual([
      '--clone-feature-set has no effect: the existing ledger has the features it was created with. Start with --reset to create a new one.',
    ]);
  });

  it('creates no ledger if the cluster does not answer', async () => {
    const featuresOf = { getAccounts: () => Promise.reject(new Error('silent')) };
    await expect(shaped({ featuresOf })).rejects.toThrow('silent');
  });
});
