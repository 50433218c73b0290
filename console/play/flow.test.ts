import { signal } from '../parts/signal.ts';
import { describe, expect, it } from 'vitest';
import { PaymentsError } from '../../src/client/index.ts';
import { FAILURE_WORDS } from '../../src/console/calls/failure-words.ts';
import type { Console } from '../context/console.ts';
import type { ReaderPorts } from '../readers/transport.ts';
import { createReaders } from '../readers/readers.ts';
import { encodeBase64, decodeBase58 } from '../parts/encodings.ts';
import { PROGRAMS } from '../parts/programs.ts';
import { contentOf, type Agreed } from '../payments/consent.ts';
import { makeKeypair, type Keypair } from '../wallets/keypair.ts';
import { Play } from './flow.ts';
import type { Intent } from './intent.ts';
import { memoryStorage } from '../testing/memory-storage.ts';

/** The answers of the ledgers. A test may replace each of them. */
interface Ledgers {
  /** The answer for a signature: null if it is absent, an error if there is no answer. */
  status: () => { readonly err: unknown } | null;
  height: number;
  eata: () => { readonly amount: bigint; readonly isDelegated: boolean } | null;
  send: () => object;
  verdict: string;
  /** The kind of rollup: only the embedded one never hides the outcome of a signature. */
  rollup: string;
  /** With which the wallets ask the rollup. */
  token: string | null;
  genesisHash: string;
  /** Why nothing is built; undefined if something is. */
  refusal?: Error;
}

/** A page with the wallets Alice and Bob, and a service and ledgers with scripted answers. */
async function createPage(told: Partial<Ledgers> = {}, storage = memoryStorage()) {
  const ledgers: Ledgers = {
    status: () => null,
    height: 1,
    eata: () => ({ amount: 3_500_000n, isDelegated: true }),
    send: () => ({ outcome: 'confirmed' }),
    verdict: 'clear',
    rollup: 'embedded',
    token: 'token',
    genesisHash: 'genesis',
    ...told,
  };
  const keys: readonly [Keypair, Keypair] = [await makeKeypair(), await makeKeypair()];
  const built: string[] = [];
  const sent: string[] = [];
  const post: ReaderPorts['post'] = (_, body) => {
    const calls = JSON.parse(body) as readonly { readonly id: number; readonly method: string }[];
    const answers = calls.map(({ id, method }) => ({
      id,
      jsonrpc: '2.0',
      result: answerOf(ledgers, method),
    }));
    return Promise.resolve(JSON.stringify(answers));
  };
  const build = (operation: string) => () => {
    if (ledgers.refusal !== undefined) return Promise.reject(ledgers.refusal);
    built.push(operation);
    return Promise.resolve({
      transactionBase64: unsigned(keys[0]),
      sendTo: operation === 'deposit' ? 'base' : 'ephemeral',
      recentBlockhash: 'blockhash',
      lastValidBlockHeight: 100,
    });
  };
  const api = {
    deposit: build('deposit'),
    transfer: build('transfer'),
    undelegate: build('undelegate'),
    withdraw: build('withdraw'),
    explainTransaction: () =>
      Promise.resolve({ verdict: ledgers.verdict, findings: [], request: { satisfied: 'yes' } }),
    sendTransaction: async () => {
      sent.push('sent');
      return ledgers.send();
    },
  };
  const all = [
    { name: 'Alice', key: keys[0], login: null },
    { name: 'Bob', key: keys[1], login: null },
  ];
  const tokenOf = (): string | null => ledgers.token;
  const page = {
    api,
    wallets: {
      all: signal(all),
      tokenOf,
      find: (address: string) => all.find(({ key }) => key.address === address) ?? null,
    },
    readers: createReaders({ post, now: () => 0 }, tokenOf),
    state: signal({
      base: { layout: 'a', genesisHash: ledgers.genesisHash },
      failures: FAILURE_WORDS,
      rollup: { kind: ledgers.rollup },
      mints: [
        { mint: keys[1].address, symbol: 'USDC', decimals: 6, tokenProgram: keys[1].address, faucet: true },
      ],
    }),
    accountsOf: async (wallet: string) => ({ ata: keys[1].address, eata: wallet }),
    happened: () => undefined,
    nowMs: () => 0,
    wait: () => new Promise<void>((resolve) => void setImmediate(resolve)),
  };
  const looked: string[] = [];
  const play = new Play(page as unknown as Console, (as) => looked.push(as), storage);
  await play.adopt();
  const wallet = keys[0].address;
  const sign = async (intent: Intent): Promise<void> => {
    await play.begin([intent]);
    await play.sign(agreedTo(play));
  };
  const pay: Intent = {
    kind: 'pay',
    wallet,
    to: keys[1].address,
    amount: 1_250_000n,
    memo: '',
    isOnBase: false,
  };
  return { play, ledgers, built, sent, looked, storage, wallet, sign, pay };
}

/** The state of the page after someone signs the transaction it shows. */
function agreedTo({ activity }: Play): Agreed {
  const shown = activity.value;
  return { content: shown.kind === 'sign' ? contentOf(shown.proposal) : '', isTicked: false };
}

function answerOf({ status, height, eata }: Ledgers, method: string): unknown {
  if (method === 'getBlockHeight') return height;
  if (method === 'getSignatureStatuses') return { context: { slot: 1 }, value: [status()] };
  const shown = eata();
  if (shown === null) return { context: { slot: 1 }, value: null };
  const bytes = new Uint8Array(72);
  new DataView(bytes.buffer).setBigUint64(64, shown.amount, true);
  const owner = shown.isDelegated ? PROGRAMS.delegation : PROGRAMS.ephemeralToken;
  return { context: { slot: 1 }, value: { owner, data: [encodeBase64(bytes), 'base64'] } };
}

/** An unsigned transaction of one signer. */
const unsigned = ({ address }: Keypair): string =>
  encodeBase64(
    Uint8Array.from([
      1,
      ...Array<number>(64).fill(0),
      1,
      0,
      0,
      1,
      ...(decodeBase58(address) ?? []),
      ...Array<number>(32).fill(9),
      0,
    ]),
  );

const cut = (): never => {
  throw new PaymentsError('NETWORK', 'cut');
};

describe('a payment whose answer was lost', () => {
  it('is looked up by its signature, and continues if it landed, without building anything twice', async () => {
    const { play, sign, pay, built } = await createPage({ send: cut, status: () => ({ err: null }) });
    await sign(pay);
    expect(play.activity.value).toEqual({ kind: 'rest' });
    expect(play.progress.value.paid?.amount).toBe(1_250_000n);
    expect(built).toEqual(['transfer']);
  });

  it('is looked up until it can no longer land, and only then offers to build it again', async () => {
    const page = await createPage({ send: cut });
    const states = new Set<string>();
    page.play.activity.subscribe(({ kind }) => {
      states.add(kind);
      if (kind === 'unknown') page.ledgers.height += 40;
    });
    await page.sign(page.pay);
    expect(states).toContain('unknown');
    expect(page.ledgers.height).toBeGreaterThan(100);
    expect(page.play.activity.value).toMatchObject({
      kind: 'failed',
      failure: { code: 'TRANSACTION_EXPIRED', wayOut: 'again' },
    });
    expect(page.play.progress.value.paid).toBeNull();
  });

  it('stays unknown if its ledger does not answer, and nothing is built meanwhile', async () => {
    const { play, sign, pay, built, ledgers } = await createPage({ send: cut });
    await sign(pay);
    expect(play.activity.value).toMatchObject({ kind: 'unknown', isLooking: false, found: 'open' });
    await play.begin([pay]);
    expect(built).toEqual(['transfer']);
    ledgers.status = () => ({ err: null });
    await play.lookAgain();
    expect(play.progress.value.paid?.amount).toBe(1_250_000n);
    expect(built).toEqual(['transfer']);
  });

  it('is not offered to be built again if the ledger says that it landed and failed', async () => {
    const { play, sign, pay } = await createPage({ send: cut, status: () => ({ err: 'why' }) });
    await sign(pay);
    expect(play.activity.value).toMatchObject({
      kind: 'failed',
      failure: { title: 'The transaction failed.', wayOut: 'none' },
    });
  });
});

describe('the signed transaction', () => {
  it('is the one the user accepted, not one that replaced it', async () => {
    const { play, pay, sent, ledgers } = await createPage();
    await play.begin([pay]);
    const agreed = agreedTo(play);
    ledgers.verdict = 'caution';
    await play.begin([pay]);
    await play.sign(agreed);
    expect(play.activity.value).toMatchObject({ kind: 'sign', hasChanged: true });
    expect(sent).toEqual([]);
    await play.sign(agreedTo(play));
    expect(sent).toEqual(['sent']);
  });

  it('is never a danger without a ticked box, even if the button was pressed', async () => {
    const { play, sign, pay, sent, storage } = await createPage({ verdict: 'danger' });
    await sign(pay);
    expect(play.activity.value).toMatchObject({
      kind: 'failed',
      failure: { text: 'It contains a dangerous instruction. Nothing moved.' },
    });
    expect([sent, storage.kept.size]).toEqual([[], 0]);
    await play.begin([pay]);
    await play.sign({ ...agreedTo(play), isTicked: true });
    expect(sent).toEqual(['sent']);
  });
});

describe('a tab that is reloaded while an answer is pending', () => {
  /** A tab in which something was sent whose answer is lost, and its storage. */
  async function lostAnswer() {
    const { sign, pay, storage } = await createPage({ send: cut });
    await sign(pay);
    expect(storage.kept.size).toBe(1);
    return storage;
  }

  it('keeps the signature and its last block height, and nothing about the payment', async () => {
    const [text = ''] = (await lostAnswer()).kept.values();
    expect(Object.keys(JSON.parse(text) as object).sort()).toEqual([
      'genesisHash',
      'lastValidBlockHeight',
      'sendTo',
      'signature',
      'wallet',
    ]);
  });

  it.each([
    ['landed', { status: () => ({ err: null }) }, { kind: 'landed' }],
    ['failed', { status: () => ({ err: 'why' }) }, { failure: { code: 'TRANSACTION_FAILED' }, intent: null }],
    ['expired', { height: 101 }, { failure: { code: 'TRANSACTION_EXPIRED' }, intent: null }],
  ])('reports that it %s, without the lost token, and forgets it', async (_, told, activity) => {
    const storage = await lostAnswer();
    const { play, built } = await createPage({ ...told, token: null }, storage);
    await play.settleStored();
    expect(play.activity.value).toMatchObject(activity);
    expect([built, storage.kept.size]).toEqual([[], 0]);
  });

  it('builds nothing while it is pending, and keeps it', async () => {
    const storage = await lostAnswer();
    const { play, pay, built } = await createPage({}, storage);
    await play.settleStored();
    expect(play.activity.value).toMatchObject({ kind: 'unknown', found: 'open', isLooking: false });
    await play.begin([pay]);
    expect([built, storage.kept.size]).toEqual([[], 1]);
    play.cancel();
    expect(storage.kept.size).toBe(0);
  });

  it('does not treat a transaction that a rollup may hide as expired', async () => {
    const storage = await lostAnswer();
    const { play } = await createPage({ height: 101, token: null, rollup: 'external' }, storage);
    await play.settleStored();
    expect(play.activity.value).toMatchObject({ kind: 'unknown', found: 'hidden' });
    expect(storage.kept.size).toBe(1);
  });

  it('ignores transactions of another ledger', async () => {
    const storage = await lostAnswer();
    const { play } = await createPage({ genesisHash: 'another' }, storage);
    await play.settleStored();
    expect(play.activity.value).toEqual({ kind: 'rest' });
  });

  it('deletes a transaction that is known to have landed', async () => {
    const { sign, pay, storage } = await createPage();
    await sign(pay);
    expect(storage.kept.size).toBe(0);
  });
});

describe('a payment that landed', () => {
  it('but moved nothing has failed, and shows its cost', async () => {
    const arrival = { outcome: 'moved nothing', message: 'It cost at most 505000 lamports.' };
    const { play, sign, pay } = await createPage({ send: () => ({ outcome: 'confirmed', arrival }) });
    await sign(pay);
    expect(play.activity.value).toMatchObject({
      kind: 'failed',
      failure: { title: 'The transaction moved no tokens.', text: arrival.message },
    });
    expect(play.progress.value.paid).toBeNull();
  });

  it('but is still in progress is not shown as arrived, and the next step is not built', async () => {
    const arrival = { outcome: 'still under way', message: 'Read the balances again.' };
    const { play, sign, pay } = await createPage({ send: () => ({ outcome: 'confirmed', arrival }) });
    await sign(pay);
    expect(play.activity.value).toMatchObject({ kind: 'landed', message: arrival.message });
    expect(play.progress.value.paid).toBeNull();
  });
});

describe('a settlement', () => {
  const BACK = { amount: 2_250_000n, isDelegated: false };
  const noAnswer = (): never => {
    throw new Error('no answer');
  };

  it('is looked for again if base does not answer, and the amount on base can be withdrawn', async () => {
    const { play, ledgers, wallet, sign } = await createPage();
    let looks = 0;
    ledgers.send = () => {
      ledgers.eata = () => (looks++ < 3 ? noAnswer() : BACK);
      return { outcome: 'confirmed' };
    };
    await sign({ kind: 'undelegate', wallet });
    expect(looks).toBe(4);
    expect(play.activity.value).toEqual({ kind: 'rest' });
    expect(play.progress.value).toMatchObject({ hasUndelegated: true, settled: 2_250_000n });
  });

  it('that cannot be watched does not make the landed transaction fail, and is looked up on request', async () => {
    const { play, ledgers, wallet, sign, built } = await createPage();
    ledgers.send = () => {
      ledgers.eata = noAnswer;
      return { outcome: 'confirmed' };
    };
    await sign({ kind: 'undelegate', wallet });
    expect(play.activity.value).toMatchObject({ kind: 'settling', isLooking: false, isRead: false });
    ledgers.eata = () => BACK;
    await play.lookAgain();
    expect(play.progress.value.settled).toBe(2_250_000n);
    expect(built).toEqual(['undelegate']);
  });

  it('that was missed is read from base, and not requested again', async () => {
    const { play, wallet, built } = await createPage({ eata: () => BACK });
    await play.begin([{ kind: 'undelegate', wallet }]);
    expect(play.activity.value).toEqual({ kind: 'rest' });
    expect(play.progress.value).toMatchObject({ hasUndelegated: true, settled: 2_250_000n });
    expect(built).toEqual([]);
  });
});

describe('a failure before signing', () => {
  it('says that nothing moved, and offers to build it again', async () => {
    const { play, sign, pay } = await createPage({
      eata: () => {
        throw new Error('no answer');
      },
    });
    await sign(pay);
    expect(play.activity.value).toMatchObject({
      kind: 'failed',
      failure: { wayOut: 'again', text: 'The ledger node does not respond. Nothing moved.' },
    });
  });

  it('uses the service’s text for its code', async () => {
    const refusal = new PaymentsError('EATA_ALREADY_DELEGATED', 'words of the service');
    const { play, sign, pay } = await createPage({ refusal });
    await sign(pay);
    expect(play.activity.value).toMatchObject({
      kind: 'failed',
      failure: { title: 'Undelegate it first.', wayOut: 'undelegate', code: 'EATA_ALREADY_DELEGATED' },
    });
  });
});

it('keeps the viewpoint after everything landed (bug: a user who had switched to anyone was switched back)', async () => {
  const { play, looked, sign, pay } = await createPage();
  await play.begin([pay]);
  expect(looked).toEqual(['owner']);
  await play.sign(agreedTo(play));
  expect(play.progress.value.paid).not.toBeNull();
  expect([play.activity.value.kind, looked]).toEqual(['rest', ['owner']]);
  await sign(pay);
  expect(looked).toEqual(['owner', 'owner']);
});

it('switches to the owner if nothing else is requested', async () => {
  const { play, looked } = await createPage();
  await play.begin([]);
  expect([play.activity.value.kind, looked]).toEqual(['rest', ['owner']]);
});
