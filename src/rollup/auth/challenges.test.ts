import { describe, expect, it } from 'vitest';
import { HandClock } from '../../ledger/testing/hand-clock.ts';
import { addressOf } from '../../solana/address.ts';
import { AHEAD_SECONDS_MAX, ANSWERED_MAX, CHALLENGE_SECONDS, Challenges } from './challenges.ts';

const START_SECOND = 1_767_225_600;
const OWNER = addressOf(new Uint8Array(32).fill(5));
const OTHER = addressOf(new Uint8Array(32).fill(6));

function begin() {
  const clock = new HandClock(START_SECOND * 1_000);
  const challenges = new Challenges(clock);
  clock.pass(60_000);
  return { clock, challenges };
}

const textAt = (second: number) => `Login to Query Filtering Service\nTimestamp: ${second}\nUser: ${OWNER}`;

describe('Challenges', () => {
  it('consist of three lines with the current second and the wallet', () => {
    expect(begin().challenges.give(OWNER)).toBe(textAt(START_SECOND + 60));
  });

  it('of one wallet in one second differ, up to a limit', () => {
    const { clock, challenges } = begin();
    const given = Array.from({ length: AHEAD_SECONDS_MAX + 3 }, () => challenges.give(OWNER));
    expect(new Set(given).size).toBe(AHEAD_SECONDS_MAX + 1);
    expect(given.at(-1)).toBe(textAt(START_SECOND + 60 + AHEAD_SECONDS_MAX));
    expect(given.map((challenge) => challenges.findFault(challenge, OWNER))).toEqual(
      given.map(() => undefined),
    );
    expect(challenges.give(OTHER)).toContain(`Timestamp: ${START_SECOND + 60}\n`);
    clock.pass(1_000);
    expect(challenges.give(OWNER)).toBe(textAt(START_SECOND + 61 + AHEAD_SECONDS_MAX));
  });

  it('can be used once', () => {
    const { challenges } = begin();
    const [first, second] = [challenges.give(OWNER), challenges.give(OWNER)];
    challenges.use(first);
    expect([first, second].map((each) => challenges.findFault(each, OWNER))).toEqual(['used', undefined]);
  });

  it('expire, used or not', () => {
    const { clock, challenges } = begin();
    const challenge = challenges.give(OWNER);
    clock.pass(CHALLENGE_SECONDS * 1_000);
    expect(challenges.findFault(challenge, OWNER)).toBeUndefined();
    challenges.use(challenge);
    clock.pass(1_000);
    expect(challenges.findFault(challenge, OWNER)).toBe('expired');
  });

  it('are stored as long as they could be reused', () => {
    const { clock, challenges } = begin();
    for (let ahead = 0; ahead < AHEAD_SECONDS_MAX; ahead++) challenges.give(OWNER);
    const furthest = challenges.give(OWNER);
    challenges.use(furthest);
    const faults = new Set<string | undefined>();
    for (let second = 0; second <= CHALLENGE_SECONDS + 20; second++) {
      faults.add(challenges.findFault(furthest, OWNER));
      challenges.findFault(challenges.give(OTHER), OTHER);
      clock.pass(1_000);
    }
    expect([...faults]).toEqual(['used', 'expired']);
  });

  it('from before a restart are invalid, so that none can be reused', () => {
    const clock = new HandClock(START_SECOND * 1_000);
    const before = new Challenges(clock);
    clock.pass(60_000);
    const given = Array.from({ length: AHEAD_SECONDS_MAX + 1 }, () => before.give(OWNER));
    const after = new Challenges(clock);
    expect(new Set(given.map((each) => after.findFault(each, OWNER)))).toEqual(new Set(['expired']));
    expect(after.findFault(after.give(OWNER), OWNER)).toBeUndefined();
  });

  it.each([
    ['another wallet', textAt(START_SECOND + 60), OTHER, 'other-wallet'],
    ['a future time', textAt(START_SECOND + 61 + AHEAD_SECONDS_MAX), OWNER, 'expired'],
    ['an extra line', `${textAt(START_SECOND + 60)}\n`, OWNER, 'malformed'],
    ['an extra line at the start', `x\n${textAt(START_SECOND + 60)}`, OWNER, 'malformed'],
    ['Windows line endings', textAt(START_SECOND + 60).replaceAll('\n', '\r\n'), OWNER, 'malformed'],
    ['another time format', textAt(START_SECOND + 60).replace('1767', '01767'), OWNER, 'malformed'],
    ['an empty text', '', OWNER, 'malformed'],
  ] as const)('with %s are rejected', (_, challenge, owner, fault) => {
    expect(begin().challenges.findFault(challenge, owner)).toBe(fault);
  });

  it('older than one that their wallet has answered are invalid', () => {
    const { challenges } = begin();
    const [first, second, third] = [1, 2, 3].map(() => challenges.give(OWNER)) as [string, string, string];
    const other = challenges.give(OTHER);
    challenges.use(second);
    expect([first, second, third].map((each) => challenges.findFault(each, OWNER))).toEqual([
      'used',
      'used',
      undefined,
    ]);
    expect(challenges.findFault(other, OTHER)).toBeUndefined();
  });

  it('are never rejected because others have answered many', () => {
    const { clock, challenges } = begin();
    const mine = challenges.give(OWNER);
    for (let each = 0; each <= ANSWERED_MAX; each++) {
      challenges.use(challengeOf(each, START_SECOND + 60));
      if (each % 10_000 === 0) clock.pass(1_000);
    }
    expect(challenges.findFault(challenges.give(OWNER), OWNER)).toBeUndefined();
    // A dropped answer may have used any challenge of its age.
    expect(challenges.findFault(challengeOf(0, START_SECOND + 60), walletOf(0))).toBe('expired');
    expect(challenges.findFault(mine, OWNER)).toBe('expired');
  });
});

function walletOf(index: number) {
  const bytes = new Uint8Array(32).fill(9);
  new DataView(bytes.buffer).setUint32(0, index);
  return addressOf(bytes);
}

function challengeOf(index: number, second: number): string {
  return `Login to Query Filtering Service\nTimestamp: ${second}\nUser: ${walletOf(index)}`;
}
