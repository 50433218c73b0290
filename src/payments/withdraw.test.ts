import { describe, expect, it } from 'vitest';
import { Holder, HOLDER, OTHER_VALIDATOR, VALIDATOR } from '../../test/ports/holder.ts';
import { type MapChain, MapRollup, mintDataOf, tokenAccountData } from '../../test/ports/map-chain.ts';
import { accountsOf, callsOf, faultyFields, refusalOf, runOperation } from '../../test/run-operation.ts';
import { hostedCases } from '../../test/vectors/hosted-cases.ts';
import { scriptedRandom } from '../../test/vectors/scripted-random.ts';
import { Clusters } from '../chain/clusters.ts';
import { type Random, systemRandom } from '../ports/random.ts';
import {
  EPHEMERAL_TOKEN_PROGRAM,
  NATIVE_MINT,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../programs/addresses.ts';
import { tokenAccountData as fullAccountData, withExtensions } from '../rpc/testing/token-accounts.ts';
import type { Address } from '../solana/address.ts';
import { deriveDepositAccounts, deriveShuttle } from './accounts/deposit-accounts.ts';
import { RENT_PDA } from './fees/costs.ts';
import { createWithdraw } from './withdraw.ts';

const operationOn = (chain: MapChain, random: Random = systemRandom) =>
  createWithdraw({ clusters: new Clusters([chain]), random });

const withdraw = (chain: MapChain, args: object, random?: Random) =>
  runOperation(operationOn(chain, random), { owner: HOLDER, mint: USDC_MINT, amount: 400_000, ...args });

/** A holder whose eATA is back on base with 400,000 base units, and whose ATA is empty. */
const settled = (layout: 'a' | 'b', mint = USDC_MINT) =>
  new Holder(layout, mint).putTokens(0n).putEata(400_000n);

/** A holder on a cluster whose rollup is configured, and shows it 400,000 base units. */
function withRollup(holder: Holder): Holder {
  const { ownerAta, tokenProgram, mint } = holder.accounts;
  const rollup = Object.assign(new MapRollup(), { validator: VALIDATOR });
  rollup.put(ownerAta, { owner: tokenProgram, data: tokenAccountData(mint, HOLDER, 400_000n) });
  holder.chain.rollup = rollup;
  return holder;
}

/** A holder on layout B whose eATA is on the rollup. */
const delegated = () => withRollup(new Holder('b').putTokens(0n).putDelegatedEata(VALIDATOR));

/** The same on a cluster without a configured rollup. */
const stranded = () => new Holder('b').putTokens(0n).putDelegatedEata(VALIDATOR);

describe('spl.withdraw on layout A', () => {
  it('returns every member of the contract', async () => {
    const { output, sentences } = await withdraw(settled('a').chain, {});
    expect(output).toEqual({
      notes: [expect.stringMatching(/^It withdraws .* USDC/)],
      kind: 'withdraw',
      version: 'legacy',
      transactionBase64: expect.any(String),
      sendTo: 'base',
      recentBlockhash: settled('a').chain.blockhash,
      lastValidBlockHeight: 1_150,
      instructionCount: 1,
      requiredSigners: [HOLDER],
      validator: VALIDATOR,
    });
    expect(callsOf(output.transactionBase64)).toEqual(['3']);
    expect(sentences).toEqual([
      'Built an unsigned SPL withdraw transaction.',
      `It withdraws 0.4 USDC (400000 base units of mint ${USDC_MINT}). Sign it as ${HOLDER} and send it to the base ledger before block height 1150 has passed.`,
    ]);
  });

  it.each([
    [{ initAtasIfMissing: true }, ['AToken 1', '3']],
    [{ initIfMissing: true, escrowIndex: 3, idempotent: true }, ['3']],
    [{ idempotent: false }, ['3']],
  ])('with %j builds %j', async (args, calls) => {
    const { output } = await withdraw(settled('a').chain, args);
    expect(callsOf(output.transactionBase64)).toEqual(calls);
  });

  it.each(['a', 'b'] as const)(
    'closes the wrapped SOL account only if the direct form was requested by name (layout %s)',
    async (layout) => {
      const { chain } = settled(layout, NATIVE_MINT);
      const { output, sentences } = await withdraw(chain, { mint: NATIVE_MINT, idempotent: false });
      expect(callsOf(output.transactionBase64)).toEqual(['3', 'Tokenk 9']);
      expect(sentences.at(-1)).toContain('all wrapped SOL in it becomes plain SOL');
      const plain = await withdraw(chain, { mint: NATIVE_MINT });
      expect(callsOf(plain.output.transactionBase64)).not.toContain('Tokenk 9');
    },
  );
});

/** A mint that is not common knowledge. */
const OTHER_MINT = 'Bc1q7nP5xrfVnZ8z5vT1mQH4SxRkN2dYwJ6uLgEo9aCh' as Address;

describe('spl.withdraw warns', () => {
  const putOwnAta = ({ chain, accounts }: Holder, data: Uint8Array) =>
    chain.put(accounts.ownerAta, { owner: accounts.tokenProgram, data });
  const codesOf = async (holder: Holder, args: object = {}) =>
    (await withdraw(holder.chain, args)).output.warnings?.map(({ code }) => code);

  it.each(['a', 'b'] as const)(
    'of a delegate that can take the received tokens (layout %s)',
    async (layout) => {
      const holder = settled(layout);
      putOwnAta(
        holder,
        fullAccountData({
          mint: USDC_MINT,
          owner: HOLDER,
          delegate: OTHER_VALIDATOR,
          delegatedAmount: 5n,
          closeAuthority: OTHER_VALIDATOR,
        }),
      );
      expect(await codesOf(holder)).toEqual(['TOKEN_ACCOUNT_DELEGATED', 'TOKEN_ACCOUNT_CLOSE_AUTHORITY']);
    },
  );

  it('of a close authority of an account with wrapped SOL', async () => {
    const holder = settled('a', NATIVE_MINT);
    const closeAuthority = OTHER_VALIDATOR;
    putOwnAta(holder, fullAccountData({ mint: NATIVE_MINT, owner: HOLDER, closeAuthority }));
    const { output } = await withdraw(holder.chain, { mint: NATIVE_MINT });
    expect(output.warnings?.map(({ message }) => message)).toEqual([
      expect.stringContaining('with all wrapped SOL in it'),
    ]);
  });

  it('of an account that requires a memo, which a withdrawal does not have', async () => {
    const mint = OTHER_MINT;
    const holder = new Holder('b', mint, TOKEN_2022_PROGRAM).putEata(400_000n);
    const account = tokenAccountData(mint, HOLDER, 0n);
    putOwnAta(holder, withExtensions(account, 2, [[8, Uint8Array.of(1)]]));
    expect(await codesOf(holder, { mint })).toEqual(['MEMO_REQUIRED']);
    putOwnAta(holder, withExtensions(account, 2, [[8, Uint8Array.of(0)]]));
    expect(await codesOf(holder, { mint })).toBeUndefined();
  });

  it('of an account that accepts only confidential transfers (bug: there was no warning)', async () => {
    const mint = OTHER_MINT;
    const holder = new Holder('b', mint, TOKEN_2022_PROGRAM).putEata(400_000n);
    const account = tokenAccountData(mint, HOLDER, 0n);
    // Whether other credits than confidential ones are allowed is the byte at 262.
    const confidential = new Uint8Array(295);
    putOwnAta(holder, withExtensions(account, 2, [[5, confidential]]));
    expect(await codesOf(holder, { mint })).toEqual(['TOKEN_ACCOUNT_CONFIDENTIAL_ONLY']);
    putOwnAta(holder, withExtensions(account, 2, [[5, confidential.with(262, 1)]]));
    expect(await codesOf(holder, { mint })).toBeUndefined();
  });
});

describe('spl.withdraw on layout B', () => {
  it.each(
    hostedCases<{ owner: Address; mint: Address; amount: string } & Record<string, unknown>>('withdraw'),
  )('answers the request of %s with the hosted transaction', async (_, { input, expect: expected }) => {
    const { shuttleId, tokenProgram = TOKEN_PROGRAM, ...args } = input;
    const accounts = deriveDepositAccounts(input.owner, input.mint, tokenProgram as Address);
    const eata = new Uint8Array(80);
    new DataView(eata.buffer).setBigUint64(64, BigInt(input.amount), true);
    const chain = new Holder('b').chain
      .put(input.mint, { owner: tokenProgram as Address, data: mintDataOf(input.mint) })
      .put(accounts.eata.address, { owner: EPHEMERAL_TOKEN_PROGRAM, data: eata })
      .put(accounts.ownerAta, {
        owner: tokenProgram as Address,
        data: tokenAccountData(input.mint, input.owner, 0n),
      });
    // Some vectors have USDC belong to Token-2022, which no network is believed.
    if (tokenProgram !== TOKEN_PROGRAM) chain.network = 'localnet';
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(shuttleId as number);
    const { output } = await withdraw(chain, args, scriptedRandom([bytes.toString('hex')]));
    expect(output.transactionBase64).toBe(expected.transaction);
    expect(output.requiredSigners).toEqual(expected.requiredSigners);
  });

  it.each([
    [{}, ['0', '4', '26']],
    [{ initIfMissing: false }, ['4', '26']],
    [{ initAtasIfMissing: true }, ['AToken 1', '0', '4', '26']],
  ])('with %j withdraws more from a delegated eATA than base shows: %j', async (args, calls) => {
    const { output } = await withdraw(delegated().chain, args);
    expect(callsOf(output.transactionBase64)).toEqual(calls);
    expect(output.warnings).toBeUndefined();
  });

  it('rejects more than the rollup shows (bug: it was built, and nothing arrived)', async () => {
    const refused = await refusalOf(withdraw(delegated().chain, { amount: 400_001 }));
    expect(refused.code).toBe('EATA_BALANCE_TOO_LOW');
    expect(refused.context).toMatchObject({ field: 'amount', held: '400000', amount: '400001' });
    expect(refused.message).toContain('pass at most 400000 base units');
  });

  it('warns if the rollup does not show the balance (bug: only a note said so)', async () => {
    const holder = delegated();
    holder.chain.rollup = Object.assign(new MapRollup(), { validator: VALIDATOR, auth: {} });
    const { output } = await withdraw(holder.chain, {});
    expect(output.warnings).toEqual([
      { code: 'BALANCE_UNREAD', message: expect.stringContaining("pass the owner's bearer token") },
    ]);
    const without = await withdraw(stranded().chain, {});
    expect(without.output.warnings?.map(({ code }) => code)).toEqual(['BALANCE_UNREAD']);
  });

  it('warns that the rest of a settled balance returns to the rollup (bug: there was no warning)', async () => {
    const { output } = await withdraw(settled('b').chain, { amount: 150_000 });
    expect(output.warnings).toEqual([
      { code: 'DELEGATED_AGAIN', message: expect.stringContaining('0.25 USDC') },
    ]);
    expect((await withdraw(settled('b').chain, {})).output.warnings).toBeUndefined();
  });

  it('draws another shuttle id if the first is in use', async () => {
    const holder = delegated();
    const { accounts: taken } = deriveShuttle(holder.accounts, 1);
    holder.chain.put(taken.metadata, { owner: EPHEMERAL_TOKEN_PROGRAM, data: new Uint8Array(72) });
    const { output } = await withdraw(holder.chain, {}, scriptedRandom(['01000000', '02000000']));
    const named = accountsOf(output.transactionBase64);
    expect(named).toContain(deriveShuttle(holder.accounts, 2).accounts.metadata);
    expect(named).not.toContain(taken.metadata);
  });
});

describe('spl.withdraw rejects', () => {
  it.each([
    [
      'on layout A a delegated eATA',
      withRollup(new Holder('a').putTokens(0n).putDelegatedEata(VALIDATOR)),
      {},
      'EATA_ALREADY_DELEGATED',
      'undelegate it on the rollup first (spl.undelegate), wait for the settlement',
    ],
    [
      'directly a delegated eATA',
      delegated(),
      { idempotent: false },
      'EATA_ALREADY_DELEGATED',
      'leave out idempotent',
    ],
    [
      'on layout A more than the eATA holds',
      settled('a'),
      { amount: 400_001 },
      'EATA_BALANCE_TOO_LOW',
      'holds 0.4 USDC (400000 base units',
    ],
    [
      'on layout B more than an eATA on base holds',
      settled('b'),
      { amount: 400_001 },
      'EATA_BALANCE_TOO_LOW',
      'withdraw at most 400000',
    ],
    [
      'an eATA that does not exist',
      withRollup(new Holder('a').putTokens(0n)),
      {},
      'EATA_BALANCE_TOO_LOW',
      'needs 0.4 USDC (400000 base units of mint EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v): deposit first',
    ],
    [
      'a missing token account that it may not create',
      new Holder('a').putEata(400_000n),
      {},
      'TOKEN_ACCOUNT_NOT_FOUND',
      'set initAtasIfMissing to true',
    ],
    [
      'a missing token account that it may not create, by shuttle',
      new Holder('b').putEata(400_000n),
      {},
      'TOKEN_ACCOUNT_NOT_FOUND',
      'set initAtasIfMissing to true',
    ],
    [
      'an eATA of another validator',
      delegated(),
      { validator: OTHER_VALIDATOR },
      'EATA_VALIDATOR_MISMATCH',
      `pass validator ${VALIDATOR}`,
    ],
    [
      'on layout A a mint of Token-2022',
      new Holder('a', USDC_MINT, TOKEN_2022_PROGRAM),
      {},
      'UNSUPPORTED_TOKEN_PROGRAM',
      'Token-2022',
    ],
    ['an owner off the curve', settled('a'), { owner: RENT_PDA }, 'INVALID_OWNER', 'off the curve'],
    ['a mint that does not exist', settled('a'), { mint: HOLDER }, 'UNSUPPORTED_TOKEN_PROGRAM', 'neither'],
    [
      'a cluster that is not configured',
      settled('a'),
      { cluster: 'devnet' },
      'CLUSTER_NOT_ALLOWED',
      'localnet',
    ],
  ])('%s', async (_, { chain }, args, code, words) => {
    const refused = await refusalOf(withdraw(chain, args));
    expect(refused.code).toBe(code);
    expect(refused.message).toContain(words);
  });

  it.each([
    ['owner', { owner: undefined }],
    ['owner', { owner: '0' }],
    ['mint', { mint: undefined }],
    ['mint', { mint: 7 }],
    ['amount', { amount: undefined }],
    ['amount', { amount: 0 }],
    ['amount', { amount: '18446744073709551616' }],
    ['amount', { amount: 2 ** 53 }],
    ['validator', { validator: 'x' }],
    ['cluster', { cluster: 1 }],
    ['initIfMissing', { initIfMissing: 'true' }],
    ['initAtasIfMissing', { initAtasIfMissing: 0 }],
    ['idempotent', { idempotent: null }],
    ['escrowIndex', { escrowIndex: -1 }],
    ['escrowIndex', { escrowIndex: 256 }],
    ['escrowIndex', { escrowIndex: 1.5 }],
    ['escrowIndex', { escrowIndex: '1' }],
    ['initVaultIfMissing', { initVaultIfMissing: true }],
  ])('an invalid %s before any read: %j', (field, args) => {
    const given = { owner: HOLDER, mint: USDC_MINT, amount: 1, ...args };
    expect(faultyFields(operationOn(settled('a').chain), given)).toEqual([field]);
  });
});

describe.each(['a', 'b'] as const)('spl.withdraw on layout %s of an eATA of another validator', (layout) => {
  it('names that validator, and suggests only what exists', async () => {
    const holder = withRollup(new Holder(layout).putTokens(0n).putDelegatedEata(OTHER_VALIDATOR));
    const refused = await refusalOf(withdraw(holder.chain, { idempotent: false }));
    expect(refused).toMatchObject({
      code: 'EATA_DELEGATED_ELSEWHERE',
      context: { validator: OTHER_VALIDATOR, rollupValidator: VALIDATOR },
    });
    expect(refused.message).toContain(`Only validator ${OTHER_VALIDATOR} can return it`);
    expect(refused.message).not.toMatch(/spl\.|first/);
  });
});

describe('spl.withdraw on a cluster without a rollup', () => {
  it.each<[string, Holder, object, string]>([
    [
      'with a delegated eATA',
      new Holder('a').putTokens(0n).putDelegatedEata(VALIDATOR),
      {},
      'no rollup configured to undelegate it on, so the deposit stays delegated: use another wallet',
    ],
    ['with a delegated eATA on layout B', stranded(), { idempotent: false }, 'leave out idempotent'],
    ['without an eATA', new Holder('a').putTokens(0n), {}, 'nothing to withdraw'],
    ['with an empty eATA', new Holder('a').putTokens(0n).putEata(0n), {}, 'a deposit would stay delegated'],
    ['with too little', settled('a'), { amount: 400_001 }, 'withdraw at most 400000 base units'],
  ])('never advises to undelegate or deposit if neither helps: %s', async (_, { chain }, args, words) => {
    const { message } = await refusalOf(withdraw(chain, args));
    expect(message).toContain(words);
    expect(message).not.toMatch(/spl\.undelegate|on the rollup first|deposit first/);
  });
});

describe('spl.withdraw by an owner that is not a wallet', () => {
  const { chain: chainB } = settled('b');

  it.each<[string, MapChain, Address]>([
    ['the mint', settled('a').chain, USDC_MINT],
    ['the mint, by shuttle', chainB, USDC_MINT],
    ['the token program', chainB, TOKEN_PROGRAM],
    ['the system program', chainB, SYSTEM_PROGRAM],
  ])('is rejected without advice to fund the wallet: %s', async (_, chain, owner) => {
    const refused = await refusalOf(withdraw(chain, { owner }));
    expect(refused.code).toBe('INVALID_OWNER');
    expect(refused.message).toContain(`owner ${owner} is not a wallet but a`);
  });
});

describe('spl.withdraw builds with a warning when', () => {
  it.each([
    ['the token account is frozen', 'TOKEN_ACCOUNT_FROZEN', settled('a').putTokens(0n, 2), {}],
    ['the token account is frozen, by shuttle', 'TOKEN_ACCOUNT_FROZEN', delegated().putTokens(0n, 2), {}],
    ['the owner cannot pay the fee', 'INSUFFICIENT_LAMPORTS', settled('a').putLamports(HOLDER, 4_999n), {}],
    [
      'the owner cannot pay for the token account',
      'INSUFFICIENT_LAMPORTS',
      new Holder('a').putEata(400_000n).putLamports(HOLDER, 2_044_279n),
      { initAtasIfMissing: true },
    ],
    [
      'the owner cannot pay for delegation and shuttle',
      'INSUFFICIENT_LAMPORTS',
      settled('b').putLamports(HOLDER, 3_824_919n),
      {},
    ],
    [
      'the validator could never settle',
      'VALIDATOR_NOT_ADMITTED',
      settled('b'),
      { validator: OTHER_VALIDATOR },
    ],
    [
      'the rent PDA may not be able to pay for a shuttle',
      'RENT_PDA_LOW',
      delegated().putLamports(RENT_PDA, 1n),
      {},
    ],
  ])('%s', async (_, code, { chain }, args) => {
    const { output, sentences } = await withdraw(chain, args);
    expect(output.warnings?.map((warning) => warning.code)).toEqual([code]);
    expect(sentences.at(-1)).toMatch(/^Before sending: /);
  });

  it('not if the owner has just enough', async () => {
    const lamports = 3_824_920n;
    const { output } = await withdraw(settled('b').putLamports(HOLDER, lamports).chain, {});
    expect(output.warnings).toBeUndefined();
  });
});
