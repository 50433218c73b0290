import { describe, expect, it } from 'vitest';
import {
  COMPUTE_BUDGET_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  NATIVE_MINT,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { concat, u32, u64, u8 } from '../../programs/instruction-data.ts';
import { transferLamports } from '../../programs/system.ts';
import { closeTokenAccount, transferTokens } from '../../programs/token/instructions.ts';
import { LOCAL_RENT } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { type Instruction, signer, writable, writableSigner } from '../../solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../solana/message.ts';
import { decodeTransaction, type Transaction } from '../../solana/transaction.ts';
import { AddressBook } from './address-book.ts';
import { accountsOf, callsOf, type MatchedForm, matchForm, roleAt, totalEffects } from './call.ts';
import { explainCalls, type ExplainedCalls, isForRollup } from './explain-calls.ts';
import { networkFeeMax } from './findings/cost-findings.ts';
import { ephemeralTokenProgram } from './programs/ephemeral-token.ts';
import { ownersOf, VECTOR_TRANSACTIONS, type VectorTransaction } from './testing/vector-transactions.ts';

const key = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));
const owner = key(11);
const thief = key(66);

const decode = (text: string): Transaction => decodeTransaction(new Uint8Array(Buffer.from(text, 'base64')));

function explain(transaction: Transaction, owners: Address[] = [], mints: Address[] = []): ExplainedCalls {
  const location = isForRollup(transaction) ? 'ephemeral' : 'base';
  return explainCalls(transaction, {
    tables: new Map(),
    accounts: new Map(),
    rent: LOCAL_RENT,
    book: new AddressBook(),
    location,
    layout: null,
    clusterValidator: null,
    owners,
    mints,
  });
}

function explainVector(vector: VectorTransaction): ExplainedCalls {
  const transaction = decode(vector.transactionBase64);
  const location = vector.sendTo ?? (isForRollup(transaction) ? 'ephemeral' : 'base');
  const mints = typeof vector.input['mint'] === 'string' ? [vector.input['mint'] as Address] : [];
  return explainCalls(transaction, {
    tables: new Map(),
    accounts: new Map(),
    rent: LOCAL_RENT,
    book: new AddressBook(),
    location,
    layout: vector.layout,
    clusterValidator: (vector.input['validator'] as Address | undefined) ?? null,
    owners: ownersOf(vector),
    mints,
  });
}

const transactionOf = (...instructions: Instruction[]): Transaction =>
  decodeTransaction(
    encodeUnsignedTransaction(
      compileLegacyMessage({ feePayer: owner, blockhash: new Uint8Array(32).fill(7), instructions }),
    ),
  );

const codes = (explained: ExplainedCalls): string[] => explained.findings.map(({ code }) => code);

describe('explaining the vectors', () => {
  it('has transactions of both layouts', () => {
    expect(VECTOR_TRANSACTIONS.filter(({ layout }) => layout === 'a')).toHaveLength(39);
    expect(VECTOR_TRANSACTIONS.filter(({ layout }) => layout === 'b')).toHaveLength(80);
  });

  it.each(VECTOR_TRANSACTIONS.map((vector) => [`${vector.id} ${vector.op}`, vector] as const))(
    'recognizes every instruction of %s and the derivation of every account',
    (_, vector) => {
      const explained = explainVector(vector);
      expect(explained.calls.filter(({ matched }) => matched === null)).toEqual([]);
      const expected: Record<string, string[]> = {
        // The SDK's early shuttle flow credits the eATA of the shuttle and not that of the signer.
        'a-pub-0011': ['WRONG_ACCOUNT'],
        'a-pub-0025': ['DANGEROUS_INSTRUCTION', 'OTHER_READERS'],
        'a-pub-0026': ['DANGEROUS_INSTRUCTION'],
        'b-pub-0084': ['DANGEROUS_INSTRUCTION'],
        // Instructions of the SDK that leave the validator to the program.
        'a-pub-0005': ['DEFAULT_VALIDATOR'],
        'a-pub-0006': ['DEFAULT_VALIDATOR'],
        'a-pub-0027': ['DEFAULT_VALIDATOR'],
        'a-pub-0032': ['DANGEROUS_INSTRUCTION', 'OTHER_VALIDATOR'],
        'b-pub-0072': ['DEFAULT_VALIDATOR'],
        'b-pub-0073': ['DEFAULT_VALIDATOR'],
        // Whoever pays the handle would pay others from then on.
        'b-pub-0055': ['DANGEROUS_INSTRUCTION'],
        'b-pub-0056': ['DANGEROUS_INSTRUCTION'],
        // Shuttles that are opened, merged and closed for another than who signs.
        'b-pub-0071': ['DANGEROUS_INSTRUCTION', 'MINT_UNREAD'],
        'b-pub-0076': ['DANGEROUS_INSTRUCTION'],
        'b-pub-0077': ['DANGEROUS_INSTRUCTION'],
        // Settlements: of an undelegation, and those that the SDK asks the rollup for directly.
        'a-pub-0019': ['SETTLEMENT_REQUESTED'],
        'a-pub-0035': ['SETTLEMENT_REQUESTED'],
        'b-pub-0051': ['SETTLEMENT_REQUESTED'],
        'b-pub-0052': ['SETTLEMENT_REQUESTED'],
        'b-pub-0066': ['SETTLEMENT_REQUESTED'],
        'a-pub-0030': ['SETTLEMENT_REQUESTED'],
        'a-pub-0031': ['SETTLEMENT_REQUESTED'],
        'b-pub-0085': ['SETTLEMENT_REQUESTED'],
        'b-pub-0086': ['SETTLEMENT_REQUESTED'],
        // A transfer queue of seven times the usual size.
        'b-pub-0078': ['HIGH_RENT'],
        // Those of Token-2022: no chain was read that could tell what their mints do.
        'b-pub-0012': ['MINT_UNREAD'],
        'b-pub-0021': ['MINT_UNREAD'],
        'b-pub-0050': ['MINT_UNREAD'],
        'b-pub-0063': ['MINT_UNREAD'],
        'b-pub-0064': ['MINT_UNREAD'],
        // Private transfers, whose recipients are sealed.
        'b-pub-0023': ['SEALED_RECIPIENT'],
        'b-pub-0030': ['SEALED_RECIPIENT'],
        'b-pub-0031': ['SEALED_RECIPIENT'],
        'b-pub-0032': ['SEALED_RECIPIENT'],
        'b-pub-0033': ['SEALED_RECIPIENT'],
        'b-pub-0034': ['SEALED_RECIPIENT'],
        'b-pub-0037': ['SEALED_RECIPIENT'],
        'b-pub-0038': ['SEALED_RECIPIENT'],
        'b-pub-0039': ['SEALED_RECIPIENT'],
        'b-pub-0048': ['SEALED_RECIPIENT'],
        'b-pub-0058': ['SEALED_RECIPIENT'],
        'b-pub-0083': ['SEALED_RECIPIENT'],
        // The SDK's own default validator, which no cluster has been asked about.
        'a-pub-0010': ['OTHER_VALIDATOR'],
      };
      expect(codes(explained)).toEqual(expected[vector.id] ?? []);
    },
  );

  /** The moved amounts, without lamports that are wrapped for the payment. */
  const movedTokens = (vector: VectorTransaction) =>
    totalEffects(
      explainVector(vector).rawEffects.filter(
        (effect) => effect.kind !== 'tokens' || effect.isConverted !== true,
      ),
    ).tokens;

  const movers = new Set(['deposit', 'withdraw', 'delegateSpl', 'delegatePrivateSpl']);
  const moving = VECTOR_TRANSACTIONS.filter(({ op }) => movers.has(op));

  it.each(moving.map((vector) => [`${vector.id} ${vector.op}`, vector] as const))(
    'moves the amount of %s between the owner and the private balance',
    (_, vector) => {
      const amount = BigInt(vector.input['amount'] as string);
      const [base, ephemeral] = vector.op === 'withdraw' ? [amount, -amount] : [-amount, amount];
      const own = movedTokens(vector).filter((total) => total.owner === vector.input['owner']);
      expect(own.map(({ location, change, mint }) => [location, change, mint]).toSorted()).toEqual([
        ['base', base, vector.input['mint']],
        ['ephemeral', ephemeral, vector.input['mint']],
      ]);
    },
  );

  const transfers = VECTOR_TRANSACTIONS.filter(({ op }) => op === 'transfer');

  it.each(transfers.map((vector) => [vector.id, vector] as const))(
    'shows the debit of transfer %s and its recipient, unless it is sealed',
    (_, vector) => {
      const { input } = vector;
      const { from, to, fromBalance = 'base', toBalance = 'base', visibility = 'private' } = input;
      const amount = BigInt(input['amount'] as string);
      const isSealed = visibility === 'private' && fromBalance === 'base' && toBalance === 'base';
      const fees =
        (isSealed && input['exactOut'] !== false ? amount / 1_000n : 0n) +
        (input['gasless'] === true ? 200_000n : 0n) +
        (amount * BigInt((input['platformFeeBps'] as number | undefined) ?? 0)) / 10_000n;
      const received = isSealed && input['exactOut'] === false ? amount - amount / 1_000n : amount;
      const tokens = movedTokens(vector);
      const sent = tokens.find((total) => total.owner === from && total.location === fromBalance);
      expect(sent?.change ?? 0n).toBe(-(amount + fees));
      const got = tokens.find((total) =>
        isSealed ? total.held === 'sealed' : total.owner === to && total.location === toBalance,
      );
      expect(got?.change ?? 0n).toBe(received);
    },
  );

  it('sums the exact cost of initializing a mint', () => {
    const vector = VECTOR_TRANSACTIONS.find(({ op }) => op === 'initializeMint') as VectorTransaction;
    const { creations, lamports } = explainVector(vector).effects;
    const rent = creations.reduce((sum, creation) => sum + (creation.lamports ?? 0n), 0n);
    const paid = lamports.find(({ address }) => address === vector.input['payer'])?.change ?? 0n;
    // Measured on the program: 212,447,720 lamports with the fee of 5,000.
    expect(rent - paid + 5_000n).toBe(212_447_720n);
  });

  it.each([
    ['b-pub-0002', 10_109_800n],
    ['b-pub-0003', 5_272_600n],
    ['b-pub-0015', 5_272_600n],
    ['b-pub-0023', 6_811_880n],
  ])('sums the first-time cost of %s', (id, lamports) => {
    const vector = VECTOR_TRANSACTIONS.find((candidate) => candidate.id === id) as VectorTransaction;
    const { effects, accounts } = explainVector(vector);
    const rent = effects.creations.reduce((sum, creation) => sum + (creation.lamports ?? 0n), 0n);
    const moved = effects.lamports.find(({ address }) => address === accounts[0]?.address)?.change ?? 0n;
    expect(rent - moved + 5_000n).toBe(lamports);
  });
});

/** Roles whose account nothing else in the instruction decides. */
const FREE_ROLES = new Set([
  'owner',
  'payer',
  'mint',
  'validator',
  'authority',
  'destinationAta',
  'destinationOwner',
]);

/** Roles that are derived from a mint or validator which not every instruction names. */
const SOMETIMES_FREE_ROLES = new Set(['eata', 'ownerAta', 'queue', 'magicFeeVault']);

describe('an account that is not the derived one', () => {
  it('is found for every account that the instruction determines', () => {
    let replaced = 0;
    for (const vector of VECTOR_TRANSACTIONS.filter(({ level }) => level === 'hosted')) {
      const transaction = decode(vector.transactionBase64);
      for (const call of callsOf(transaction, accountsOf(transaction, new Map()))) {
        if (call.program !== EPHEMERAL_TOKEN_PROGRAM) continue;
        const { form } = matchForm(ephemeralTokenProgram, call) as MatchedForm;
        const namesMint = form.accounts.some(({ role }) => role === 'mint');
        for (let at = 0; at < call.accounts.length; at++) {
          const role = roleAt(form, at);
          if (FREE_ROLES.has(role)) continue;
          if (SOMETIMES_FREE_ROLES.has(role) && (!namesMint || role === 'queue')) continue;
          const accounts = call.accounts.map((meta, index) => ({
            ...meta,
            address: (index === at ? thief : meta.address) as Address,
          }));
          const changed = transactionOf({ programId: call.program, accounts, data: call.data });
          expect(codes(explain(changed)), `${vector.id} ${form.action} ${role}`).toContain('WRONG_ACCOUNT');
          replaced++;
        }
      }
    }
    expect(replaced).toBeGreaterThan(800);
  });
});

describe('a dangerous instruction', () => {
  const ata = deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address;
  const token = (data: Uint8Array, ...accounts: Instruction['accounts'][number][]): Instruction => ({
    programId: TOKEN_PROGRAM,
    accounts,
    data,
  });

  it.each<[string, Instruction, string, RegExp]>([
    [
      'an unknown program',
      { programId: thief, accounts: [writable(owner)], data: u8(1) },
      'UNKNOWN_PROGRAM',
      /^UNKNOWN PROGRAM/,
    ],
    [
      'an unknown tag of a known program',
      { programId: EPHEMERAL_TOKEN_PROGRAM, accounts: [], data: u8(201) },
      'UNKNOWN_INSTRUCTION',
      /^UNKNOWN INSTRUCTION/,
    ],
    [
      'a known tag with an extra byte',
      { ...transferLamports(owner, thief, 1n), data: concat(transferLamports(owner, thief, 1n).data, u8(0)) },
      'UNKNOWN_INSTRUCTION',
      /system program/,
    ],
    [
      'a known tag with an extra account',
      {
        ...transferLamports(owner, thief, 1n),
        accounts: [writableSigner(owner), writable(thief), writable(key(3))],
      },
      'UNKNOWN_INSTRUCTION',
      /system program/,
    ],
    [
      'an approval',
      token(concat(u8(4), u64(5n)), writable(ata), writable(thief), signer(owner)),
      'DANGEROUS_INSTRUCTION',
      /can from now on take up to/,
    ],
    [
      'a change of authority',
      token(concat(u8(6), u8(2), u8(0)), writable(ata), signer(owner)),
      'DANGEROUS_INSTRUCTION',
      /no one, forever/,
    ],
    [
      'a closing in favor of someone else',
      closeTokenAccount(TOKEN_PROGRAM, { account: ata, destination: thief, authority: owner }),
      'DANGEROUS_INSTRUCTION',
      /all its lamports/,
    ],
    [
      'a burning',
      token(concat(u8(8), u64(5n)), writable(ata), writable(USDC_MINT), signer(owner)),
      'DANGEROUS_INSTRUCTION',
      /0\.000005 USDC .* are destroyed/,
    ],
    [
      'a wallet assigned to a program',
      {
        programId: SYSTEM_PROGRAM,
        accounts: [writableSigner(owner)],
        data: concat(u32(1), new Uint8Array(32).fill(66)),
      },
      'DANGEROUS_INSTRUCTION',
      /assigned to program/,
    ],
    [
      'a durable nonce',
      {
        programId: SYSTEM_PROGRAM,
        accounts: [writable(key(4)), writable(key(5)), signer(owner)],
        data: u32(4),
      },
      'DANGEROUS_INSTRUCTION',
      /durable nonce/,
    ],
  ])('%s', (_, instruction, code, words) => {
    const explained = explain(transactionOf(instruction), [owner], [USDC_MINT]);
    expect(explained.findings.map((finding) => [finding.level, finding.code])).toContainEqual([
      'danger',
      code,
    ]);
    expect(explained.calls[0]?.text).toMatch(words);
  });

  it("is not the closing of the signer's own wrapped SOL", () => {
    const account = deriveAta(owner, NATIVE_MINT, TOKEN_PROGRAM).address;
    const close = closeTokenAccount(TOKEN_PROGRAM, { account, destination: owner, authority: owner });
    expect(codes(explain(transactionOf(close), [], [NATIVE_MINT]))).toEqual([]);
  });
});

describe('effects', () => {
  it('lists a transfer separately if its mint and owners are unknown', () => {
    const transfer = transferTokens(
      TOKEN_PROGRAM,
      { source: key(1), destination: key(2), authority: owner },
      9n,
    );
    const { effects, calls } = explain(transactionOf(transfer));
    expect(
      effects.tokens.map(({ account, owner: who, mint, change }) => [account, who, mint, change]),
    ).toEqual([
      [key(1), null, null, -9n],
      [key(2), null, null, 9n],
    ]);
    expect(calls[0]?.text).toContain('9 base units of a mint that the bytes do not name');
  });

  it('nets lamports that are sent back and forth to zero', () => {
    const { effects } = explain(
      transactionOf(transferLamports(owner, thief, 5n), transferLamports(owner, key(3), 2n)),
    );
    expect(effects.lamports).toEqual([
      { address: owner, change: -7n },
      { address: thief, change: 5n },
      { address: key(3), change: 2n },
    ]);
  });

  it.each<[string, Instruction[], bigint]>([
    ['a signature', [], 5_000n],
    ['a priority fee with the default limit', [budget(concat(u8(3), u64(1_000_000n)))], 208_000n],
    [
      'a priority fee with an explicit limit',
      [budget(concat(u8(3), u64(1_500n))), budget(concat(u8(2), u32(1_001)))],
      5_002n,
    ],
    [
      'at most the maximum limit',
      [budget(concat(u8(3), u64(1_000_000n))), budget(concat(u8(2), u32(0xffff_ffff)))],
      1_405_000n,
    ],
  ])('counts %s into the network fee', (_, budgets, fee) => {
    const transaction = transactionOf(...budgets, transferLamports(owner, thief, 1n));
    expect(networkFeeMax(transaction, callsOf(transaction, accountsOf(transaction, new Map())))).toBe(fee);
  });
});

function budget(data: Uint8Array): Instruction {
  return { programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
}
