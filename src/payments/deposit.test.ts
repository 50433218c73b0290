import { beforeEach, describe, expect, it } from 'vitest';
import {
  delegationRecordData,
  MapChain,
  MapRollup,
  mintData,
  permissionData,
  tokenAccountData,
} from '../../test/ports/map-chain.ts';
import { Clusters } from '../chain/clusters.ts';
import { isServiceError } from '../errors/service-error.ts';
import { systemRandom } from '../ports/random.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  LOCALNET_VALIDATOR,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../programs/addresses.ts';
import { deriveValidatorFeesVault } from '../programs/delegation/pdas.ts';
import type { Member } from '../programs/permission/state.ts';
import { type Address, addressBytes } from '../solana/address.ts';
import { decodeTransaction } from '../solana/transaction.ts';
import { deriveDepositAccounts } from './accounts/deposit-accounts.ts';
import { createDeposit } from './deposit.ts';
import { ANONYMOUS } from './operation.ts';

const OWNER = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb' as Address;
const VALIDATOR = 'MAS1Dt9qreoRMQ14YQuhg8UTZMMzDdKhmkZMECCzk57' as Address;
const ACCOUNTS = deriveDepositAccounts(OWNER, USDC_MINT, TOKEN_PROGRAM);

let chain: MapChain;

beforeEach(() => {
  chain = new MapChain()
    .put(USDC_MINT, { owner: TOKEN_PROGRAM, data: mintData(6) })
    .put(OWNER, { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: 1_000_000_000n })
    .put(ACCOUNTS.ownerAta, { owner: TOKEN_PROGRAM, data: tokenAccountData(USDC_MINT, OWNER, 2_500_000n) })
    .put(deriveValidatorFeesVault(LOCALNET_VALIDATOR).address, {
      owner: DELEGATION_PROGRAM,
      data: new Uint8Array(8),
    });
});

function putVault(): void {
  const { vault, vaultAta } = ACCOUNTS;
  chain
    .put(vault.address, { owner: EPHEMERAL_TOKEN_PROGRAM, data: addressBytes(USDC_MINT) })
    .put(vaultAta, { owner: TOKEN_PROGRAM, data: tokenAccountData(USDC_MINT, vault.address, 0n) });
}

function putDelegatedEata(): void {
  const data = delegationRecordData(VALIDATOR);
  chain.put(ACCOUNTS.delegation.record, { owner: DELEGATION_PROGRAM, data });
  chain.put(ACCOUNTS.eata.address, { owner: DELEGATION_PROGRAM, data: new Uint8Array(72) });
}

async function run(args: object) {
  const operation = createDeposit({ clusters: new Clusters([chain]), random: systemRandom });
  const result = await operation.run(
    operation.input.parse({ owner: OWNER, amount: 1_500_000, ...args }),
    ANONYMOUS,
  );
  return { ...result, output: operation.output.parse(result.output) };
}

/** The permission account of an earlier deposit. */
function putPermission(members: readonly Member[] | null, owner: Address = PERMISSION_PROGRAM): void {
  chain.put(ACCOUNTS.permission, { owner, data: permissionData(ACCOUNTS.eata.address, members) });
}

/** First data byte of each instruction: the tag of the ephemeral token program, 1 also for an ATA. */
async function tags(args: object): Promise<number[]> {
  const { output } = await run(args);
  const { instructions } = decodeTransaction(new Uint8Array(Buffer.from(output.transactionBase64, 'base64')));
  expect(output.instructionCount).toBe(instructions.length);
  return instructions.map(({ data }) => data[0] as number);
}

async function refusal(args: object): Promise<{ code: string; message: string }> {
  try {
    await run(args);
  } catch (error) {
    if (isServiceError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('the deposit was built');
}

describe('spl.deposit', () => {
  it('returns every member of the contract', async () => {
    const { output, sentences } = await run({});
    expect(output).toEqual({
      notes: expect.arrayContaining([expect.stringMatching(/^It deposits .* USDC/)]),
      kind: 'deposit',
      version: 'legacy',
      transactionBase64: expect.any(String),
      sendTo: 'base',
      recentBlockhash: chain.blockhash,
      lastValidBlockHeight: 1_150,
      instructionCount: 6,
      requiredSigners: [OWNER],
      validator: LOCALNET_VALIDATOR,
    });
    expect(sentences).toEqual([
      'Built an unsigned SPL deposit transaction.',
      `It deposits 1.5 USDC (1500000 base units of mint ${USDC_MINT}). Sign it as ${OWNER} and send it to the base ledger before block height 1150 has passed.`,
    ]);
  });

  it('creates the vault only if it is missing, unless requested', async () => {
    expect(await tags({})).toEqual([0, 1, 1, 2, 4, 6]);
    putVault();
    expect(await tags({})).toEqual([0, 2, 4, 6]);
    expect(await tags({ initVaultIfMissing: true })).toEqual([0, 1, 1, 2, 4, 6]);
  });

  it.each([
    [{ private: false }, [0, 2, 4]],
    [{ initAtasIfMissing: true }, [0, 1, 2, 4, 6]],
    [{ idempotent: false }, [0, 2, 4, 6]],
    [
      { idempotent: true, initIfMissing: true, initAtasIfMissing: true, initVaultIfMissing: true },
      [0, 1, 1, 1, 2, 4, 6],
    ],
  ])('with %j builds instructions %j', async (args, expected) => {
    putVault();
    expect(await tags(args)).toEqual(expected);
  });

  it('does not create an existing eATA if requested', async () => {
    putVault();
    chain.put(ACCOUNTS.eata.address, { owner: EPHEMERAL_TOKEN_PROGRAM, data: new Uint8Array(72) });
    expect(await tags({ initIfMissing: false })).toEqual([2, 4, 6]);
  });

  it('notes that a public deposit stays private after a private one', async () => {
    const said = async (args: object) => (await run(args)).sentences.join(' ');
    expect(await said({ private: false })).not.toContain('private');
    putPermission([{ flags: 1, address: OWNER }]);
    expect(await said({ private: false })).toContain('lets only the owner read it');
    expect(await said({ private: true })).not.toContain('all the same');
    putPermission([
      { flags: 1, address: OWNER },
      { flags: 4, address: VALIDATOR },
    ]);
    expect(await said({ private: false })).toContain(`lets only the owner and ${VALIDATOR} read it`);
    putPermission(null);
    expect(await said({ private: false })).not.toContain('private');
  });

  it.each<[string, readonly Member[] | null, string]>([
    ['everyone', null, 'let everyone read'],
    ['someone else', [{ flags: 4, address: VALIDATOR }], `let ${VALIDATOR} read`],
  ])('resets a permission that lets %s read a private deposit', async (_, members, words) => {
    putVault();
    putPermission(members);
    expect(await tags({})).toEqual([0, 2, 4, 6, 9]);
    const { output, sentences } = await run({});
    expect(sentences.at(-1)).toContain(words);
    expect(output.warnings).toBeUndefined();
    expect(await tags({ private: false })).toEqual([0, 2, 4]);
  });

  it('does not reset a permission that lets only the owner read', async () => {
    putVault();
    const program = { flags: 0, address: DELEGATION_PROGRAM };
    for (const members of [[], [program, { flags: 31, address: OWNER }]]) {
      putPermission(members);
      expect(await tags({})).toEqual([0, 2, 4, 6]);
    }
  });

  it('does not mistake lamports at the address of the permission for a permission', async () => {
    putVault();
    chain.put(ACCOUNTS.permission, { owner: SYSTEM_PROGRAM, data: new Uint8Array() });
    expect(await tags({})).toEqual([0, 2, 4, 6]);
  });

  it('has no signature, and has the reported blockhash', async () => {
    const { output } = await run({});
    const wire = Buffer.from(output.transactionBase64, 'base64');
    expect(wire.subarray(1, 65).every((byte) => byte === 0)).toBe(true);
  });

  it.each([
    [1, 1n],
    ['1', 1n],
    [Number.MAX_SAFE_INTEGER, 9_007_199_254_740_991n],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['18446744073709551615', 18_446_744_073_709_551_615n],
  ])('carries the amount %j exactly', async (amount, expected) => {
    putVault();
    const { output } = await run({ amount });
    const { instructions } = decodeTransaction(
      new Uint8Array(Buffer.from(output.transactionBase64, 'base64')),
    );
    const deposit = instructions[1]?.data as Uint8Array;
    expect(new DataView(deposit.buffer, deposit.byteOffset).getBigUint64(1, true)).toBe(expected);
  });
});

describe('spl.deposit rejects', () => {
  it.each([
    ['a mint that does not exist', { mint: VALIDATOR }, 'MINT_NOT_FOUND', 'pass a mint that does'],
    [
      'an account that is not a mint',
      { mint: OWNER },
      'UNSUPPORTED_TOKEN_PROGRAM',
      'neither SPL Token nor Token-2022',
    ],
    ['a token account as mint', { mint: ACCOUNTS.ownerAta }, 'ACCOUNT_UNREADABLE', 'not an initialized mint'],
    ['a cluster that is not configured', { cluster: 'mainnet' }, 'CLUSTER_NOT_ALLOWED', 'one of: localnet'],
    ['a URL as cluster', { cluster: 'http://127.0.0.1:8899' }, 'CLUSTER_NOT_ALLOWED', 'one of: localnet'],
    ['an owner off the curve', { owner: ACCOUNTS.ownerAta }, 'INVALID_OWNER', 'off the curve'],
    [
      'a missing eATA that it may not create',
      { initIfMissing: false },
      'EATA_NOT_INITIALIZED',
      'initIfMissing',
    ],
    [
      'a missing vault that it may not create',
      { initVaultIfMissing: false },
      'VAULT_NOT_INITIALIZED',
      'initVaultIfMissing',
    ],
  ])('%s', async (_, args, code, words) => {
    const refused = await refusal(args);
    expect(refused.code).toBe(code);
    expect(refused.message).toContain(words);
  });

  it('a mint of Token-2022, which layout A does not support', async () => {
    chain.put(USDC_MINT, { owner: TOKEN_2022_PROGRAM, data: mintData(6) });
    expect(await refusal({})).toMatchObject({ code: 'UNSUPPORTED_TOKEN_PROGRAM' });
  });

  it('an eATA that is already delegated, with its validator and advice', async () => {
    putDelegatedEata();
    chain.rollup = Object.assign(new MapRollup(), { validator: VALIDATOR });
    const { code, message } = await refusal({});
    expect(code).toBe('EATA_ALREADY_DELEGATED');
    expect(message).toContain(`validator ${VALIDATOR}`);
    expect(message).toContain('Undelegate it on the rollup first');
  });

  it('an eATA of another validator, without advice to undelegate it here', async () => {
    putDelegatedEata();
    chain.rollup = new MapRollup();
    const { code, message } = await refusal({});
    expect(code).toBe('EATA_DELEGATED_ELSEWHERE');
    expect(message).toContain(`Only validator ${VALIDATOR} can return it`);
    expect(message).not.toMatch(/spl\.|first/);
  });

  it('a second deposit on a cluster without a rollup, without advice to undelegate', async () => {
    putDelegatedEata();
    const { code, message } = await refusal({});
    expect(code).toBe('EATA_ALREADY_DELEGATED');
    expect(message).toContain(`already delegated to validator ${VALIDATOR}`);
    expect(message).toContain('Cluster localnet has no rollup configured');
    expect(message).toContain('use another wallet or another cluster');
    expect(message).not.toContain('first');
  });

  it.each([
    ['the mint', USDC_MINT, 'a mint'],
    ['a program that exists only here', VALIDATOR, 'a program'],
    ['the token program', TOKEN_PROGRAM, 'a program'],
    ['the system program', SYSTEM_PROGRAM, 'a program'],
  ])('an owner that is not a wallet, without advice to fund it: %s', async (_, owner, what) => {
    chain.put(VALIDATOR, { owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: true });
    for (const layout of ['a', 'b'] as const) {
      chain.layout = layout;
      const refused = await refusal({ owner });
      expect(refused.code).toBe('INVALID_OWNER');
      expect(refused.message).toContain(`owner ${owner} is not a wallet but ${what}; pass the address`);
    }
  });

  it('an unreadable permission', async () => {
    chain.put(ACCOUNTS.permission, { owner: PERMISSION_PROGRAM, data: new Uint8Array(7) });
    expect(await refusal({})).toMatchObject({ code: 'ACCOUNT_UNREADABLE' });
  });

  it('an eATA of another layout', async () => {
    chain.put(ACCOUNTS.eata.address, { owner: EPHEMERAL_TOKEN_PROGRAM, data: new Uint8Array(80) });
    expect(await refusal({})).toMatchObject({ code: 'ACCOUNT_UNREADABLE' });
  });

  it.each([
    ['owner', { owner: 'nope' }],
    ['owner', { owner: undefined }],
    ['owner', { owner: 5 }],
    ['amount', { amount: 0 }],
    ['amount', { amount: -1 }],
    ['amount', { amount: 1.5 }],
    ['amount', { amount: 2 ** 53 }],
    ['amount', { amount: '18446744073709551616' }],
    ['amount', { amount: '01' }],
    ['amount', { amount: '1.0' }],
    ['amount', { amount: ' 1' }],
    ['amount', { amount: null }],
    ['mint', { mint: '' }],
    ['validator', { validator: '1'.repeat(45) }],
    ['private', { private: 'yes' }],
    ['cluster', { cluster: 5 }],
    ['initIfMissing', { initIfMissing: 1 }],
    ['initAtasIfMissing', { initAtasIfMissing: 'true' }],
    ['initVaultIfMissing', { initVaultIfMissing: null }],
    ['idempotent', { idempotent: 0 }],
  ])('an invalid %s before any read: %j', (field, args) => {
    const operation = createDeposit({ clusters: new Clusters([chain]), random: systemRandom });
    const { error } = operation.input.safeParse({ owner: OWNER, amount: 1, ...args });
    expect(error?.issues.map(({ path }) => path[0])).toContain(field);
  });

  it('an unknown argument', () => {
    const operation = createDeposit({ clusters: new Clusters([chain]), random: systemRandom });
    expect(operation.input.safeParse({ owner: OWNER, amount: 1, initIfMising: true }).success).toBe(false);
  });
});

describe('spl.deposit builds with a warning when', () => {
  it('tokens and lamports are short, naming each amount with its unit', async () => {
    chain.put(OWNER, { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: 1n });
    const { output } = await run({ amount: Number.MAX_SAFE_INTEGER });
    const [tokens, lamports] = output.warnings ?? [];
    expect(tokens?.message).toContain(`holds 2.5 USDC (2500000 base units of mint ${USDC_MINT}), but`);
    expect(tokens?.message).toContain(
      'the deposit needs 9007199254.740991 USDC (9007199254740991 base units',
    );
    expect(lamports?.message).toContain('holds 1 lamport, but');
  });

  it.each([
    ['the owner has too few tokens', 'INSUFFICIENT_TOKENS', { amount: 2_500_001 }, () => {}],
    [
      'the owner has no token account',
      'INSUFFICIENT_TOKENS',
      {},
      () => chain.accounts.delete(ACCOUNTS.ownerAta),
    ],
    ['the owner has no lamports', 'INSUFFICIENT_LAMPORTS', {}, () => chain.accounts.delete(OWNER)],
    ['the validator could never settle', 'VALIDATOR_NOT_ADMITTED', { validator: VALIDATOR }, () => {}],
    [
      'others may read a private deposit through a delegated permission',
      'DEPOSIT_NOT_PRIVATE',
      {},
      () => putPermission(null, DELEGATION_PROGRAM),
    ],
    [
      "the owner's token account is frozen",
      'TOKEN_ACCOUNT_FROZEN',
      {},
      () => {
        const data = tokenAccountData(USDC_MINT, OWNER, 2_500_000n, 2);
        chain.put(ACCOUNTS.ownerAta, { owner: TOKEN_PROGRAM, data });
      },
    ],
  ])('%s', async (_, code, args, arrange) => {
    arrange();
    const { output, sentences } = await run(args);
    expect(output.warnings?.map((warning) => warning.code)).toEqual([code]);
    expect(sentences.at(-1)).toMatch(/^Before sending: /);
  });
});
