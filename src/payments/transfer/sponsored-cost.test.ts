import { beforeEach, expect, it } from 'vitest';
import { ataOf, FRIEND, type LayoutBScene, openLayoutB, OWNER } from '../../../test/layout-b-scene.ts';
import { instructionsOf, runOperation } from '../../../test/run-operation.ts';
import { Clusters } from '../../chain/clusters.ts';
import { systemRandom } from '../../ports/random.ts';
import { SYSTEM_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import type { Account } from '../../solana/account.ts';
import { addressOf } from '../../solana/address.ts';
import type { Sponsor } from '../fees/sponsor.ts';
import { createTransfer } from '../transfer.ts';
import { FROM_ROLLUP, ON_ROLLUP, SPONSOR as NAMED, TransferScene } from './testing/transfer-scene.ts';

/** Gasless transfers executed by the programs of the networks: what they cost and bring their sponsor. */

const mint = USDC_MINT;
const SPONSOR = addressOf(new Uint8Array(32).fill(10));
const EATA = deriveEata(OWNER, mint).address;

/** The rent of a delegation record and its metadata, lamports. */
const DELEGATION = 3_319_920n;

let scene: LayoutBScene;
let held: bigint;
const sponsor: Sponsor = {
  address: SPONSOR,
  cosign: async (_, { lamports }) => {
    held = lamports;
    return new Uint8Array(64);
  },
};

beforeEach(async ({ skip }) => {
  scene = openLayoutB(skip);
  await scene.play('initializeMint', { payer: OWNER, mint });
  const data = new Uint8Array();
  scene.vm.put(SPONSOR, { lamports: 1_000_000_000n, owner: SYSTEM_PROGRAM, data });
  for (const owner of [SPONSOR, FRIEND]) scene.openAta(owner, 0n);
});

async function build(way: object): Promise<string> {
  const deps = { clusters: new Clusters([scene.chain]), random: systemRandom, sponsor };
  const parties = { from: OWNER, to: FRIEND, mint, amount: 600_000, gasless: true };
  const { output } = await runOperation(createTransfer(deps), { ...parties, ...way });
  return output.transactionBase64;
}

/** Lands the built transaction; returns the lamports it cost the sponsor. */
function land(transactionBase64: string): bigint {
  const lamports = (): bigint => (scene.vm.account(SPONSOR) as Account).lamports;
  const before = lamports();
  scene.vm.run(SPONSOR, ...instructionsOf(transactionBase64));
  expect(scene.tokensIn(ataOf(SPONSOR))).toBe(200_000n);
  return before - lamports();
}

const deposit = () => scene.play('deposit', { owner: OWNER, mint, amount: 10 });

it.each([
  ['publicly', { visibility: 'public' }, 10_000n],
  ['in private, the first of a sender', {}, 6_816_880n],
  ['to the rollup', { toBalance: 'ephemeral' }, 510_000n],
])('a gasless transfer %s costs its sponsor the reserved amount', async (_, way, cost) => {
  const built = await build(way);
  expect([held, land(built)]).toEqual([cost, cost]);
});

it('a gasless transfer of a sender whose account was undelegated costs the reserved amount', async () => {
  await deposit();
  scene.giveBack(EATA, OWNER);
  const built = await build({});
  expect(land(built)).toBe(held);
});

it.each([{ visibility: 'public' }, {}, { toBalance: 'ephemeral' }])(
  'a gasless transfer costs at most the reserved amount, whatever its sender does before it lands (bug: their account was delegated again, beyond the budget): %o',
  async (way) => {
    await deposit();
    const built = await build(way);
    scene.giveBack(EATA, OWNER);
    expect(land(built)).toBeLessThanOrEqual(held);
  },
);

it('a gasless transfer of a delegated sender costs less than reserved, by the rent of a delegation', async () => {
  await deposit();
  const built = await build({});
  expect(land(built)).toBe(held - DELEGATION);
});

it.each([ON_ROLLUP, FROM_ROLLUP])(
  'a gasless transfer on a rollup does not use the budget, because it costs nothing there (bug: unsent ones used it up): %o',
  async (way) => {
    const costs: bigint[] = [];
    const rollup = new TransferScene();
    rollup.sponsor = {
      ...NAMED,
      cosign: async (_, { lamports }) => {
        costs.push(lamports);
        return new Uint8Array(64);
      },
    };
    await rollup.run({ ...way, gasless: true });
    expect(costs).toEqual([0n]);
  },
);
