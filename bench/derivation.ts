import { startChild } from './child-calls.ts';
import { installPeers } from './install-peers.ts';
import { inScope } from './scope.ts';
import type { Section } from './section.ts';
import { here } from './stack.ts';
import { median } from './statistics.ts';
import { markdown } from './table.ts';

const ACCOUNTS = ['ATA', 'eATA'] as const;
/** Who derives: ours and web3.js from buffers, and ours from base58 to base58 (derive.mjs). */
const SIDES = { ours: 'ours', base58: 'ours, the owner as base58', web3: 'web3.js findProgramAddressSync' };

type Side = keyof typeof SIDES;

/** Program-derived addresses of random owners, by ours and by web3.js in one process. */
export const derivation: Section = {
  name: 'derivation',
  title: 'Deriving addresses, a new owner for every one',
  run: ({ rounds, roundMs }) =>
    inScope(async ({ keep }) => {
      installPeers();
      const child = keep(await startChild(here('derive.mjs')));
      const kinds = ACCOUNTS.flatMap((account) =>
        (Object.keys(SIDES) as Side[]).map((side) => ({ account, side, cpuMicros: [] as number[] })),
      );
      for (let round = -1; round < rounds; round++) {
        for (const { account, side, cpuMicros } of kinds) {
          const cost = await child.ask<number>({ account, side, durationMs: roundMs });
          // The first round lets the compiler have its way.
          if (round >= 0) cpuMicros.push(cost);
        }
      }
      const cpuOf = (account: string, side: Side): number =>
        median(kinds.find((kind) => kind.account === account && kind.side === side)?.cpuMicros ?? []);
      const timesLess = (account: string, side: Side): number =>
        cpuOf(account, 'web3') / cpuOf(account, side);
      const text = markdown(
        kinds.map(({ account, side }) => ({
          address: account,
          by: SIDES[side],
          'CPU us/derivation': cpuOf(account, side).toFixed(2),
          'derivations/s': (1_000_000 / cpuOf(account, side)).toFixed(0),
          'to web3.js': side === 'web3' ? '' : `1/${timesLess(account, side).toFixed(0)}`,
        })),
      );
      // Of the two kinds of addresses the one where ours gains less.
      return {
        text,
        figures: { derivation: Math.min(...ACCOUNTS.map((account) => timesLess(account, 'ours'))) },
      };
    }),
};
