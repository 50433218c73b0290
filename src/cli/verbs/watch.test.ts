import { describe, expect, it, onTestFinished } from 'vitest';
import { encodeBase58 } from '../../solana/base58.ts';
import { openFakeNode, type FakeNode } from './testing/fake-node.ts';
import { type } from './testing/typed.ts';

const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const OWNER = 'Aw9pz7J3aX5WgQoWvGYGK8PfXXNgTHutJ4i4z9MXj967';
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

/** The transactions in the history of a node. */
interface Past {
  readonly signature: string;
  readonly slot: number;
  readonly err: unknown;
  readonly blockTime: number | null;
}

/** Names a transaction by a number. */
function signatureOf(number: number): string {
  const bytes = new Uint8Array(64).fill(255);
  new DataView(bytes.buffer).setUint32(0, number);
  return encodeBase58(bytes);
}

const pastOf = (number: number, slot = number, blockTime: number | null = slot): Past => ({
  signature: signatureOf(number),
  slot,
  err: null,
  blockTime,
});

/** A node of whose history every transaction, oldest first, names the accounts of each payment. */
async function nodeOf(history: Past[], onAsked: () => void = () => undefined): Promise<FakeNode> {
  const node = await openFakeNode({
    getGenesisHash: () => 'own',
    getTransaction: ([signature]) => {
      const found = history.find((each) => each.signature === signature);
      const balance = { mint: MINT, owner: OWNER, programId: TOKEN_PROGRAM };
      const message = { accountKeys: [{ pubkey: OWNER, signer: true }] };
      return (
        found && { ...found, transaction: { message }, meta: { err: null, postTokenBalances: [balance] } }
      );
    },
    getSignaturesForAddress: ([, config]) => {
      const { limit, before, until } = config as { limit: number; before?: string; until?: string };
      const at = (signature: string | undefined) => history.findIndex((each) => each.signature === signature);
      const end = before === undefined ? history.length : at(before);
      const page = history.slice(Math.max(at(until) + 1, end - limit, 0), end).toReversed();
      onAsked();
      return page;
    },
  });
  onTestFinished(() => node.close());
  return node;
}

/** The numbers of the shown transactions. */
function numbersIn(stdout: string, history: readonly Past[]): number[] {
  const numbers = new Map(history.map(({ signature }, at) => [signature, at]));
  const shown = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Past);
  return shown.map(({ signature }) => numbers.get(signature) ?? -1);
}

const upTo = (first: number, end: number): number[] =>
  Array.from({ length: end - first }, (_, at) => first + at);

describe('watch SIGNATURE', () => {
  it('omits nothing that lands while it reads the history', async () => {
    const history = [pastOf(0)];
    let asked = 0;
    const node = await nodeOf(history, () => {
      asked += 1;
      // The token account and the eATA have been looked at.
      if (asked !== 2) return;
      history.push(pastOf(1));
      node.notify(1, { signature: signatureOf(1), err: null, logs: [] });
    });
    const flags = ['--url', node.url, '--count', '2', '--json'];
    const { code, stdout } = await type(['watch', signatureOf(0), ...flags]);
    expect(code).toBe(0);
    expect(numbersIn(stdout, history)).toEqual([0, 1]);
  });

  it('shows everything that happened since, however many pages it takes', async () => {
    const history = upTo(0, 3_000).map((number) => pastOf(number));
    const node = await nodeOf(history);
    const flags = ['--url', node.url, '--count', '2500', '--json'];
    const { stdout, stderr } = await type(['watch', signatureOf(500), ...flags]);
    expect(numbersIn(stdout, history)).toEqual(upTo(500, 3_000));
    expect(stderr).toBe('Listening. Press Ctrl+C to stop.\n');
  });

  it('warns if it does not read the whole history, and shows the payment', async () => {
    const history = upTo(0, 10_002).map((number) => pastOf(number));
    const node = await nodeOf(history);
    const flags = ['--url', node.url, '--count', '10001', '--json'];
    const { stdout, stderr } = await type(['watch', signatureOf(0), ...flags]);
    expect(numbersIn(stdout, history)).toEqual([0, ...upTo(2, 10_002)]);
    expect(stderr).toMatch(
      /^Only the last 10000 transactions that name \w+ on the base ledger of localnet /m,
    );
  });

  it('shows later transactions of the same slot, and no earlier ones', async () => {
    const history = [pastOf(0, 7), pastOf(1, 7), pastOf(2, 7), pastOf(3, 7), pastOf(4, 8)];
    const node = await nodeOf(history);
    const flags = ['--url', node.url, '--count', '4', '--json'];
    const { stdout } = await type(['watch', signatureOf(1), ...flags]);
    expect(numbersIn(stdout, history)).toEqual([1, 2, 3, 4]);
  });

  it('shows transactions of the other ledger unless they are earlier', async () => {
    const history = [pastOf(0), pastOf(1, 100, 49), pastOf(2, 101, 50), pastOf(3, 102, null)];
    const [base, rollup] = [await nodeOf([pastOf(0, 5, 50)]), await nodeOf(history.slice(1))];
    const flags = ['--url', base.url, '--rollup', rollup.url, '--count', '3', '--json'];
    const { stdout } = await type(['watch', signatureOf(0), ...flags]);
    expect(numbersIn(stdout, history)).toEqual([0, 2, 3]);
  });

  it('does not report success without an outcome', async () => {
    const message = { accountKeys: [{ pubkey: OWNER, signer: true }] };
    const node = await openFakeNode({
      getGenesisHash: () => 'own',
      getTransaction: () => ({ slot: 1, blockTime: 1, transaction: { message }, meta: null }),
    });
    onTestFinished(() => node.close());
    const { code, stdout, stderr } = await type(['watch', signatureOf(0), '--url', node.url]);
    expect({ code, stdout }).toEqual({ code: 69, stdout: '' });
    expect(stderr).toContain('without its outcome: try again, or pass another node (UPSTREAM_INVALID)');
  });
});
