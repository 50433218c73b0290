import { beforeEach, describe, expect, it } from 'vitest';
import { PYUSD_MINT } from '../../../test/ports/holder.ts';
import { type MapRollup, mintData, tokenAccountData } from '../../../test/ports/map-chain.ts';
import { transferQueueData } from '../../../test/ports/queue-data.ts';
import { ServiceError } from '../../errors/service-error.ts';
import {
  EPHEMERAL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { tokenAccountData as fullAccountData, withExtensions } from '../../rpc/testing/token-accounts.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { deriveMintVault } from '../accounts/deposit-accounts.ts';
import { queueAccountsOf } from '../accounts/transfer-queue.ts';
import { RENT_PDA } from '../fees/costs.ts';
import {
  ELSEWHERE,
  FEE_ACCOUNT,
  FROM,
  FROM_ATA,
  FROM_ROLLUP,
  ON_ROLLUP,
  PLATFORM,
  PUBLIC,
  SPONSOR,
  TO,
  TO_ATA,
  TO_ROLLUP,
  TransferScene,
  VALIDATOR,
} from './testing/transfer-scene.ts';

let scene: TransferScene;

const putRecipientAta = (parts: Omit<Parameters<typeof fullAccountData>[0], 'mint' | 'owner'>) =>
  scene.chain.put(TO_ATA, {
    owner: TOKEN_PROGRAM,
    data: fullAccountData({ mint: USDC_MINT, owner: TO, ...parts }),
  });

beforeEach(() => {
  scene = new TransferScene();
});

describe('spl.transfer builds with a warning when', () => {
  const frozen = (ata: Address, owner: Address) =>
    scene.chain.put(ata, { owner: TOKEN_PROGRAM, data: tokenAccountData(USDC_MINT, owner, 9_000_000n, 2) });

  it.each<[string, string, object, () => unknown]>([
    ['the sender has too few tokens', 'INSUFFICIENT_TOKENS', { amount: 100_000_001 }, () => {}],
    ['the sender has too few tokens for the fees', 'INSUFFICIENT_TOKENS', { amount: 100_000_000 }, () => {}],
    [
      'the sender has no token account',
      'INSUFFICIENT_TOKENS',
      PUBLIC,
      () => scene.chain.accounts.delete(FROM_ATA),
    ],
    ["the sender's account is frozen", 'TOKEN_ACCOUNT_FROZEN', {}, () => frozen(FROM_ATA, FROM)],
    ["the recipient's account is frozen", 'TOKEN_ACCOUNT_FROZEN', PUBLIC, () => frozen(TO_ATA, TO)],
    ['the sender has no lamports', 'INSUFFICIENT_LAMPORTS', {}, () => scene.chain.accounts.delete(FROM)],
    ['nobody would pay for the shuttle', 'RENT_PDA_LOW', {}, () => scene.chain.accounts.delete(RENT_PDA)],
    [
      'nobody would pay for the token account of a payee on base (bug: there was no warning that the payment waits)',
      'RENT_PDA_LOW',
      FROM_ROLLUP,
      () => scene.chain.accounts.delete(RENT_PDA),
    ],
    ['the sender is not on the rollup', 'SENDER_NOT_ON_ROLLUP', FROM_ROLLUP, () => scene.undelegate(FROM)],
    [
      'the sender is on another rollup',
      'SENDER_NOT_ON_ROLLUP',
      ON_ROLLUP,
      () => scene.delegate(FROM, ELSEWHERE),
    ],
    ['the recipient is not on the rollup', 'RECIPIENT_NOT_ON_ROLLUP', ON_ROLLUP, () => scene.undelegate(TO)],
    [
      'tokens could not arrive on the rollup',
      'RECIPIENT_NOT_ON_ROLLUP',
      TO_ROLLUP,
      () => scene.undelegate(TO),
    ],
    [
      'a queue would pay a token account (bug: there was no warning)',
      'RECIPIENT_KEYLESS',
      { to: TO_ATA },
      () => {},
    ],
    [
      'a queue would pay a token account from the rollup',
      'RECIPIENT_KEYLESS',
      { ...FROM_ROLLUP, to: TO_ATA },
      () => {},
    ],
    ['an option has no effect', 'OPTION_WITHOUT_EFFECT', { ...PUBLIC, split: 2 }, () => {}],
    [
      'the endpoint is not shown',
      'SEND_ENDPOINT_NOT_SHOWN',
      ON_ROLLUP,
      () => ((scene.chain.rollup as MapRollup).publicUrl = null),
    ],
  ])('%s: %s', async (_, code, args, arrange) => {
    arrange();
    expect(await scene.warnings(args)).toEqual([code]);
  });

  it.each([PUBLIC, TO_ROLLUP, ON_ROLLUP])(
    'someone may take what arrives, with %j, unless it is the recipient',
    async (args) => {
      const delegated = { delegate: ELSEWHERE, delegatedAmount: 2_500_000n, closeAuthority: ELSEWHERE };
      putRecipientAta(delegated);
      const { output } = await scene.run(args);
      expect(output.warnings?.map(({ code }) => code)).toEqual([
        'TOKEN_ACCOUNT_DELEGATED',
        'TOKEN_ACCOUNT_CLOSE_AUTHORITY',
      ]);
      const [delegate, closing] = output.warnings?.map(({ message }) => message) ?? [];
      expect(delegate).toContain(`${ELSEWHERE} can take up to 2.5 USDC (2500000 base units`);
      expect(closing).toContain(
        `${ELSEWHERE} can close the token account ${TO_ATA} of ${TO}, once it is empty`,
      );
      putRecipientAta({ delegate: TO, delegatedAmount: 2_500_000n, closeAuthority: TO });
      expect(await scene.warnings(args)).toBeUndefined();
      putRecipientAta({ delegate: ELSEWHERE, delegatedAmount: 0n });
      expect(await scene.warnings(args)).toBeUndefined();
    },
  );

  it('the rent account has too little for a recipient on base, exact to the lamport', async () => {
    const putRent = (lamports: bigint): void => {
      scene.chain.put(RENT_PDA, { owner: SYSTEM_PROGRAM, data: new Uint8Array(0), lamports });
    };
    // A token account's 2,039,280 and the 890,880 that keep an account without data.
    putRent(2_930_159n);
    const { output } = await scene.run(FROM_ROLLUP);
    expect(output.warnings).toEqual([
      { code: 'RENT_PDA_LOW', message: expect.stringContaining('the missing 1 lamport ') },
    ]);
    putRent(2_930_160n);
    expect(await scene.warnings(FROM_ROLLUP)).toBeUndefined();
  });

  it.each([{}, FROM_ROLLUP])(
    'nothing pays out the queue, with %j, but not if that cannot be read (bug: the payment waited forever)',
    async (args) => {
      const { queue } = queueAccountsOf(USDC_MINT, VALIDATOR, TOKEN_PROGRAM);
      /** A scene with a queue of that task on the rollup. */
      const sceneOf = (taskId: bigint): TransferScene => {
        scene = new TransferScene();
        const data = transferQueueData(USDC_MINT, VALIDATOR);
        new DataView(data.buffer).setBigInt64(56, taskId, true);
        (scene.chain.rollup as MapRollup).put(queue, { owner: EPHEMERAL_TOKEN_PROGRAM, data });
        return scene;
      };
      const { output } = await sceneOf(0n).run(args);
      expect(output.warnings).toEqual([
        { code: 'TRANSFER_QUEUE_NOT_CRANKED', message: expect.stringContaining(queue) },
      ]);
      expect(output.warnings?.[0]?.message).toContain('spl.ensureTransferQueueCrank');
      expect(await sceneOf(7n).warnings(args)).toBeUndefined();
      expect(await new TransferScene().warnings(args)).toBeUndefined();
      const unread = sceneOf(0n);
      (unread.chain.rollup as MapRollup).getAccounts = () =>
        Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'late'));
      expect(await unread.warnings(args)).toEqual(args === FROM_ROLLUP ? ['BALANCE_UNREAD'] : undefined);
    },
  );

  it.each([PUBLIC, TO_ROLLUP, ON_ROLLUP])('not of a queue that the route does not use: %j', async (args) => {
    const { queue } = queueAccountsOf(USDC_MINT, VALIDATOR, TOKEN_PROGRAM);
    const data = transferQueueData(USDC_MINT, VALIDATOR);
    (scene.chain.rollup as MapRollup).put(queue, { owner: EPHEMERAL_TOKEN_PROGRAM, data });
    expect(await scene.warnings(args)).toBeUndefined();
  });

  it('of an account that rejects transfers by programs, if a program moves the tokens', async () => {
    scene.chain.put(PYUSD_MINT, { owner: TOKEN_2022_PROGRAM, data: mintData(6) });
    const { vault, vaultAta } = deriveMintVault(PYUSD_MINT, TOKEN_2022_PROGRAM);
    for (const [ata, owner] of [
      [deriveAta(FROM, PYUSD_MINT, TOKEN_2022_PROGRAM).address, FROM],
      [deriveAta(TO, PYUSD_MINT, TOKEN_2022_PROGRAM).address, TO],
      [vaultAta, vault.address],
    ] as const) {
      const data = tokenAccountData(PYUSD_MINT, owner, 10_000_000n);
      const guarded = withExtensions(data, 2, [[11, Uint8Array.of(1)]]);
      scene.chain.put(ata, { owner: TOKEN_2022_PROGRAM, data: guarded });
    }
    const vaultData = Uint8Array.of(...addressBytes(PYUSD_MINT), ...addressBytes(vaultAta), 1);
    scene.chain.put(vault.address, { owner: EPHEMERAL_TOKEN_PROGRAM, data: vaultData });
    expect(await scene.warnings({ ...TO_ROLLUP, mint: PYUSD_MINT })).toEqual([
      'TOKEN_ACCOUNT_GUARDED',
      'RECIPIENT_NOT_ON_ROLLUP',
    ]);
    expect(await scene.warnings({ ...PUBLIC, mint: PYUSD_MINT })).toBeUndefined();
  });

  it('of a frozen account that receives the platform fee', async () => {
    const data = tokenAccountData(USDC_MINT, SPONSOR.address, 0n, 2);
    scene.chain.put(FEE_ACCOUNT, { owner: TOKEN_PROGRAM, data });
    for (const route of [PUBLIC, {}, TO_ROLLUP]) {
      const { output } = await scene.run({ ...route, ...PLATFORM });
      expect(output.warnings).toEqual([
        {
          code: 'TOKEN_ACCOUNT_FROZEN',
          message: expect.stringContaining(`account ${FEE_ACCOUNT} of the platform`),
        },
      ]);
    }
  });

  it('not of a delegate on the paying account', async () => {
    const data = fullAccountData({ mint: USDC_MINT, owner: FROM, amount: 10_000_000n, delegate: ELSEWHERE });
    scene.chain.put(FROM_ATA, { owner: TOKEN_PROGRAM, data });
    expect(await scene.warnings(PUBLIC)).toBeUndefined();
  });

  it.each([true, false])('a platform fee rounds down to 0, exactOut %s', async (exactOut) => {
    const tiny = { ...PUBLIC, ...PLATFORM, exactOut };
    const { output, transaction } = await scene.run({ ...tiny, amount: 99 });
    expect(output.warnings?.map(({ code }) => code)).toEqual(['PLATFORM_FEE_ZERO']);
    expect(output.warnings?.[0]?.message).toContain('100 basis points on 99 base units rounds down to 0');
    expect(output.fees.tokens).toBe('0');
    expect(transaction.instructions).toHaveLength(1);
    expect(await scene.warnings({ ...tiny, amount: 100 })).toBeUndefined();
  });

  it('names options without effect, except those with their default value', async () => {
    const { output } = await scene.run({
      ...PUBLIC,
      minDelayMs: '0',
      split: 1,
      clientRefId: '7',
      initIfMissing: true,
      initVaultIfMissing: false,
    });
    expect(output.warnings?.[0]?.message).toContain('ignores clientRefId, initIfMissing,');
  });

  it.each([
    ['the recipient is set up by the transfer itself', { ...TO_ROLLUP, initIfMissing: true }],
    ['nothing is moved and the recipient is only set up', { ...TO_ROLLUP, initIfMissing: true, amount: 0 }],
  ])('not when %s', async (_, args) => {
    scene.undelegate(TO);
    expect(await scene.warnings(args)).toBeUndefined();
  });

  it.each([
    [{}, 2_039_280n + 1_447_680n + 1_559_040n + 1_760_880n + 5_000n],
    [TO_ROLLUP, 500_000n + 5_000n],
    [
      { ...TO_ROLLUP, initIfMissing: true },
      500_000n + 4_837_200n + 1_447_680n + 1_559_040n + 1_760_880n + 5_000n,
    ],
    [PUBLIC, 5_000n],
  ])('the sender cannot pay the cost of %j, exact to the lamport', async (args, lamports) => {
    scene.undelegate(FROM);
    scene.undelegate(TO);
    scene.chain.put(FROM, { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports });
    expect((await scene.warnings(args)) ?? []).not.toContain('INSUFFICIENT_LAMPORTS');
    scene.chain.put(FROM, { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: lamports - 1n });
    expect(await scene.warnings(args)).toContain('INSUFFICIENT_LAMPORTS');
  });
});
