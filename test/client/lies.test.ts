import { createClient, type KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PaymentsError } from '../../src/client/index.ts';
import { privatePayments, TransactionRefused } from '../../src/kit/index.ts';
import type { Payments } from '../../src/kit/payments.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { advanceNonce } from '../../src/ledger/testing/instructions.ts';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import { deriveAta } from '../../src/programs/associated-token.ts';
import { transferLamports } from '../../src/programs/system.ts';
import { closeTokenAccount, transferTokens } from '../../src/programs/token/instructions.ts';
import { type Address, addressBytes } from '../../src/solana/address.ts';
import { type Instruction, readonly, signer, writable } from '../../src/solana/instruction.ts';
import {
  base64Of,
  onBlockhash,
  type Parts,
  putTogether,
  putTogetherV0,
  takeApart,
  wireOf,
  withAddress,
  withAddressInData,
} from '../hostile/transaction-parts.ts';
import { type Built, type Lie, lyingFetch, withParts } from './lying-service.ts';
import { runApp, type RunningApp } from './running-app.ts';

const mint = USDC_MINT as string;

const ataOf = (owner: string): Address => deriveAta(owner as Address, USDC_MINT, TOKEN_PROGRAM).address;

/** The wallets of the story. The service works for the thief. */
interface Cast {
  readonly app: RunningApp;
  readonly alice: KeyPairSigner;
  readonly bob: KeyPairSigner;
  readonly thief: KeyPairSigner;
}

async function castOf(programs?: string): Promise<Cast> {
  const app = await runApp(programs);
  const [alice, bob, thief] = [await app.wallet(), await app.wallet(), await app.wallet()];
  return { app, alice, bob, thief };
}

/** A client of Alice's behind a lie, and how often her key has signed. */
function clientOf({ app, alice }: Cast, lie: Lie, layout: 'a' | 'b' = 'a') {
  const signed = { count: 0 };
  const counting: KeyPairSigner = {
    ...alice,
    signTransactions: (transactions, config) => {
      signed.count += 1;
      return alice.signTransactions(transactions, config);
    },
  };
  const { payments } = createClient({ payer: counting }).use(
    privatePayments({
      url: app.serviceUrl,
      base: app.ledgerUrl,
      rollup: app.rollupUrl,
      layout,
      fetch: lyingFetch(lie),
    }),
  );
  return { payments, signed };
}

/** How long a client pauses before it asks once more for what it has signed already, ms. */
const REBUILD_PAUSE_MS = 1_000;

/** Ends every pause of that length at once, and counts them. */
function shortenPauses() {
  const wait = globalThis.setTimeout;
  let count = 0;
  const waiting = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
    if (ms !== REBUILD_PAUSE_MS) return wait(run, ms);
    count += 1;
    return wait(run, 0);
  }) as typeof setTimeout);
  return { count: () => count, end: () => void waiting.mockRestore() };
}

const deposit = (payments: Payments) => payments.deposit({ amount: 1_000_000n });

const payBob =
  ({ bob }: Cast) =>
  (payments: Payments) =>
    payments.transfer({ to: bob.address, mint, amount: 1_000_000n, visibility: 'public' });

/** The instructions with one more, in front or at the end. */
const withMore =
  (make: (cast: Cast) => Instruction, at: 'first' | 'last' = 'last') =>
  (cast: Cast) =>
    withParts(({ instructions }) => ({
      instructions: at === 'first' ? [make(cast), ...instructions] : [...instructions, make(cast)],
    }));

/** The instructions of a program with their data, or their accounts, changed. */
const withInstruction = (program: Address, change: (old: Instruction) => Partial<Instruction>): Lie =>
  withParts(({ instructions }) => {
    const at = instructions.findIndex(({ programId }) => programId === program);
    const found = instructions[at];
    if (found === undefined) throw new Error('there is no such instruction');
    return { instructions: instructions.with(at, { ...found, ...change(found) }) };
  });

const raised = (data: Uint8Array): Uint8Array => {
  const changed = Uint8Array.from(data);
  // The amount follows the tag, little-endian: 1,000,000 has nothing at its fourth byte.
  changed[4] = 1;
  return changed;
};

const replacing = (found: (cast: Cast) => string, put: (cast: Cast) => string) => (cast: Cast) =>
  withParts((parts: Parts) => withAddress(parts, found(cast) as Address, put(cast) as Address));

const OTHER_MINT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' as Address;
const STRANGE = 'Stake11111111111111111111111111111111111111';

/** SPL Token `SetAuthority` of the owner of an account: tag 6, type 2 (AccountOwner), then the new owner. */
const setAuthority = ({ alice, thief }: Cast): Instruction => ({
  programId: TOKEN_PROGRAM,
  accounts: [writable(ataOf(alice.address)), signer(alice.address as string as Address)],
  data: Uint8Array.from([6, 2, 1, ...addressBytes(thief.address as string as Address)]),
});

interface Row {
  readonly name: string;
  readonly pay: (cast: Cast) => (payments: Payments) => Promise<unknown>;
  readonly lie: (cast: Cast) => Lie;
  /** A code that must be among the reasons. */
  readonly code: string;
}

const ROWS: readonly Row[] = [
  {
    name: 'pays the thief instead of Bob',
    pay: payBob,
    lie: replacing(
      ({ bob }) => ataOf(bob.address),
      ({ thief }) => ataOf(thief.address),
    ),
    code: 'DIFFERS',
  },
  {
    name: 'is built for the thief in every part',
    pay: payBob,
    lie: ({ thief }) => ({ asks: (body) => ({ ...body, to: thief.address }) }),
    code: 'DIFFERS',
  },
  {
    name: 'takes another amount',
    pay: payBob,
    lie: () => withInstruction(TOKEN_PROGRAM, ({ data }) => ({ data: raised(data) })),
    code: 'DIFFERS',
  },
  {
    name: 'deposits another amount',
    pay: () => deposit,
    lie: () => ({ asks: (body) => ({ ...body, amount: '1000001' }) }),
    code: 'DIFFERS',
  },
  {
    name: 'is of another mint',
    pay: () => deposit,
    lie: replacing(
      () => mint,
      () => OTHER_MINT,
    ),
    code: 'DIFFERS',
  },
  {
    name: 'takes the tokens of another mint',
    pay: payBob,
    lie: replacing(
      ({ alice }) => ataOf(alice.address),
      ({ alice }) => deriveAta(alice.address as string as Address, OTHER_MINT, TOKEN_PROGRAM).address,
    ),
    code: 'DIFFERS',
  },
  {
    name: 'also has lamports for the thief',
    pay: payBob,
    lie: withMore(({ alice, thief }) =>
      transferLamports(alice.address as string as Address, thief.address as string as Address, 1n),
    ),
    code: 'DIFFERS',
  },
  {
    name: 'also has tokens for the thief',
    pay: () => deposit,
    lie: withMore(({ alice, thief }) =>
      transferTokens(
        TOKEN_PROGRAM,
        {
          source: ataOf(alice.address),
          destination: ataOf(thief.address),
          authority: alice.address as string as Address,
        },
        1n,
      ),
    ),
    code: 'DIFFERS',
  },
  {
    name: 'has another fee payer',
    pay: payBob,
    lie: ({ thief }) => withParts(() => ({ feePayer: thief.address as string as Address })),
    code: 'SIGNER',
  },
  {
    name: 'is valid forever through a durable nonce',
    pay: payBob,
    lie: withMore(
      ({ alice, thief }) =>
        advanceNonce(thief.address as string as Address, alice.address as string as Address),
      'first',
    ),
    code: 'DIFFERS',
  },
  {
    name: 'delegates to a validator of the thief’s',
    pay: () => deposit,
    lie: ({ thief }) => ({ asks: (body) => ({ ...body, validator: thief.address }) }),
    code: 'DIFFERS',
  },
  {
    name: 'calls another program',
    pay: () => deposit,
    lie: replacing(
      () => EPHEMERAL_TOKEN_PROGRAM,
      () => STRANGE,
    ),
    code: 'UNKNOWN_PROGRAM',
  },
  {
    name: 'takes from another token account',
    pay: payBob,
    lie: replacing(
      ({ alice }) => ataOf(alice.address),
      ({ bob }) => ataOf(bob.address),
    ),
    code: 'DIFFERS',
  },
  {
    name: 'gives the token account to the thief',
    pay: payBob,
    lie: withMore(setAuthority),
    code: 'DANGEROUS_INSTRUCTION',
  },
  {
    name: 'closes the token account',
    pay: payBob,
    lie: withMore(({ alice, thief }) =>
      closeTokenAccount(TOKEN_PROGRAM, {
        account: ataOf(alice.address),
        destination: thief.address as string as Address,
        authority: alice.address as string as Address,
      }),
    ),
    code: 'DIFFERS',
  },
  {
    name: 'needs another signer',
    pay: payBob,
    lie: ({ thief }) =>
      withInstruction(TOKEN_PROGRAM, ({ accounts }) => ({
        accounts: [...accounts, signer(thief.address as string as Address)],
      })),
    code: 'SIGNER',
  },
  {
    name: 'has an unneeded right',
    pay: payBob,
    lie: ({ bob }) =>
      withInstruction(TOKEN_PROGRAM, ({ accounts }) => ({
        accounts: [...accounts, writable(bob.address as string as Address)],
      })),
    code: 'DIFFERS',
  },
  {
    name: 'has no blockhash yet',
    pay: payBob,
    lie: () => ({ answers: (built) => onBlockhash(built, new Uint8Array(32)) }),
    code: 'BLOCKHASH_ZERO',
  },
  {
    name: 'has an unknown blockhash',
    pay: payBob,
    lie: () => ({ answers: (built) => onBlockhash(built, new Uint8Array(32).fill(9)) }),
    code: 'BLOCKHASH_UNKNOWN',
  },
  {
    name: 'names accounts through a lookup table that does not exist',
    pay: payBob,
    lie: ({ bob, thief }) => ({
      answers: (built) => ({
        ...built,
        version: 'v0',
        transactionBase64: putTogetherV0(takeApart(built), {
          address: thief.address as string as Address,
          addresses: [ataOf(bob.address)],
        }),
      }),
    }),
    code: 'LOOKUP_TABLE_UNREAD',
  },
  {
    name: 'is for base although the rollup was requested',
    pay:
      ({ bob }) =>
      (payments) =>
        payments.transfer({
          to: bob.address,
          mint,
          amount: 1_000_000n,
          fromBalance: 'ephemeral',
          toBalance: 'ephemeral',
        }),
    lie: () => ({
      asks: ({ from, to, amount }) => ({ from, to, mint, amount, visibility: 'public' }),
    }),
    code: 'BLOCKHASH_OF_OTHER_LEDGER',
  },
];

describe('a service that lies', () => {
  let cast: Cast;
  beforeAll(async () => {
    cast = await castOf();
  });
  afterAll(() => cast.app.close());

  it.each(ROWS)('$name: nothing is signed', async ({ pay, lie, code }) => {
    const { payments, signed } = clientOf(cast, lie(cast));
    const error = await pay(cast)(payments).then(
      () => new Error('it was paid'),
      (refused: unknown) => refused,
    );
    expect(error).toBeInstanceOf(TransactionRefused);
    const codes = (error as TransactionRefused).reasons.map((reason) => reason.code);
    expect(codes).toContain(code);
    expect(signed.count).toBe(0);
    expect(await payments.balance({ mint })).toBe(10_000_000n);
    await payments.close();
  });

  it('returns the transaction of an earlier payment: nothing is signed or reported as paid', async () => {
    const [alice] = [await cast.app.wallet()];
    let first: Built | null = null;
    const { payments, signed } = clientOf(
      { ...cast, alice },
      {
        answers: (built) => {
          const told = first ?? built;
          first = told;
          return told;
        },
        mayBeHonest: true,
      },
    );
    expect((await payBob(cast)(payments)).outcome).toBe('arrived');
    const pauses = shortenPauses();
    onTestFinished(pauses.end);
    const error = await payBob(cast)(payments).catch((refused: unknown) => refused);
    expect(pauses.count()).toBeGreaterThanOrEqual(10);
    expect(error).toBeInstanceOf(TransactionRefused);
    expect((error as TransactionRefused).reasons.map(({ code }) => code)).toEqual(['ALREADY_SIGNED']);
    expect(signed.count).toBe(1);
    expect(await payments.balance({ mint })).toBe(9_000_000n);
    await payments.close();
  }, 30_000);

  it.each([
    ['text', 'not base64!'],
    ['nothing', ''],
    ['another value', 7],
    ['invalid bytes', base64Of(new Uint8Array(200))],
  ])('answers with %s in place of a transaction: nothing is signed', async (_, transactionBase64) => {
    const { payments, signed } = clientOf(cast, { answers: (built) => ({ ...built, transactionBase64 }) });
    const error = await deposit(payments).catch((refused: unknown) => refused);
    expect(error).toBeInstanceOf(PaymentsError);
    expect(signed.count).toBe(0);
    await payments.close();
  });

  it('answers with bytes after the transaction, or of another version: nothing is signed', async () => {
    const changes: ((wire: Uint8Array) => Uint8Array)[] = [
      (wire) => Uint8Array.from([...wire, 0]),
      (wire) => wire.with(1 + 64, 0x81),
    ];
    for (const change of changes) {
      const { payments, signed } = clientOf(cast, {
        answers: (built) => ({ ...built, transactionBase64: base64Of(change(wireOf(built))) }),
      });
      await expect(deposit(payments)).rejects.toMatchObject({ code: 'INVALID_TRANSACTION' });
      expect(signed.count).toBe(0);
      await payments.close();
    }
  });

  it('cannot change the payment outside the transaction: ledger, height and blockhash come from the nodes', async () => {
    const [alice] = [await cast.app.wallet()];
    const { payments } = clientOf(
      { ...cast, alice },
      {
        answers: (built) => ({
          ...built,
          sendTo: 'ephemeral',
          lastValidBlockHeight: 0,
          recentBlockhash: 'x',
          sendRpcEndpoint: 'http://127.0.0.1:9',
        }),
      },
    );
    expect(await payBob(cast)(payments)).toMatchObject({ sendTo: 'base', outcome: 'arrived' });
    await payments.close();
  });
});

describe.skipIf(LAYOUT_B_FOLDER === null)(
  `a service that lies about sealed boxes (needs ${NO_LAYOUT_B})`,
  () => {
    let cast: Cast;
    beforeAll(async () => {
      cast = await castOf(LAYOUT_B_FOLDER ?? '');
      const { payments } = clientOf(cast, {}, 'b');
      await payments.initializeMint({ mint });
      await payments.close();
    });
    afterAll(() => cast.app.close());

    const pay = ({ bob }: Cast, payments: Payments) =>
      payments.transfer({ to: bob.address, mint, amount: 1_000_000n });

    it('seals for the thief: Bob is still paid, because the client seals again', async () => {
      const { bob, thief } = cast;
      const { payments } = clientOf(cast, { asks: (body) => ({ ...body, to: thief.address }) }, 'b');
      expect((await pay(cast, payments)).outcome).toBe('arrived');
      const balanceOf = ({ address }: KeyPairSigner) => payments.balance({ mint, address });
      await expect.poll(() => balanceOf(bob), { timeout: 60_000 }).toBe(11_000_000n);
      expect(await balanceOf(thief)).toBe(10_000_000n);
      await payments.close();
    });

    it.each<readonly [string, (cast: Cast) => Lie]>([
      [
        'names a validator of the thief’s',
        ({ thief }) => ({
          answers: (built) => {
            const { validator } = built;
            const other = thief.address as string as Address;
            const changed = withAddressInData(takeApart(built), validator as Address, other);
            const transactionBase64 = putTogether(withAddress(changed, validator as Address, other));
            return { ...built, transactionBase64 };
          },
        }),
      ],
      ['takes another amount', () => ({ asks: (body) => ({ ...body, amount: '1000001' }) })],
      ['has terms of another length', () => ({ asks: (body) => ({ ...body, clientRefId: '5' }) })],
      [
        'names the thief’s account next to the boxes',
        () =>
          withInstruction(EPHEMERAL_TOKEN_PROGRAM, ({ accounts }) => ({
            accounts: [...accounts, readonly(STRANGE as Address)],
          })),
      ],
    ])('%s: nothing is signed', async (_, lie) => {
      const { payments, signed } = clientOf(cast, lie(cast), 'b');
      await expect(pay(cast, payments)).rejects.toBeInstanceOf(TransactionRefused);
      expect(signed.count).toBe(0);
      await payments.close();
    });
  },
);
