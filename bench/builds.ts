import { startChild } from './child-calls.ts';
import { installPeers } from './install-peers.ts';
import type { Section } from './section.ts';
import { here } from './stack.ts';
import { median } from './statistics.ts';
import { formatBuilds } from './table.ts';

/** One kind of transaction, built by one side. */
interface BuildCase {
  readonly name: string;
  readonly side: 'ours' | 'sdk';
  /** The other side's case that does the same job. */
  readonly twin?: string;
}

/** What a case's transactions cost in each round. */
export interface MeasuredBuilds {
  readonly case: BuildCase;
  readonly cpuMicros: readonly number[];
}

/**
 * The deposits that MagicBlock's SDK 0.8 on npm can build, and what ours are to be compared with. `deposit,
 * plan and bytes` does what the SDK does; the others are whole operations, which judge their arguments, read
 * the accounts (here from memory) and put the result in words as well. The SDK has no private transfer.
 */
const CASES: readonly BuildCase[] = [
  { name: 'deposit, plan and bytes', side: 'ours', twin: 'delegatePrivateSpl' },
  { name: 'deposit', side: 'ours', twin: 'delegatePrivateSpl' },
  { name: 'delegatePrivateSpl', side: 'sdk' },
  { name: 'public deposit', side: 'ours', twin: 'delegateSpl' },
  { name: 'delegateSpl', side: 'sdk' },
  { name: 'deposit by shuttle', side: 'ours', twin: 'delegateSplIdempotent' },
  { name: 'delegateSplIdempotent', side: 'sdk' },
  { name: 'private transfer', side: 'ours' },
];

/** Cases that must come to the same bytes for the same owner, the SDK's first. */
const SAME_BYTES = [
  ['delegatePrivateSpl', 'deposit, plan and bytes'],
  ['delegatePrivateSpl', 'deposit'],
  ['delegateSpl', 'public deposit'],
] as const;
const SOME_OWNER = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb';

/** Building in process, compared with MagicBlock's SDK and web3.js. */
export const inProcessBuilds: Section = {
  name: 'builds',
  title: 'Building in process, a new wallet for every transaction',
  run: async ({ rounds, roundMs }) => {
    installPeers();
    const measured = await measureBuilds(rounds, roundMs);
    const cpuOf = (name: string): number =>
      median(measured.find((row) => row.case.name === name)?.cpuMicros ?? []);
    const sdk = cpuOf('delegatePrivateSpl');
    const figures = {
      depositBytes: sdk / cpuOf('deposit, plan and bytes'),
      depositOperation: sdk / cpuOf('deposit'),
    };
    return { text: formatBuilds(measured), figures };
  },
};

/**
 * Builds in two processes, one for each side, in alternating rounds. Every transaction has a wallet of its
 * own.
 */
async function measureBuilds(rounds: number, roundMs: number): Promise<MeasuredBuilds[]> {
  const builders = { ours: await startBuilder('build-ours.mjs'), sdk: await startBuilder('build-sdk.mjs') };
  try {
    for (const [theirs, ours] of SAME_BYTES) {
      const [expected, built] = [await builders.sdk.sample(theirs), await builders.ours.sample(ours)];
      if (built !== expected) throw new Error(`${ours} and ${theirs} differ:\n${built}\n${expected}`);
    }
    const measured = CASES.map((each) => ({ case: each, cpuMicros: [] as number[] }));
    for (let round = -1; round < rounds; round++) {
      for (const { case: each, cpuMicros } of measured) {
        const cost = await builders[each.side].build(each.name, roundMs);
        // The first round lets the compiler have its way.
        if (round >= 0) cpuMicros.push(cost);
      }
    }
    return measured;
  } finally {
    builders.ours.stop();
    builders.sdk.stop();
  }
}

interface Builder {
  /** The transaction for a fixed owner, base64. */
  sample(name: string): Promise<string>;
  /** Builds for that long; CPU time of one transaction, us. */
  build(name: string, durationMs: number): Promise<number>;
  stop(): void;
}

async function startBuilder(file: string): Promise<Builder> {
  const child = await startChild(here(file));
  return {
    sample: async (name) =>
      (await child.ask<{ transaction: string }>({ name, owner: SOME_OWNER })).transaction,
    build: async (name, durationMs) => {
      const { builds, cpuMicros } = await child.ask<{ builds: number; cpuMicros: number }>({
        name,
        durationMs,
      });
      return cpuMicros / builds;
    },
    stop: child.stop,
  };
}
