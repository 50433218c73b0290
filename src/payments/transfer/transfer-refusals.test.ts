import { beforeEach, describe, expect, it } from 'vitest';
import { mintData, tokenAccountData } from '../../../test/ports/map-chain.ts';
import {
  BPF_LOADER_UPGRADEABLE,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  NATIVE_MINT,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { deriveStealthPool } from '../../programs/ephemeral-token/stealth-pool.ts';
import type { Address } from '../../solana/address.ts';
import { deriveMintVault } from '../accounts/deposit-accounts.ts';
import { queueAccountsOf } from '../accounts/transfer-queue.ts';
import {
  ELSEWHERE,
  FEE_ACCOUNT,
  FROM,
  FROM_ATA,
  FROM_ROLLUP,
  HANDLE,
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

const OFF_CURVE = 'BH1uzss7M7Qt91tQBxckW5XYTTXBNBPZkEhHCZRytTmH' as Address;

let scene: TransferScene;

beforeEach(() => {
  scene = new TransferScene();
});

/** A token account whose tokens are someone's who has no part in the payment. */
const putStrangers = (ata: Address) =>
  scene.chain.put(ata, {
    owner: TOKEN_PROGRAM,
    data: tokenAccountData(USDC_MINT, ELSEWHERE, 100_000_000n),
  });

/** Why the input schema does not take the arguments. */
const faultsOf = (args: object): string[] => {
  const base = { from: FROM, to: TO, mint: USDC_MINT, amount: 1 };
  const parsed = new TransferScene().operation.input.safeParse({ ...base, ...args });
  return parsed.error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];
};

describe('spl.transfer explains which numbers and texts are valid (bug: "Too small", "Invalid input")', () => {
  it.each([-1, 1.5, 2 ** 53, '18446744073709551616', '-1', '1e3', '', true, {}])('amount %j', (amount) => {
    expect(faultsOf({ amount })).toEqual([
      'amount must be a whole number of base units from 0 to 18446744073709551615: an integer up to 9007199254740991, or a decimal string',
    ]);
  });

  it.each(['minDelayMs', 'maxDelayMs', 'clientRefId'])('%s', (name) => {
    for (const value of [1.5, 2 ** 53, '18446744073709551616', 'x', true]) {
      expect(faultsOf({ [name]: value })).toEqual([
        `${name} must be a whole number from 0 to 18446744073709551615: an integer up to 9007199254740991, or a decimal string`,
      ]);
    }
  });

  it('an empty "to" is not a handle (bug: it was checked as one)', () => {
    expect(faultsOf({ to: '' })).toEqual([
      'to must not be empty: the address of a wallet, or a stealth handle',
    ]);
  });
});

describe('spl.transfer rejects', () => {
  const LONG_HANDLE = 'é'.repeat(128);
  const LOOK_ALIKE = TO.replace(/[1-9]/, '0');

  it.each<[string, object, string, string]>([
    ['an amount of 0', { amount: 0 }, 'INVALID_AMOUNT', 'must be a positive integer'],
    ['an amount of 0 on the rollup', { ...ON_ROLLUP, amount: '0' }, 'INVALID_AMOUNT', 'positive'],
    ['invalid terms', { split: 16 }, 'INVALID_PRIVATE_TRANSFER', 'split must be'],
    ['negative delays', { minDelayMs: '-1' }, 'INVALID_PRIVATE_TRANSFER', 'minDelayMs must be non-negative'],
    ['more parts than units', { amount: 2, split: 3 }, 'INVALID_PRIVATE_TRANSFER', 'cannot exceed'],
    ['a platform fee without an account', { platformFeeBps: 1 }, 'INVALID_PLATFORM_FEE', 'is required'],
    ['a platform fee on the rollup', { ...ON_ROLLUP, ...PLATFORM }, 'INVALID_PLATFORM_FEE', 'fromBalance'],
    ['a handle in public', { ...PUBLIC, to: HANDLE }, 'INVALID_STEALTH_TRANSFER', 'visibility=private'],
    ['a handle on the rollup', { ...TO_ROLLUP, to: HANDLE }, 'INVALID_STEALTH_TRANSFER', 'toBalance=base'],
    ['a handle of 256 bytes', { to: LONG_HANDLE }, 'INVALID_STEALTH_HANDLE', 'between 1 and 255'],
    [
      'a handle that does not exist',
      { to: 'jane' },
      'STEALTH_POOL_NOT_FOUND',
      'Stealth handle is not initialized',
    ],
    [
      'a mistyped address',
      { to: `${TO}0` },
      'INVALID_STEALTH_HANDLE',
      'looks like an address but is not one',
    ],
    [
      'a sender off the curve',
      { from: OFF_CURVE },
      'TRANSACTION_BUILD_ERROR',
      'Owner public key is off-curve',
    ],
    [
      'a gasless sender off the curve, for that reason only',
      { from: OFF_CURVE, gasless: true, amount: 1 },
      'TRANSACTION_BUILD_ERROR',
      'off-curve: from',
    ],
    ['a recipient off the curve', { ...PUBLIC, to: OFF_CURVE }, 'TRANSACTION_BUILD_ERROR', 'off-curve: to'],
    [
      'too small an amount without lamports',
      { gasless: true, amount: 499_999 },
      'INVALID_GASLESS_TRANSFER_AMOUNT',
      '0.5',
    ],
    [
      'an unsupported mint without lamports',
      { gasless: true, mint: NATIVE_MINT },
      'INVALID_GASLESS_TRANSFER_MINT',
      'approved',
    ],
    ...[PUBLIC, {}, TO_ROLLUP, ON_ROLLUP, FROM_ROLLUP].map((route): [string, object, string, string] => [
      `the sponsor as its own sender ${JSON.stringify(route)} (bug: its tokens were signed away)`,
      { ...route, from: SPONSOR.address, gasless: true },
      'INVALID_ARGUMENTS',
      'from is the sponsor',
    ]),
    ['more than u64 including fees', { amount: '18446744073709551615' }, 'INVALID_AMOUNT', 'send less'],
    ['a mint that does not exist', { mint: VALIDATOR }, 'MINT_NOT_FOUND', 'pass a mint that does'],
    [
      'a validator for which nothing can be sealed',
      { validator: SYSTEM_PROGRAM },
      'INVALID_ARGUMENTS',
      'validator must be',
    ],
    ['a URL as the cluster', { cluster: 'http://127.0.0.1' }, 'CLUSTER_NOT_ALLOWED', 'one of: mainnet'],
  ])('%s', async (_, args, code, words) => {
    const failure = await scene.refusal(args);
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(words);
  });

  it.each<[flag: string, route: object, account: Address]>([
    ['initRecipientAta', PUBLIC, TO_ATA],
    ['initIfMissing', TO_ROLLUP, deriveEata(TO, USDC_MINT).address],
    ['initAtasIfMissing', PUBLIC, FROM_ATA],
    ['initVaultIfMissing', PUBLIC, deriveMintVault(USDC_MINT, TOKEN_PROGRAM).vault.address],
  ])(
    'the rents of %s without lamports (bug: a recipient closed what a sponsor had paid)',
    async (flag, route, account) => {
      scene.chain.accounts.delete(account);
      const failure = await scene.refusal({ ...route, gasless: true, [flag]: true });
      expect(failure.code).toBe('INVALID_ARGUMENTS');
      expect(failure.message).toContain(
        `${flag} cannot be used with gasless while ${account} does not exist`,
      );
    },
  );

  it.each([PUBLIC, {}, TO_ROLLUP, ON_ROLLUP, FROM_ROLLUP])(
    'no gasless transfer for flags whose accounts exist, and creates nothing: %j',
    async (route) => {
      const flags = {
        initRecipientAta: true,
        initIfMissing: true,
        initAtasIfMissing: true,
        initVaultIfMissing: true,
      };
      const plain = await scene.run({ ...route, gasless: true });
      const flagged = await scene.run({ ...route, gasless: true, ...flags });
      expect(flagged.output.instructionCount).toBe(plain.output.instructionCount);
    },
  );

  it.each<[string, string, object, () => unknown]>([
    [
      'a recipient without a token account',
      'TOKEN_ACCOUNT_NOT_FOUND',
      PUBLIC,
      () => scene.chain.accounts.delete(TO_ATA),
    ],
    [
      'a platform account of another mint',
      'INVALID_PLATFORM_FEE',
      PLATFORM,
      () =>
        scene.chain.put(FEE_ACCOUNT, { owner: TOKEN_PROGRAM, data: tokenAccountData(NATIVE_MINT, FROM, 0n) }),
    ],
    [
      'a platform account that is not a token account',
      'INVALID_PLATFORM_FEE',
      PLATFORM,
      () => scene.chain.accounts.delete(FEE_ACCOUNT),
    ],
    [
      'a service without a sponsor',
      'SPONSOR_UNAVAILABLE',
      { gasless: true },
      () => (scene.sponsor = undefined),
    ],
    [
      'a sponsor without a token account',
      'SPONSOR_UNAVAILABLE',
      { gasless: true },
      () => scene.chain.accounts.delete(deriveAta(SPONSOR.address, USDC_MINT, TOKEN_PROGRAM).address),
    ],
    [
      'a sponsor without lamports',
      'SPONSOR_UNAVAILABLE',
      { gasless: true },
      () => scene.chain.accounts.delete(SPONSOR.address),
    ],
    ...[PUBLIC, {}, TO_ROLLUP].map((route): [string, string, object, () => unknown] => [
      `too few tokens for a sponsor to sign ${JSON.stringify(route)} (bug: it paid for what failed)`,
      'TRANSACTION_BUILD_ERROR',
      { ...route, gasless: true },
      () => scene.chain.accounts.delete(FROM_ATA),
    ]),
    [
      'a sponsor that is not on the rollup',
      'SPONSOR_UNAVAILABLE',
      { ...ON_ROLLUP, gasless: true },
      () => scene.undelegate(SPONSOR.address),
    ],
    [
      'a sponsor that is on another rollup',
      'SPONSOR_UNAVAILABLE',
      { ...FROM_ROLLUP, gasless: true },
      () => scene.delegate(SPONSOR.address, ELSEWHERE),
    ],
    [
      'a sponsor whose account is frozen',
      'SPONSOR_UNAVAILABLE',
      { gasless: true },
      () =>
        scene.chain.put(deriveAta(SPONSOR.address, USDC_MINT, TOKEN_PROGRAM).address, {
          owner: TOKEN_PROGRAM,
          data: tokenAccountData(USDC_MINT, SPONSOR.address, 0n, 2),
        }),
    ],
    [
      'a mint without a vault',
      'VAULT_NOT_INITIALIZED',
      TO_ROLLUP,
      () => scene.chain.accounts.delete(deriveMintVault(USDC_MINT, TOKEN_PROGRAM).vault.address),
    ],
    [
      'a mint without a queue',
      'TRANSFER_QUEUE_NOT_INITIALIZED',
      {},
      () => scene.chain.accounts.delete(queueAccountsOf(USDC_MINT, VALIDATOR, TOKEN_PROGRAM).queue),
    ],
    [
      'a mint whose queue nobody pays out',
      'TRANSFER_QUEUE_NOT_INITIALIZED',
      {},
      () =>
        scene.chain.put(queueAccountsOf(USDC_MINT, VALIDATOR, TOKEN_PROGRAM).queue, {
          owner: EPHEMERAL_TOKEN_PROGRAM,
          data: new Uint8Array(9_696),
        }),
    ],
    [
      'a mint without a queue, from the rollup',
      'TRANSFER_QUEUE_NOT_INITIALIZED',
      FROM_ROLLUP,
      () => scene.chain.accounts.delete(queueAccountsOf(USDC_MINT, VALIDATOR, TOKEN_PROGRAM).queue),
    ],
    ['a sender on another rollup', 'EATA_VALIDATOR_MISMATCH', {}, () => scene.delegate(FROM, ELSEWHERE)],
    [
      'a recipient on another rollup',
      'EATA_VALIDATOR_MISMATCH',
      TO_ROLLUP,
      () => scene.delegate(TO, ELSEWHERE),
    ],
    [
      'a pool that holds only lamports',
      'STEALTH_POOL_NOT_FOUND',
      { to: HANDLE },
      () =>
        scene.chain.put(deriveStealthPool(HANDLE).address, { owner: SYSTEM_PROGRAM, data: new Uint8Array() }),
    ],
    [
      'the pool of a look-alike of an address (bug: it was paid instead of the wallet)',
      'INVALID_STEALTH_HANDLE',
      { to: LOOK_ALIKE },
      () =>
        scene.chain.put(deriveStealthPool(LOOK_ALIKE).address, {
          owner: EPHEMERAL_TOKEN_PROGRAM,
          data: new Uint8Array(619),
        }),
    ],
    [
      'an unreadable token account',
      'ACCOUNT_UNREADABLE',
      {},
      () => scene.chain.put(FROM_ATA, { owner: TOKEN_PROGRAM, data: new Uint8Array(3) }),
    ],
    ...(
      [
        ['publicly', PUBLIC],
        ['to the rollup', TO_ROLLUP],
        ['on the rollup', ON_ROLLUP],
      ] as const
    ).map(([where, args]): [string, string, object, () => unknown] => [
      `a payment ${where} into a token account that belongs to a stranger`,
      'TOKEN_ACCOUNT_OWNER_MISMATCH',
      args,
      () => putStrangers(TO_ATA),
    ]),
    ...[PUBLIC, {}, TO_ROLLUP].map((args): [string, string, object, () => unknown] => [
      `a payment ${JSON.stringify(args)} out of a token account that belongs to a stranger`,
      'TOKEN_ACCOUNT_OWNER_MISMATCH',
      args,
      () => putStrangers(FROM_ATA),
    ]),
    [
      "a sponsor's fee that would go to a stranger",
      'TOKEN_ACCOUNT_OWNER_MISMATCH',
      { gasless: true },
      () => putStrangers(deriveAta(SPONSOR.address, USDC_MINT, TOKEN_PROGRAM).address),
    ],
    ...[{}, TO_ROLLUP].map((args): [string, string, object, () => unknown] => [
      `a vault whose tokens are a stranger's ${JSON.stringify(args)}`,
      'TOKEN_ACCOUNT_OWNER_MISMATCH',
      args,
      () => putStrangers(deriveMintVault(USDC_MINT, TOKEN_PROGRAM).vaultAta),
    ]),
    ['a cluster without a rollup', 'UNSUPPORTED_ON_CLUSTER', ON_ROLLUP, () => (scene.chain.rollup = null)],
  ])('%s: %s', async (_, code, args, arrange) => {
    arrange();
    expect((await scene.refusal(args)).code).toBe(code);
  });

  const CLOCK = 'SysvarC1ock11111111111111111111111111111111' as Address;

  it.each<[string, Address, string]>([
    ['the mint itself', USDC_MINT, 'the mint itself'],
    ['another mint', NATIVE_MINT, 'a mint'],
    ['the token program', TOKEN_PROGRAM, 'a program'],
    ['the system program', SYSTEM_PROGRAM, 'a program'],
    ['an ordinary program', ELSEWHERE, 'a program'],
    ['a sysvar', CLOCK, 'a sysvar'],
    ['a token account with a key of its own', VALIDATOR, 'a token account'],
    ['an account of another program', SPONSOR.address, `an account of program ${EPHEMERAL_TOKEN_PROGRAM}`],
  ])('a public payment to an address that is not a wallet, which would be lost: %s', async (_, to, what) => {
    const data = new Uint8Array(17);
    scene.chain
      .put(NATIVE_MINT, { owner: TOKEN_PROGRAM, data: mintData(9) })
      .put(ELSEWHERE, { owner: BPF_LOADER_UPGRADEABLE, data, executable: true })
      .put(CLOCK, { owner: SYSVAR_OWNER, data })
      .put(VALIDATOR, { owner: TOKEN_PROGRAM, data: tokenAccountData(USDC_MINT, FROM, 0n) })
      .put(SPONSOR.address, { owner: EPHEMERAL_TOKEN_PROGRAM, data });
    const { code, message, context } = await scene.refusal({ ...PUBLIC, to, initRecipientAta: true });
    expect(code).toBe('INVALID_OWNER');
    expect(message).toBe(`to ${to} is not a wallet but ${what}; pass the address of a wallet`);
    expect(context).toMatchObject({ field: 'to' });
  });

  it.each([{}, TO_ROLLUP, ON_ROLLUP, FROM_ROLLUP])(
    'a mint and a well-known program as recipient by every other route as well: %j',
    async (args) => {
      for (const to of [USDC_MINT, SYSTEM_PROGRAM]) {
        expect(await scene.refusal({ ...args, to })).toMatchObject({ code: 'INVALID_OWNER' });
      }
    },
  );

  it('no public payment to a wallet that is delegated itself', async () => {
    scene.chain.put(VALIDATOR, { owner: DELEGATION_PROGRAM, data: new Uint8Array() });
    const args = { ...PUBLIC, to: VALIDATOR, initRecipientAta: true };
    expect((await scene.run(args)).output.kind).toBe('transfer');
  });

  it.each([
    ['publicly', PUBLIC],
    ['in private', {}],
    ['to the rollup', TO_ROLLUP],
  ])('a sender that is not a wallet, without advice to fund it: %s', async (_, args) => {
    scene.chain.put(NATIVE_MINT, { owner: TOKEN_PROGRAM, data: mintData(9) });
    for (const from of [USDC_MINT, NATIVE_MINT, TOKEN_PROGRAM, SYSTEM_PROGRAM]) {
      const { code, message } = await scene.refusal({ ...args, from });
      expect(code).toBe('INVALID_OWNER');
      expect(message).toContain(`from ${from} is not a wallet but`);
    }
  });

  it('nothing if the recipient is a new wallet without an account', async () => {
    scene.chain.accounts.delete(TO);
    scene.chain.accounts.delete(TO_ATA);
    expect(await scene.warnings({ ...PUBLIC, initRecipientAta: true })).toBeUndefined();
  });

  it('a sender on another rollup, and names the account', async () => {
    scene.delegate(FROM, ELSEWHERE);
    const { message, context } = await scene.refusal({});
    expect(message).toMatch(/^Projected token account is delegated to another validator/);
    expect(context).toMatchObject({ accounts: [deriveEata(FROM, USDC_MINT).address], validator: ELSEWHERE });
  });

  it.each([
    ['from', { from: 'nope' }],
    ['from', { from: undefined }],
    ['to', { to: 5 }],
    ['to', { to: '\ud800' }],
    ['to', { to: 'x'.repeat(1_025) }],
    ['mint', { mint: undefined }],
    ['amount', { amount: -1 }],
    ['amount', { amount: 1.5 }],
    ['amount', { amount: 2 ** 53 }],
    ['amount', { amount: '01' }],
    ['amount', { amount: '18446744073709551616' }],
    ['visibility', { visibility: 'secret' }],
    ['fromBalance', { fromBalance: 'Base' }],
    ['toBalance', { toBalance: null }],
    ['memo', { memo: 'half a \udc00' }],
    ['memo', { memo: 'x'.repeat(1_233) }],
    ['minDelayMs', { minDelayMs: '1e3' }],
    ['maxDelayMs', { maxDelayMs: 0.5 }],
    ['clientRefId', { clientRefId: '18446744073709551616' }],
    ['split', { split: '3' }],
    ['exactOut', { exactOut: 'yes' }],
    ['gasless', { gasless: 1 }],
    ['platformFeeBps', { platformFeeBps: '1' }],
    ['platformFeeAccount', { platformFeeAccount: '' }],
    ['legacy', { legacy: 'no' }],
    ['initRecipientAta', { initRecipientAta: 0 }],
  ])('an invalid %s before any read: %j', (field, args) => {
    const { operation } = scene;
    const request = { from: FROM, to: TO, mint: USDC_MINT, amount: 1, ...args };
    expect(operation.input.safeParse(request).error?.issues.map(({ path }) => path[0])).toContain(field);
    expect(
      operation.input.safeParse({ from: FROM, to: TO, mint: USDC_MINT, amount: 1, too: 1 }).success,
    ).toBe(false);
  });
});
