import { expect, it } from 'vitest';
import { reportedCall } from '../console/testing/reported-call.ts';
import { HandTimer } from '../ports/testing/hand-timer.ts';
import { CallNotes } from './call-notes.ts';

const callAt = (atMs: number) => reportedCall({ atMs });

function start() {
  const timer = new HandTimer();
  const messages: { readonly times: readonly number[]; readonly skipped: number }[] = [];
  const notes = new CallNotes((calls, skipped) => {
    messages.push({ times: calls.map(({ atMs }) => atMs), skipped });
  }, timer);
  return { timer, messages, notes };
}

it('tells many calls in one message (bug: a message for each cost more than a deposit)', () => {
  const { timer, messages, notes } = start();
  for (let at = 1; at <= 3; at += 1) notes.add(callAt(at));
  expect(messages).toEqual([]);
  timer.pass(250);
  expect(messages).toEqual([{ times: [1, 2, 3], skipped: 0 }]);
  notes.add(callAt(4));
  timer.pass(250);
  expect(messages.slice(1)).toEqual([{ times: [4], skipped: 0 }]);
  expect(timer.size).toBe(0);
});

it('tells no more calls at a time than the list keeps, and how many came before them', () => {
  const { timer, messages, notes } = start();
  for (let at = 1; at <= 1_002; at += 1) notes.add(callAt(at));
  timer.pass(250);
  expect(messages).toHaveLength(1);
  expect(messages[0]?.skipped).toBe(2);
  expect([messages[0]?.times.length, messages[0]?.times[0]]).toEqual([1_000, 3]);
});

it('tells at its end what it still has', () => {
  const { timer, messages, notes } = start();
  notes.add(callAt(1));
  notes.close();
  notes.close();
  expect(messages).toEqual([{ times: [1], skipped: 0 }]);
  expect(timer.size).toBe(0);
});
