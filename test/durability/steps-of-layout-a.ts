import { USDC } from '../../clients/wallet.ts';
import { NO_EFFECT, type DrawStep } from './step.ts';

/** Maximum base units of a step, so low that no wallet runs out. */
const UNITS_MAX = 50;

/** Deposits, pays on the rollup, undelegates and withdraws. */
export const drawStepOfLayoutA: DrawStep = ({ wallets }, own, random) => {
  const owner = wallets[own];
  const units = 1 + random.integer(UNITS_MAX);
  const common = { mint: USDC, amount: units };
  switch (random.integer(6)) {
    case 0:
    case 1:
      return {
        kind: 'deposit',
        operation: 'deposit',
        args: { owner, ...common, private: false },
        effect: { ...NO_EFFECT, base: [[own, -units]], inside: [[own, units]] },
      };
    case 2:
      return {
        kind: 'undelegation',
        operation: 'undelegate-ephemeral-ata',
        args: { payer: owner, mint: USDC },
        effect: NO_EFFECT,
      };
    case 3:
      return {
        kind: 'withdrawal',
        operation: 'withdraw',
        args: { owner, ...common },
        effect: { ...NO_EFFECT, base: [[own, units]], inside: [[own, -units]] },
      };
    default: {
      const other = (own + 1 + random.integer(wallets.length - 1)) % wallets.length;
      const between = { fromBalance: 'ephemeral', toBalance: 'ephemeral', visibility: 'private' };
      return {
        kind: 'payment on the rollup',
        operation: 'transfer',
        args: { from: owner, to: wallets[other], ...common, ...between },
        effect: {
          ...NO_EFFECT,
          inside: [
            [own, -units],
            [other, units],
          ],
        },
      };
    }
  }
};
