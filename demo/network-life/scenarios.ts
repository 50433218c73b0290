import type { Mints } from './mints.ts';
import type { Network } from './network.ts';
import { depositAndTopUp } from './scenarios/deposit.ts';
import { payInOnePart } from './scenarios/one-part.ts';
import { withdrawByShuttle } from './scenarios/withdrawal.ts';

/** One thing that people do with private payments. */
interface Scenario {
  readonly title: string;
  readonly play: (network: Network, mints: Mints) => Promise<void>;
}

/** All of them, in the order in which they are played. */
export const SCENARIOS: readonly Scenario[] = [
  { title: 'A deposit by shuttle, and a top-up', play: depositAndTopUp },
  { title: 'A private payment from base to base', play: payInOnePart },
  { title: 'A withdrawal by shuttle', play: withdrawByShuttle },
];
