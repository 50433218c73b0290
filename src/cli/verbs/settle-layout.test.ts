import { describe, expect, it, onTestFinished } from 'vitest';
import { settleLayout } from './ledgers.ts';
import type { Target } from './target.ts';
import type { Terminal } from './terminal.ts';
import { openFakeNode } from './testing/fake-node.ts';
import { VerbCall } from './verb-call.ts';

const IDENTITY = 'Aw9pz7J3aX5WgQoWvGYGK8PfXXNgTHutJ4i4z9MXj967';

/** A localnet whose node answers the simulated instruction with `err`; null for one that has no identity. */
async function localnet(err: unknown, layout: Target['layout'] = null, cluster = 'localnet') {
  const asked: string[] = [];
  const node = await openFakeNode({
    getIdentity: () => {
      asked.push('getIdentity');
      return err === null ? null : { identity: IDENTITY };
    },
    simulateTransaction: () => ({ context: { slot: 1 }, value: { err, logs: [] } }),
  });
  onTestFinished(() => node.close());
  const url = new URL(node.url);
  const said: string[] = [];
  const terminal = { log: (text: string) => void said.push(text) } as unknown as Terminal;
  const target: Target = { cluster, service: url, base: url, rollup: null, layout };
  return { settled: await settleLayout(new VerbCall([], new Map(), terminal), target), said, asked };
}

const A = { InstructionError: [0, { Custom: 0 }] };
const B = { InstructionError: [0, 'NotEnoughAccountKeys'] };

describe('settleLayout', () => {
  it.each([
    ['a', A],
    ['b', B],
  ])('detects layout %s of a localnet from its programs (bug: it assumed a)', async (layout, err) => {
    expect(await localnet(err)).toMatchObject({ settled: { layout, isSure: true }, said: [] });
  });

  it.each([
    ['has no identity', null],
    ['has given its identity nothing', 'AccountNotFound'],
    ['runs other programs', { InstructionError: [0, 'ProgramFailedToComplete'] }],
  ])('assumes layout a for a localnet, as a guess, if the node %s', async (_, err) => {
    expect((await localnet(err)).settled).toEqual({ layout: 'a', isSure: false });
  });

  it('uses --layout, and warns if the ledger runs the other layout', async () => {
    const b = { name: 'b', isTyped: true } as const;
    const other = await localnet(A, b);
    expect(other.settled).toEqual({ layout: 'b', isSure: true });
    expect(other.said).toEqual(['The ledger runs programs of layout a, but --layout is b: remove it.\n']);
    expect((await localnet(B, b)).said).toEqual([]);
  });

  it('does not probe networks or ledgers with a port file', async () => {
    const ofFile = await localnet(A, { name: 'b', isTyped: false });
    expect(ofFile).toMatchObject({ settled: { layout: 'b', isSure: true }, asked: [] });
    const network = await localnet(A, null, 'devnet');
    expect(network).toMatchObject({ settled: { layout: 'b', isSure: false }, asked: [] });
    const named = await localnet(B, { name: 'a', isTyped: false }, 'devnet');
    expect(named).toMatchObject({ settled: { layout: 'a', isSure: false }, asked: [] });
  });
});
