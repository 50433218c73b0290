import { signal } from '../parts/signal.ts';
import { describe, expect, it } from 'vitest';
import type { Console } from '../context/console.ts';
import type { Viewpoint } from '../parts/reader.ts';
import { explainInput } from './explain-input.ts';
import { readInput, type ReadInput } from './read-input.ts';

type Readable = Exclude<ReadInput, { readonly kind: 'empty' | 'unreadable' }>;

const DEPOSIT = readInput('{"operation":"deposit","arguments":{"owner":"Alice","amount":1}}') as Readable;

/** A console whose wallets are all logged in, and the tokens that the service was sent. */
function lookingAs(as: Viewpoint, onBuild: (leave: (to: Viewpoint) => void) => void = () => undefined) {
  const tokens: (string | null)[] = [];
  const viewpoint = signal(as);
  const told =
    (answer: object, then: () => void = () => undefined) =>
    async (_: unknown, { token }: { readonly token?: string }) => {
      tokens.push(token ?? null);
      then();
      return answer;
    };
  const leave = (to: Viewpoint): void => {
    viewpoint.value = to;
  };
  const console = {
    viewpoint,
    looking: signal('Alice'),
    wallets: { tokenOf: (wallet: string) => `token of ${wallet}` },
    api: {
      deposit: told({ sendTo: 'base' }, () => onBuild(leave)),
      explainTransaction: told({ verdict: 'clear' }),
    },
  } as unknown as Console;
  return { console, tokens };
}

describe('a request to explain', () => {
  it.each(['anyone', 'base'] as const)('is built and explained without a token as %s', async (as) => {
    const { console, tokens } = lookingAs(as);
    await explainInput(console, DEPOSIT, null);
    expect(tokens).toEqual([null, null]);
  });

  it('is built and explained with the token of the payer as the owner', async () => {
    const { console, tokens } = lookingAs('owner');
    await explainInput(console, DEPOSIT, null);
    expect(tokens).toEqual(['token of Alice', 'token of Alice']);
  });

  it('sends no token after the owner has left', async () => {
    const { console, tokens } = lookingAs('owner', (leave) => leave('anyone'));
    await explainInput(console, DEPOSIT, null);
    expect(tokens).toEqual(['token of Alice', null]);
  });
});
