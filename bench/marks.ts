import type { Figures } from './figures.ts';
import { markdown } from './table.ts';

/**
 * What a figure should come to; one that has neither `must` nor `aim` stands beside the others to read them
 * by.
 */
interface Mark {
  readonly what: string;
  readonly figure: keyof Figures;
  readonly write: (value: number) => string;
  /** Whether more of it is better, or less. */
  readonly wanted: 'more' | 'less';
  readonly must?: number;
  readonly aim?: number;
}

const MB = 1_000_000;
/** What a scan of 100,000 accounts took while every account was in memory, CPU ms: it is to be half of that. */
const SCAN_BEFORE_MS = 50.4;

const decimalsOf = (value: number): number => (value < 10 ? 2 : 0);
const TO_PEER = {
  write: (value: number) => `1/${value.toFixed(decimalsOf(value))}`,
  wanted: 'more',
} as const;
const TO_FLOOR = { write: (value: number) => `${value.toFixed(2)}x`, wanted: 'less' } as const;
const TO_ONE = { write: TO_FLOOR.write, wanted: 'more' } as const;
const PER_SECOND = { write: (value: number) => `${value.toFixed(0)}/s`, wanted: 'more' } as const;
const MS = { write: (value: number) => `${value.toFixed(0)} ms`, wanted: 'less' } as const;
const TENTHS_OF_MS = { write: (value: number) => `${value.toFixed(1)} ms`, wanted: 'less' } as const;
const BYTES = { write: (value: number) => `${value.toFixed(0)} bytes`, wanted: 'less' } as const;
const MEMORY = { write: (bytes: number) => `${(bytes / MB).toFixed(1)} MB`, wanted: 'less' } as const;

const MARKS: readonly Mark[] = [
  { what: 'derivation, to web3.js', figure: 'derivation', ...TO_PEER, must: 30, aim: 70 },
  { what: 'deposit built, to the SDK and web3.js', figure: 'depositBytes', ...TO_PEER, must: 60, aim: 120 },
  { what: '- with all that the operation does besides', figure: 'depositOperation', ...TO_PEER },
  { what: 'tools/call spl.deposit, to the peer', figure: 'depositToPeer', ...TO_PEER, must: 50, aim: 100 },
  { what: '- to the echo', figure: 'depositToFloor', ...TO_FLOOR, must: 4, aim: 2.8 },
  { what: '- its p99, to the peer', figure: 'depositP99ToPeer', ...TO_PEER, must: 30, aim: 100 },
  {
    what: 'tools/call spl.explainTransaction of a transfer, to the echo',
    figure: 'explainToFloor',
    ...TO_FLOOR,
  },
  { what: 'tools/list, to the echo', figure: 'toolsListToFloor', ...TO_FLOOR, must: 1.5, aim: 1.2 },
  { what: 'initialize, to the echo', figure: 'initializeToFloor', ...TO_FLOOR, must: 1.5, aim: 1.2 },
  { what: 'getSlot, to the echo', figure: 'slotToFloor', ...TO_FLOOR, must: 1.3, aim: 1.1 },
  {
    what: 'simulateTransaction of a transfer, CPU-bound, per core',
    figure: 'simulationsPerSecond',
    ...PER_SECOND,
    must: 12_000,
    aim: 20_000,
  },
  {
    what: '- scaled to an echo of 50000/s',
    figure: 'simulationsPerSecondScaled',
    ...PER_SECOND,
    must: 18_000,
    aim: 20_000,
  },
  { what: '- the echo here, CPU-bound, per core', figure: 'floorPerSecond', ...PER_SECOND },
  {
    what: 'deposit on an upstream, to the echo',
    figure: 'remoteDepositToFloor',
    ...TO_FLOOR,
    must: 7,
    aim: 5,
  },
  { what: '- its p50 alone, to the upstream', figure: 'remoteDepositP50', ...TO_FLOOR, must: 1.5 },
  {
    what: '- the same where the upstream is 20 ms away',
    figure: 'remoteDepositP50Far',
    ...TO_FLOOR,
    must: 1.5,
  },
  {
    what: '- calls of the upstream',
    figure: 'upstreamCallsPerDeposit',
    write: (value) => `1/${(1 / value).toFixed(1)}`,
    wanted: 'less',
    must: 1 / 10,
  },
  {
    what: 'getBalance on an upstream, to the echo',
    figure: 'remoteBalanceToFloor',
    ...TO_FLOOR,
    must: 3.2,
    aim: 2.5,
  },
  {
    what: 'private transfer on an upstream, to the echo',
    figure: 'remoteTransferToFloor',
    ...TO_FLOOR,
    must: 22,
    aim: 15,
  },
  { what: 'two workers, to one', figure: 'twoWorkers', ...TO_ONE, must: 1.6, aim: 1.85 },
  { what: '- for wallets never seen', figure: 'twoWorkersUnseen', ...TO_ONE, must: 1.6, aim: 1.85 },
  {
    what: 'start of the whole stack to its first answer',
    figure: 'startMs',
    ...MS,
    must: 1_000,
  },
  { what: 'startLocalnet in a new process', figure: 'localnetStartMs', ...MS, must: 1_000 },
  { what: '- reset', figure: 'localnetResetMs', ...MS, must: 50 },
  { what: 'longest pause of pruning a full history', figure: 'pruningPauseMs', ...MS, must: 20 },
  {
    what: 'token transfer in the database, beyond its wire bytes',
    figure: 'historyBytes',
    ...BYTES,
    must: 300,
  },
  { what: '- to an account that no other names', figure: 'historyNewAccountBytes', ...BYTES, must: 300 },
  {
    what: '- read by signature',
    figure: 'historyReadMicros',
    write: (value) => `${value.toFixed(1)} us`,
    wanted: 'less',
    must: 60,
  },
  {
    what: 'start with a million accounts, to an empty ledger',
    figure: 'fullStartToEmpty',
    ...TO_FLOOR,
    must: 1.3,
  },
  { what: '- its anonymous memory', figure: 'fullStartedBytes', ...MEMORY, must: 200 * MB },
  { what: '- the same after scans and reads', figure: 'fullReadBytes', ...MEMORY, must: 200 * MB },
  {
    what: '- getProgramAccounts, 10 found among 100000 of a program',
    figure: 'programScanMs',
    ...TENTHS_OF_MS,
    must: SCAN_BEFORE_MS / 2,
  },
  {
    what: '- in a ledger of 100000 accounts alone, none found',
    figure: 'scanMs',
    ...TENTHS_OF_MS,
    must: SCAN_BEFORE_MS / 2,
  },
  {
    what: 'private transfer and its settlement among 10000 eATAs, to among 100',
    figure: 'settlementGrowth',
    ...TO_FLOOR,
    must: 1.5,
  },
  {
    what: 'idle stack, of a core',
    figure: 'idleShare',
    write: (share) => `${(share * 100).toFixed(2)} %`,
    wanted: 'less',
    must: 0.01,
  },
  { what: 'resident with both ledgers, once started', figure: 'startedBytes', ...MEMORY, must: 150 * MB },
  { what: '- the most over 200000 requests', figure: 'residentBytes', ...MEMORY, must: 150 * MB },
  { what: '- growth over them, once warm', figure: 'growthBytes', ...MEMORY, must: 10 * MB },
  {
    what: '- of it of no file and kept: no garbage, no young generation',
    figure: 'keptGrowthBytes',
    ...MEMORY,
    must: 10 * MB,
  },
  {
    what: '- the most of no file, garbage and all',
    figure: 'anonymousMostGrowthBytes',
    ...MEMORY,
    must: 10 * MB,
  },
];

/** The marks as a Markdown table, judged by what was measured in this run. */
export function formatMarks(measured: Partial<Figures>): string {
  return markdown(
    MARKS.map((mark) => {
      const value = measured[mark.figure];
      return {
        what: mark.what,
        measured: value === undefined ? 'not measured' : mark.write(value),
        must: judge(mark, mark.must, value),
        aim: judge(mark, mark.aim, value),
      };
    }),
  );
}

function judge({ write, wanted }: Mark, limit: number | undefined, value: number | undefined): string {
  if (limit === undefined || value === undefined) return limit === undefined ? '' : write(limit);
  const isMet = wanted === 'more' ? value >= limit : value <= limit;
  return `${write(limit)}: ${isMet ? 'met' : 'missed'}`;
}
