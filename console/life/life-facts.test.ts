import { describe, expect, it } from 'vitest';
import { readLife } from './life-facts.ts';
import { createReaders } from '../readers/readers.ts';
import { ephemeral, landed, transfer } from '../testing/transactions.ts';
import { readDeeds } from '../history/read-deeds.ts';

/** A base ledger on which Alice made deposits of 1 and one withdrawal, the newest. */
function ledger(deposits: number, isTold: (signature: string) => boolean = () => true) {
  const signatures = ['withdrawal', ...Array.from({ length: deposits }, (_, at) => `deposit${at}`)];
  const answer = (method: string, params: readonly unknown[]): unknown => {
    const [first, options] = params as [string, { readonly limit?: number }];
    if (method === 'getSignaturesForAddress')
      return signatures.slice(0, options.limit).map((signature) => ({ signature, slot: 1 }));
    if (method !== 'getTransaction') return { context: { slot: 9 }, value: null };
    if (!isTold(first)) return null;
    const isOut = first === 'withdrawal';
    const inner = [isOut ? transfer('vault', 'ata', '1', 'mint') : transfer('ata', 'vault', '1', 'mint')];
    return landed([ephemeral(isOut ? 3 : 2)], { signature: first, inner });
  };
  return createReaders(
    {
      now: () => 0,
      post: async (_, body) => {
        const calls = JSON.parse(body) as { id: number; method: string; params: unknown[] }[];
        return JSON.stringify(
          calls.map(({ id, method, params }) => ({ jsonrpc: '2.0', id, result: answer(method, params) })),
        );
      },
    },
    () => null,
  );
}

const ACCOUNTS = { wallet: 'Alice', ata: 'ata', eata: 'eata' };

describe('the history of an account', () => {
  it('is marked as cut if it exceeds the limit or a transaction is unreadable', async () => {
    const cut = async (readers: ReturnType<typeof ledger>) => {
      const read = await readDeeds(readers.base, ['eata'], 'eata', 5);
      return read.kind === 'read' ? [read.deeds.length, read.cut] : read;
    };
    expect(await cut(ledger(3))).toEqual([4, []]);
    expect(await cut(ledger(9))).toEqual([5, ['eata']]);
    expect(await cut(ledger(2, (signature) => signature !== 'deposit1'))).toEqual([2, ['eata']]);
  });

  it('is totaled if all of it was read, and never in part', async () => {
    const whole = await readLife(ledger(60), 'base', ACCOUNTS, null);
    expect([whole.worked, whole.isCut]).toEqual([{ putIn: 60n, tookOut: 1n }, false]);
    const part = await readLife(ledger(120), 'base', ACCOUNTS, null);
    expect([part.worked, part.isCut]).toEqual([null, true]);
  });
});
