import { describe, expect, it } from 'vitest';
import { lifeOf, readLife, startTicksOf } from './holder-life.ts';

/** The two files of a process as Linux writes them, its name as bad as names can be. */
const statOf = (state: string, { flags = 4194304, threads = 1 } = {}): string =>
  `4711 (a) Z (b) ${state} 1 4711 4711 0 -1 ${flags} 101 0 0 0 0 0 0 0 20 0 ${threads} 0 707630 3133440 394\n`;
const statusOf = (pending = '0000000000000000'): string =>
  `Name:\ta\nSigPnd:\t0000000000000000\nShdPnd:\t${pending}\nSigBlk:\t0000000000000100\n`;

describe('the life of a process that holds something', () => {
  it.each([
    ['runs', statOf('R'), statusOf()],
    ['runs', statOf('D', { threads: 12 }), statusOf()],
    ['runs', statOf('T'), statusOf('0000000000004000')],
    ['gone', statOf('Z'), statusOf()],
    ['gone', statOf('X'), statusOf()],
    ['dies', statOf('Z', { threads: 2 }), statusOf()],
    ['dies', statOf('R', { flags: 4194308 }), statusOf()],
    ['dies', statOf('D'), statusOf('0000000000000100')],
  ])('is told: %s', (life, stat, status) => {
    expect(readLife(stat, status)).toBe(life);
  });

  it('is that of one who runs for this very process', () => {
    expect(lifeOf(process.pid)).toBe('runs');
  });

  it('began when the field of proc(5) says', () => {
    expect(startTicksOf(statOf('R'))).toBe('707630');
  });
});
