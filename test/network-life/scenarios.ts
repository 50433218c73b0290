import type { Mints } from './mints.ts';
import type { Network } from './network.ts';
import { payFromBaseToRollup } from './scenarios/base-to-rollup.ts';
import { depositAndTopUp } from './scenarios/deposit.ts';
import { payFrozenAccount } from './scenarios/frozen.ts';
import { payGasless } from './scenarios/gasless.ts';
import { liveWithSol } from './scenarios/native-sol.ts';
import { payNewWallet } from './scenarios/new-wallet.ts';
import { payInOnePart } from './scenarios/one-part.ts';
import { payInParts } from './scenarios/parts.ts';
import { payFromRollupToBase } from './scenarios/rollup-to-base.ts';
import { payStealthHandle } from './scenarios/stealth.ts';
import { liveWithToken2022 } from './scenarios/token-2022.ts';
import { undelegateAndWithdraw } from './scenarios/way-back.ts';
import { withdrawByShuttle } from './scenarios/withdrawal.ts';

/** One thing that people do with private payments. */
export interface Scenario {
  readonly title: string;
  readonly play: (network: Network, mints: Mints) => Promise<void>;
}

/** All of them, in the order in which they are played. */
export const SCENARIOS: readonly Scenario[] = [
  { title: 'A deposit by shuttle, and a top-up', play: depositAndTopUp },
  { title: 'A private payment from base to base', play: payInOnePart },
  { title: 'A private payment in three parts, with delays', play: payInParts },
  { title: 'A private payment to a wallet without an account', play: payNewWallet },
  { title: 'A private payment to a stealth handle with two keys', play: payStealthHandle },
  { title: 'A payment from the rollup to base', play: payFromRollupToBase },
  { title: 'A payment from base to the rollup', play: payFromBaseToRollup },
  { title: 'Tokens of Token-2022', play: liveWithToken2022 },
  { title: 'Native SOL', play: liveWithSol },
  { title: 'A gasless payment', play: payGasless },
  { title: 'A frozen recipient: the payment is refunded', play: payFrozenAccount },
  { title: 'A withdrawal by shuttle', play: withdrawByShuttle },
  { title: 'An undelegation, and a direct withdrawal', play: undelegateAndWithdraw },
];
