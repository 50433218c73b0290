import { describe, expect, it } from 'vitest';
import type { DeliveryTerms } from '../../src/programs/private-transfer/seal-transfer.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/rollup/testing/layout-b-genesis.ts';
import { type Address, addressBytes } from '../../src/solana/address.ts';
import { IS_LONG } from '../length.ts';
import { freeze, openPool, payOnRollup, poolOf } from './network-happenings.ts';
import type { Name, NetworkWorld } from './network-world.ts';
import { differences, type Happening, toldOf } from './told.ts';

/*
 * Goal: strangers see the same for every kind of private payment, whoever pays whom, on both ledgers.
 * Method: the two worlds differ only in who pays whom. Sealed delays give base the same payers, payouts and
 * times. The comparison of base leaves out only the sealed boxes and the signatures over them.
 */

const after = (ms: number, split = 1): DeliveryTerms => ({
  minDelayMs: BigInt(ms),
  maxDelayMs: BigInt(ms),
  split,
  clientRefId: null,
});

/** Whether the two payers pay one payee each, or each the other's. */
type IsSwapped = boolean;

interface Scenario extends Omit<Happening, 'run'> {
  readonly name: string;
  /** Whether it is another's variant, which the short form leaves out. */
  readonly isVariant?: true;
  readonly run: (isSwapped: IsSwapped) => Happening['run'];
}

/** Alice and Dave keep on base whatever they have not deposited on the rollup. */
const KEPT = 5_000_000n;
const PAID = 1_234_566n;

/** Checks the final balance of a wallet on base, in base units. */
const expectOnBase =
  (balances: Readonly<Partial<Record<Name, bigint | null>>>) =>
  ({ scene, wallets }: NetworkWorld): void => {
    const found = Object.keys(balances).map((name) => [
      name,
      scene.tokens(scene.base, wallets[name as Name].address),
    ]);
    expect(Object.fromEntries(found)).toEqual(balances);
  };

/** Alice and Dave pay Bob after half a minute and Carol after a minute, or the other way round. */
const paySwapped =
  (
    { split = 1, ...more }: { readonly split?: number; readonly sponsor?: Name },
    addressOf: (payee: Name) => Name | Address = (payee) => payee,
  ) =>
  (isSwapped: IsSwapped) =>
  async (world: NetworkWorld): Promise<void> => {
    const payees = [
      { to: addressOf('bob'), terms: after(30_000, split) },
      { to: addressOf('carol'), terms: after(60_000, split) },
    ] as const;
    const [alices, daves] = isSwapped ? [payees[1], payees[0]] : payees;
    await world.seal({ from: 'alice', amount: PAID, ...alices, ...more });
    await world.seal({ from: 'dave', amount: PAID, ...daves, ...more });
  };

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'payments from base in two parts, some of which wait',
    passMs: 45_000,
    run: paySwapped({ split: 2 }),
    expectEnd: expectOnBase({ bob: PAID, carol: null }),
  },
  {
    name: 'payments that a stranger sponsors',
    isVariant: true,
    passMs: 45_000,
    run: paySwapped({ sponsor: 'sam' }),
    expectEnd: expectOnBase({ bob: PAID, carol: null }),
  },
  {
    name: 'payments of SOL',
    isVariant: true,
    currency: 'sol',
    passMs: 90_000,
    run: paySwapped({}),
    expectEnd: ({ scene, wallets }) => {
      const [bob, carol] = [wallets.bob, wallets.carol].map(({ address }) => scene.base.getAccount(address));
      expect([bob?.lamports, carol?.lamports]).toEqual([10_000_000_000n + PAID, 10_000_000_000n + PAID]);
    },
  },
  {
    name: 'payments of a Token-2022 mint',
    isVariant: true,
    currency: 'token-2022',
    passMs: 90_000,
    run: paySwapped({}),
    expectEnd: expectOnBase({ bob: PAID, carol: PAID }),
  },
  {
    name: 'a payment that waits, in one part or in three',
    isVariant: true,
    passMs: 500,
    run: (isSwapped) => (world) =>
      world.seal({
        from: 'alice',
        amount: 1_000_000n,
        ...(isSwapped ? { to: 'bob', terms: after(30_000) } : { to: 'carol', terms: after(60_000, 3) }),
      }),
  },
  {
    name: 'payments to stealth handles',
    passMs: 90_000,
    async before(world) {
      for (const name of ['bob', 'carol'] as const) await openPool(world, name);
    },
    run: paySwapped({}, poolOf),
    expectEnd: expectOnBase({ bob: PAID, carol: PAID }),
  },
  {
    name: 'a payment that cannot be queued, whose shuttle is sent back',
    isVariant: true,
    passMs: 30_000,
    run: (isSwapped) => (world) =>
      world.seal({
        from: 'alice',
        amount: 1_000_000n,
        // No parts, and a shortest delay beyond the longest.
        ...(isSwapped
          ? { to: 'bob', terms: after(0, 0) }
          : { to: 'carol', terms: { ...after(0), minDelayMs: 5n } }),
      }),
    expectEnd: expectOnBase({ alice: KEPT, bob: null, carol: null }),
  },
  {
    name: 'payments on the rollup before an undelegation and a direct withdrawal',
    passMs: 500,
    run: (isSwapped) => async (world) => {
      const { scene, wallets } = world;
      const amount = isSwapped ? 7_000_000n : 5n;
      await payOnRollup(world, { from: 'alice', to: 'dave', amount });
      await payOnRollup(world, { from: 'dave', to: 'alice', amount });
      await scene.must(scene.rollup, wallets.alice, scene.undelegation(wallets.alice));
      await scene.rollup.settled();
      await scene.must(scene.base, wallets.alice, scene.directWithdrawal(wallets.alice, 2_000_000n));
    },
    expectEnd: expectOnBase({ alice: KEPT + 2_000_000n }),
  },
];

/** A payment of Alice to a frozen token account: base rejects it, and it is refunded. */
const refused = (to: Name): Happening => ({
  passMs: 10_000,
  async before(world) {
    for (const name of ['bob', 'carol'] as const) await freeze(world, name);
  },
  run: (world) => world.seal({ from: 'alice', amount: 1_000_000n, to, terms: after(0) }),
  // The fee of the payment is not refunded.
  expectEnd: expectOnBase({ alice: KEPT - 1_000n, bob: 1n, carol: 1n }),
});

interface ShownTransaction {
  readonly err: unknown;
  /** hex. */
  readonly wire: string;
}

/** The transactions of base in their order, as a watcher of base is shown them. */
const onBase = (told: ReadonlyMap<string, string>): readonly ShownTransaction[] =>
  (JSON.parse(told.get('base: blocks') ?? '[]') as { transactions: ShownTransaction[] }[]).flatMap(
    ({ transactions }) => transactions,
  );

const names = ({ wire }: ShownTransaction, address: Address): boolean =>
  wire.includes(Buffer.from(addressBytes(address)).toString('hex'));

describe.skipIf(LAYOUT_B_FOLDER === null)(`what strangers see (${NO_LAYOUT_B})`, () => {
  const played = SCENARIOS.filter(({ isVariant }) => IS_LONG || isVariant !== true);
  it.each(played.map((scenario) => [scenario.name, scenario] as const))(
    'is the same for %s',
    { timeout: 240_000 },
    async (_, { name: _name, isVariant: _isVariant, run, ...happening }) => {
      const told = await toldOf({ ...happening, run: run(false) });
      expect(told.size).toBeGreaterThan(1_000);
      for (const figure of [
        'reads: getAccount',
        'metrics: rollup_rpc_calls_total{method="getBlock",outcome="ok"}',
      ])
        expect(told.get(figure)).toMatch(/[1-9]/);
      expect(differences(told, await toldOf({ ...happening, run: run(true) }))).toEqual([]);
    },
  );

  it('is the same for a payment that base rejects, except that base shows the rejected payout and its recipient', async () => {
    const wallets: Record<string, Address> = {};
    const toldOfPaying = (to: Name): Promise<Map<string, string>> =>
      toldOf({
        ...refused(to),
        expectEnd(world) {
          for (const name of ['alice', to] as const) wallets[name] = world.wallets[name].address;
          refused(to).expectEnd?.(world);
        },
      });
    const [ofBob, ofCarol] = [await toldOfPaying('bob'), await toldOfPaying('carol')];
    const parted = differences(ofBob, ofCarol).map((each) => each.split(': ', 2).join(': '));
    expect(parted).toEqual(['base: blocks']);
    for (const [told, payee] of [
      [ofBob, wallets['bob']],
      [ofCarol, wallets['carol']],
    ] as const) {
      const landed = onBase(told);
      const at = landed.findIndex(({ err }) => err !== null);
      expect(landed.filter(({ err }) => err !== null)).toHaveLength(1);
      expect(names(landed[at] as ShownTransaction, payee as Address)).toBe(true);
      // What follows it is the refund, which names the payer.
      expect(names(landed[at + 1] as ShownTransaction, wallets['alice'] as Address)).toBe(true);
    }
    const others = [ofBob, ofCarol].map((told) => onBase(told).filter(({ err }) => err === null));
    expect(others[0]).toEqual(others[1]);
  });
});
