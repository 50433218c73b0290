import { describe, expect, it } from 'vitest';
import {
  keysAnsweredTwice,
  keysWithoutAnswer,
  type KeyedSeen,
  mostAdmitted,
  otherBodiesAccepted,
  rejectedWithoutOutage,
} from './checks.ts';

const keyed = (more: Partial<KeyedSeen>): KeyedSeen => ({
  sentMs: 0,
  endMs: 1,
  status: 200,
  key: 'a',
  isOther: false,
  text: 'one',
  hasRetryAfter: false,
  ...more,
});

describe('the checks of npm run replicas', () => {
  it('find a key with two responses, but not one that was answered once and then rejected', () => {
    const once = [keyed({}), keyed({}), keyed({ status: 409, text: 'in use' })];
    expect(keysAnsweredTwice(once)).toEqual([]);
    expect(keysAnsweredTwice([...once, keyed({ text: 'two' })])).toEqual(['a']);
    expect(keysAnsweredTwice([...once, keyed({ key: 'b', text: 'two' })])).toEqual([]);
  });

  it('count the keys that were never answered', () => {
    const seen = [keyed({}), keyed({ key: 'b', status: 409 }), keyed({ key: 'b', status: 503 })];
    expect(keysWithoutAnswer(seen)).toBe(1);
    expect(keysWithoutAnswer([...seen, keyed({ key: 'b' })])).toBe(0);
  });

  it('find an accepted request with another body', () => {
    const rejected = [422, 409, 429, 0].map((status) => keyed({ isOther: true, status }));
    const busy = keyed({ isOther: true, status: 503, hasRetryAfter: true });
    const accepted = keyed({ isOther: true });
    const withoutTime = keyed({ isOther: true, status: 503 });
    expect(otherBodiesAccepted([keyed({}), ...rejected, busy])).toEqual([]);
    expect(otherBodiesAccepted([accepted, withoutTime])).toEqual([accepted, withoutTime]);
  });

  it('find a 503 outside of the outages of the store', () => {
    const outages = [{ fromMs: 10, toMs: 20 }];
    const during = keyed({ status: 503, hasRetryAfter: true, sentMs: 19, endMs: 21 });
    const after = { ...during, sentMs: 20 };
    expect(rejectedWithoutOutage([keyed({}), during, after], outages)).toEqual([after]);
  });

  it('count what was certainly admitted within a window', () => {
    const at = (sentMs: number, endMs: number) => keyed({ sentMs, endMs });
    const admitted = [at(900, 1_100), at(0, 500), at(500, 999), at(1_000, 1_400), at(1_300, 3_000)];
    expect(mostAdmitted(admitted, 1_000)).toBe(3);
    expect(mostAdmitted([], 1_000)).toBe(0);
  });
});
