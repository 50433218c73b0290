import { expect, it } from 'vitest';
import { WorkQueue } from './dry-run.ts';

it('WorkQueue does one piece at a time, in order, whether or not the one before failed', async () => {
  const queue = new WorkQueue(2);
  const course: string[] = [];
  const piece = (name: string, error?: Error) =>
    queue.run(async () => {
      course.push(`${name} begins`);
      await Promise.resolve();
      course.push(`${name} ends`);
      if (error !== undefined) throw error;
      return name;
    });
  const results = await Promise.allSettled([piece('a'), piece('b', new Error('of b')), piece('c')]);
  expect(course).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  expect(results).toEqual([
    { status: 'fulfilled', value: 'a' },
    { status: 'rejected', reason: new Error('of b') },
    { status: 'fulfilled', value: 'c' },
  ]);
});

it('WorkQueue refuses what is more than may wait, and takes work again when some is done', async () => {
  const queue = new WorkQueue(2);
  const done: number[] = [];
  const add = (piece: number) => queue.run(async () => void done.push(piece));
  const taken = [add(1), add(2), add(3)];
  await expect(add(4)).rejects.toMatchObject({ code: 'SERVICE_BUSY' });
  await Promise.all(taken);
  await add(5);
  expect(done).toEqual([1, 2, 3, 5]);
});
