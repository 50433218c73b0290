import { USDC } from '../../clients/wallet.ts';
import type { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';
import { NO_EFFECT, type DrawStep, type Effect, type Party, type Step } from './step.ts';

/** Maximum base units of a step: enough for fees, but so low that no wallet runs out. */
const UNITS_MAX = 5_000;

/** Fee of a private payment from base to base, in basis points, rounded down. */
const FEE_BPS = 10;

/** Maximum delay of a private payment, in ms, and its maximum number of parts. */
const DELAY_MS_MAX = 1_000;
const PARTS_MAX = 3;

/** The inputs of a drawn step. */
interface Draw {
  readonly own: number;
  readonly owner: string | undefined;
  readonly units: number;
  readonly party: Party;
  readonly random: SeededRandom;
}

/**
 * Deposits with a shuttle, pays between both ledgers, pays the frozen account, withdraws with a shuttle,
 * undelegates, and withdraws from the vault.
 */
export const drawStepOfLayoutB: DrawStep = (party, own, random) => {
  const draw = { own, owner: party.wallets[own], units: 1 + random.integer(UNITS_MAX), party, random };
  const kinds = [deposit, deposit, payPrivately, payPrivately, payToBase, payOnRollup, withdraw];
  const others = [undelegate, withdrawDirectly, refusedFromBase, refusedFromRollup];
  const all = [...kinds, ...others];
  return (all[random.integer(all.length)] as (typeof all)[number])(draw);
};

const deposit = ({ own, owner, units }: Draw): Step => ({
  kind: 'deposit',
  operation: 'deposit',
  args: { owner, mint: USDC, amount: units, private: false },
  effect: { ...NO_EFFECT, base: [[own, -units]], inside: [[own, units]] },
});

const withdraw = ({ own, owner, units }: Draw): Step => ({
  kind: 'withdrawal',
  operation: 'withdraw',
  args: { owner, mint: USDC, amount: units },
  effect: { ...NO_EFFECT, base: [[own, units]], inside: [[own, -units]] },
});

const withdrawDirectly = (draw: Draw): Step => {
  const step = withdraw(draw);
  return { ...step, kind: 'direct withdrawal', args: { ...step.args, idempotent: false } };
};

const undelegate = ({ owner }: Draw): Step => ({
  kind: 'undelegation',
  operation: 'undelegate-ephemeral-ata',
  args: { payer: owner, mint: USDC },
  effect: NO_EFFECT,
});

const payPrivately = (draw: Draw): Step => {
  const [other, to] = anotherOf(draw);
  const fee = feeOf(draw.units);
  const base: Effect['base'] = [
    [draw.own, -draw.units - fee],
    [other, draw.units],
  ];
  return transfer('private payment', draw, to, ['base', 'base'], { ...NO_EFFECT, base, fee });
};

const payToBase = (draw: Draw): Step => {
  const [other, to] = anotherOf(draw);
  const effect: Effect = { ...NO_EFFECT, base: [[other, draw.units]], inside: [[draw.own, -draw.units]] };
  return transfer('payment to base', draw, to, ['ephemeral', 'base'], effect);
};

const payOnRollup = (draw: Draw): Step => {
  const [other, to] = anotherOf(draw);
  const inside: Effect['inside'] = [
    [draw.own, -draw.units],
    [other, draw.units],
  ];
  return transfer('payment on the rollup', draw, to, ['ephemeral', 'ephemeral'], { ...NO_EFFECT, inside });
};

/** Base rejects the payout, and the amount without the fee is returned. */
const refusedFromBase = (draw: Draw): Step => {
  const fee = feeOf(draw.units);
  const effect: Effect = { ...NO_EFFECT, base: [[draw.own, -fee]], fee };
  return transfer('refused private payment', draw, draw.party.frozen, ['base', 'base'], effect);
};

/** Base rejects the payout, and the amount goes to the sender's account on base. */
const refusedFromRollup = (draw: Draw): Step => {
  const { own, units } = draw;
  const effect: Effect = { ...NO_EFFECT, base: [[own, units]], inside: [[own, -units]] };
  return transfer('refused payment to base', draw, draw.party.frozen, ['ephemeral', 'base'], effect);
};

function transfer(
  kind: string,
  { owner, units, random }: Draw,
  to: string | undefined,
  [fromBalance, toBalance]: readonly [string, string],
  effect: Effect,
): Step {
  const minDelayMs = random.integer(2) * random.integer(DELAY_MS_MAX);
  const delivery =
    toBalance === 'base'
      ? { minDelayMs, maxDelayMs: DELAY_MS_MAX, split: 1 + random.integer(PARTS_MAX) }
      : {};
  const way = { visibility: 'private', fromBalance, toBalance };
  return {
    kind,
    operation: 'transfer',
    args: { from: owner, to, mint: USDC, amount: units, ...way, ...delivery },
    effect,
  };
}

function anotherOf({ own, party, random }: Draw): [number, string | undefined] {
  const { wallets } = party;
  const other = (own + 1 + random.integer(wallets.length - 1)) % wallets.length;
  return [other, wallets[other]];
}

const feeOf = (units: number): number => Math.floor((units * FEE_BPS) / 10_000);
