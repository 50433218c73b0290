import { expect, it } from 'vitest';
import { HandTimer } from '../ports/testing/hand-timer.ts';
import { PromptAnswer } from './console-state.ts';

/** A question that is answered, or fails, when the test says so. */
function start() {
  const timer = new HandTimer();
  const asked: { resolve(answer: string): void; reject(error: Error): void }[] = [];
  const answer = new PromptAnswer(
    () => new Promise<string>((resolve, reject) => void asked.push({ resolve, reject })),
    timer,
    'nothing yet',
  );
  return { timer, asked, answer };
}

it('is requested once for all readers, who wait half a second', async () => {
  const { timer, asked, answer } = start();
  const readers = [answer.read(), answer.read()];
  timer.pass(499);
  asked[0]?.resolve('here');
  expect(await Promise.all(readers)).toEqual(['here', 'here']);
  expect([asked.length, timer.size]).toEqual([1, 0]);
});

it('is the previous one if it takes longer, immediately for later readers (bug: each of them waited)', async () => {
  const { timer, asked, answer } = start();
  const first = answer.read();
  timer.pass(500);
  expect([await first, await answer.read()]).toEqual(['nothing yet', 'nothing yet']);
  asked[0]?.resolve('up');
  await new Promise(setImmediate);
  const second = answer.read();
  timer.pass(500);
  expect([await second, await answer.read(), asked.length]).toEqual(['up', 'up', 2]);
});

it('fails with its request, but not if the request only took too long', async () => {
  const { timer, asked, answer } = start();
  const first = answer.read();
  asked[0]?.reject(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  const second = answer.read();
  timer.pass(500);
  asked[1]?.reject(new Error('gone'));
  expect(await second).toBe('nothing yet');
  expect([asked.length, timer.size]).toEqual([2, 0]);
});
