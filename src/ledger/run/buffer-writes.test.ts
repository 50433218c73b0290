import { describe, expect, it } from 'vitest';
import {
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
} from '../../programs/addresses.ts';
import { transferLamports } from '../../programs/system.ts';
import type { Account } from '../../solana/account.ts';
import { addressBytes, addressOf, type Address } from '../../solana/address.ts';
import type { AccountMeta, Instruction } from '../../solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../solana/message.ts';
import { decodeTransaction, type Transaction } from '../../solana/transaction.ts';
import type { Engine } from '../engine/engine.ts';
import { knownFeatures, mainnetFeatures } from '../engine/features.ts';
import { LiteSvmEngine } from '../engine/litesvm-engine.ts';
import { programAccounts } from '../genesis/program-accounts.ts';
import { loadBuiltins } from '../initial-state.ts';
import { Keypair } from '../keypair.ts';
import { isInPieces } from '../state/account-data.ts';
import { Accounts } from '../state/accounts.ts';
import { isDifferent } from '../state/differences.ts';
import { buildV0 } from '../testing/build-v0.ts';
import { lookupTable } from '../testing/lookup-table.ts';
import { accountOf } from '../testing/make-account.ts';
import { nonceAccount } from '../testing/nonce-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { slotAges } from '../testing/slot-ages.ts';
import { resolveAccountKeys } from './account-keys.ts';
import { changedAccounts } from './account-states.ts';
import { Executor, type Outcome } from './executor.ts';

const random = new SeededRandom('buffer writes');
const SIZE = 100_000;
const SOL = 1_000_000_000n;
/** What a write takes, and a request of the compute budget. */
const [WRITE_UNITS, REQUEST_UNITS] = [2_370, 150];

const alice = new Keypair(random.bytes(32));
const newAddress = (): Address => addressOf(random.bytes(32));
const [bob, poor, poorer, early, absent, nonce, other, table] = Array.from({ length: 8 }, newAddress) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const [large, bobs, poors, small, bare, immutable, blank, foreign, late, below, marked, selfish] = Array.from(
  { length: 12 },
  newAddress,
) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const code = programAccounts(other, random.bytes(500), alice.address);
const [[programData], [program]] = code;

function bufferOf(authority: Address | null, size: number): Account {
  const data = new Uint8Array(37 + size).fill(7, 37);
  data[0] = 1;
  if (authority !== null) data.set([1, ...addressBytes(authority)], 4);
  return accountOf(BPF_LOADER_UPGRADEABLE, data);
}

const wallet = (lamports: bigint): Account => accountOf(SYSTEM_PROGRAM, new Uint8Array(0), lamports);

const SCENE: readonly (readonly [Address, Account])[] = [
  [alice.address, wallet(10n * SOL)],
  [bob, wallet(10n * SOL)],
  [poor, wallet(5_000n)],
  [poorer, wallet(16_000n)],
  [early, { ...wallet(SOL), rentEpoch: 0n }],
  [nonce, { ...nonceAccount(alice.address, random.bytes(32)), lamports: SOL }],
  [large, bufferOf(alice.address, SIZE)],
  [bobs, bufferOf(bob, SIZE)],
  [poors, bufferOf(poor, SIZE)],
  [small, bufferOf(alice.address, 20)],
  [bare, bufferOf(alice.address, 0)],
  [immutable, bufferOf(null, SIZE)],
  [blank, accountOf(BPF_LOADER_UPGRADEABLE, new Uint8Array(1_000))],
  [foreign, { ...bufferOf(alice.address, 1_000), owner: BPF_LOADER_2 }],
  [late, { ...bufferOf(alice.address, 1_000), rentEpoch: 0n }],
  [below, { ...bufferOf(alice.address, 1_000), lamports: 1_000n }],
  [marked, { ...bufferOf(alice.address, 1_000), data: bufferOf(alice.address, 1_000).data.fill(2, 4, 5) }],
  [selfish, bufferOf(selfish, 1_000)],
  ...code,
  [table, lookupTable([large, alice.address, bobs, programData])],
];
const BUFFERS = [
  large,
  bobs,
  poors,
  small,
  bare,
  immutable,
  blank,
  foreign,
  late,
  below,
  marked,
  selfish,
  absent,
];
const UNUSUAL = [programData, program, BPF_LOADER_UPGRADEABLE, alice.address];

/** An executor that may run writes itself, beside one that leaves them to the same engine. */
function openBoth({ features, isFree = false }: { features?: ReadonlySet<Address>; isFree?: boolean } = {}) {
  const engine = new LiteSvmEngine({ features });
  const accounts = new Accounts();
  loadBuiltins(engine, accounts);
  const set = (address: Address, account: Account): void => {
    engine.setAccount(address, account);
    accounts.set(address, account);
  };
  for (const entry of SCENE) set(...entry);
  let runs = 0;
  const counted: Engine = {
    builtinAccounts: () => engine.builtinAccounts(),
    setAccount: (...entry) => engine.setAccount(...entry),
    hasValidSignatures: (transaction) => engine.hasValidSignatures(transaction),
    run(transaction, blockhash) {
      runs++;
      return engine.run(transaction, blockhash);
    },
  };
  const executor = new Executor(counted, accounts, { isFree });
  // With a limit on logs, here one that is never reached, the engine runs everything.
  const reference = new Executor(engine, accounts, { isFree, limits: { logBytes: 2 ** 31 } });
  const run = (by: Executor, transaction: Transaction): Outcome | unknown[] => {
    try {
      const keys = resolveAccountKeys(transaction, accounts, slotAges(2_000));
      return by.execute(transaction, keys, new Uint8Array(32), null);
    } catch (error) {
      return [(error as Error).message];
    }
  };
  return {
    set,
    /** Runs it both ways and compares all that came of it; `keep` keeps what did. */
    compare(transaction: Transaction, keep = false) {
      const before = runs;
      const [outcome, expected] = [run(executor, transaction), run(reference, transaction)];
      if (Array.isArray(outcome) || Array.isArray(expected)) {
        expect(outcome).toEqual(expected);
        return { isOwn: false, err: 'rejected' };
      }
      expect(outcome.execution).toEqual(expected.execution);
      expect(outcome.charged).toBe(expected.charged);
      expect(differing(outcome.before, expected.before)).toEqual([]);
      expect(differing(outcome.after, expected.after)).toEqual([]);
      if (keep) {
        const keys = resolveAccountKeys(transaction, accounts, slotAges(2_000));
        for (const [address, account] of changedAccounts(keys, outcome.before, outcome.after)) {
          set(address, isInPieces(account) ? account : copyOf(account));
        }
      }
      return { isOwn: runs === before && outcome.charged, err: outcome.execution.err };
    },
  };
}

/** Without what the engine has behind it. */
const copyOf = ({ lamports, owner, data, executable, rentEpoch }: Account): Account => ({
  lamports,
  owner,
  data,
  executable,
  rentEpoch,
});

/** Where two lists of accounts are not the same byte for byte. */
function differing(some: Outcome['after'], others: Outcome['after']): number[] {
  const indices = Array.from({ length: Math.max(some.length, others.length) }, (_, index) => index);
  return indices.filter((index) => {
    const [one, another] = [some[index], others[index]];
    if (one === undefined || another === undefined) return one !== another;
    return isDifferent(one, another);
  });
}

interface Request {
  readonly authority?: Address;
  readonly at?: number;
  readonly bytes?: Uint8Array;
  readonly isSigned?: boolean;
  readonly isWritable?: boolean;
  readonly more?: readonly AccountMeta[];
}

function write(buffer: Address, request: Request = {}): Instruction {
  const { authority = alice.address, at = 0, bytes = Uint8Array.of(1, 2, 3), more = [] } = request;
  const head = Buffer.alloc(16);
  head.writeUInt32LE(1);
  head.writeUInt32LE(at, 4);
  head.writeUInt32LE(bytes.length, 8);
  return {
    programId: BPF_LOADER_UPGRADEABLE,
    accounts: [
      { address: buffer, signer: false, writable: request.isWritable ?? true },
      { address: authority, signer: request.isSigned ?? true, writable: false },
      ...more,
    ],
    data: Buffer.concat([head, bytes]),
  };
}

function budget(tag: number, value: number): Instruction {
  const data = Buffer.alloc(tag === 3 ? 9 : 5);
  data[0] = tag;
  data.writeUInt32LE(value, 1);
  return { programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
}

function build(feePayer: Address, ...instructions: Instruction[]): Transaction {
  const blockhash = new Uint8Array(32);
  return decodeTransaction(
    encodeUnsignedTransaction(compileLegacyMessage({ feePayer, blockhash, instructions })),
  );
}

const withData = (instruction: Instruction, data: Uint8Array): Instruction => ({ ...instruction, data });
const data = write(large).data;

/** Loaded from the table: 0 is the large buffer, 1 alice, 2 bob's buffer. */
function loaded(writable: readonly number[], readonly: readonly number[], buffer: number, signer: number) {
  return buildV0({
    payer: alice,
    keys: [COMPUTE_BUDGET_PROGRAM, BPF_LOADER_UPGRADEABLE],
    readonlyCount: 2,
    blockhash: new Uint8Array(32),
    instructions: [
      { program: 1, accounts: [], data: budget(3, 1_000).data },
      { program: 2, accounts: [buffer, signer], data },
    ],
    lookups: [{ table, writable, readonly }],
  });
}

type Case = readonly [what: string, transaction: Transaction, err: unknown];
const failed = (index: number, what: unknown) => ({ InstructionError: [index, what] });

/** Those that are run without the engine. */
const OWN: readonly Case[] = [
  ['one write', build(alice.address, write(large)), null],
  ['a write of nothing', build(alice.address, write(large, { bytes: new Uint8Array(0) })), null],
  ['a write of what is there', build(alice.address, write(large, { bytes: Uint8Array.of(7, 7) })), null],
  ['a write of the last bytes', build(alice.address, write(large, { at: SIZE - 3 })), null],
  ['a write across two pieces', build(alice.address, write(large, { at: 8_192 - 38 })), null],
  [
    'several writes, of which later ones cover earlier ones',
    build(
      alice.address,
      write(large, { at: 5, bytes: new Uint8Array(300).fill(1) }),
      write(small),
      write(large, { at: 100, bytes: new Uint8Array(300).fill(2) }),
    ),
    null,
  ],
  [
    'a write as the command line sends it',
    build(alice.address, budget(3, 5), budget(2, 2_670), write(large)),
    null,
  ],
  [
    'just as many compute units as it takes',
    build(alice.address, budget(2, REQUEST_UNITS + WRITE_UNITS), write(large)),
    null,
  ],
  ['another fee payer', build(bob, write(large)), null],
  ['a fee payer whose last lamports go', build(poor, write(poors, { authority: poor })), null],
  ['a fee payer with less than its rent', build(poorer, write(large)), null],
  ['a fee payer that is a nonce account', build(nonce, write(large)), null],
  ['a buffer that is its own authority', build(alice.address, write(selfish, { authority: selfish })), null],
  ['a buffer with less than its rent', build(alice.address, write(below)), null],
  ['a buffer from a lookup table', loaded([0], [], 3, 0), null],
];

/** Those that are the engine's. */
const ENGINES: readonly Case[] = [
  ['nothing but requests', build(alice.address, budget(2, 500)), null],
  ['a memo besides', build(alice.address, write(large), memo()), null],
  ['a transfer besides', build(alice.address, transferLamports(alice.address, bob, 5n), write(large)), null],
  ['another authority', build(alice.address, write(bobs)), failed(0, 'IncorrectAuthority')],
  [
    'an authority that did not sign',
    build(bob, write(large, { isSigned: false })),
    failed(0, 'MissingRequiredSignature'),
  ],
  [
    'a write past the end',
    build(alice.address, write(large, { at: SIZE - 2 })),
    failed(0, 'AccountDataTooSmall'),
  ],
  [
    'a write far past the end',
    build(alice.address, write(large, { at: 2 ** 32 - 1 })),
    failed(0, 'AccountDataTooSmall'),
  ],
  [
    'a buffer that is read-only',
    build(alice.address, write(large, { isWritable: false })),
    failed(0, 'ReadonlyDataModified'),
  ],
  ['a read-only buffer from a lookup table', loaded([], [0], 3, 0), failed(1, 'ReadonlyDataModified')],
  ['an authority from a lookup table', loaded([0], [1], 3, 4), 'rejected'],
  ['a buffer nobody may write', build(alice.address, write(immutable)), failed(0, 'Immutable')],
  ['a buffer that was not initialised', build(alice.address, write(blank)), failed(0, 'InvalidAccountData')],
  ['what is not there', build(alice.address, write(absent)), failed(0, 'InvalidAccountData')],
  ['ProgramData', build(alice.address, write(programData)), failed(0, 'InvalidAccountData')],
  ['a program', build(alice.address, write(program)), failed(0, 'InvalidAccountData')],
  [
    'an account of another loader',
    build(alice.address, write(foreign)),
    failed(0, 'ExternalAccountDataModified'),
  ],
  ['a buffer that is no valid state', build(alice.address, write(marked)), failed(0, 'InvalidAccountData')],
  // The engine marks them.
  ['a buffer that is not marked as rent-exempt', build(alice.address, write(late)), null],
  ['a fee payer that is not marked as rent-exempt', build(early, write(large)), null],
  ['the fee payer as buffer', build(alice.address, write(alice.address)), failed(0, 'InvalidAccountData')],
  [
    'one compute unit too few',
    build(alice.address, budget(2, REQUEST_UNITS + WRITE_UNITS - 1), write(large)),
    failed(1, 'ComputationalBudgetExceeded'),
  ],
  [
    'a second write that fails',
    build(alice.address, write(large), write(small, { at: 18 })),
    failed(1, 'AccountDataTooSmall'),
  ],
  ['a limit of loaded bytes', build(alice.address, budget(4, 200_000), write(large)), null],
  [
    'a limit of loaded bytes that is too low',
    build(alice.address, budget(4, 10_000), write(large)),
    'MaxLoadedAccountsDataSizeExceeded',
  ],
  ['a request of heap', build(alice.address, budget(1, 65_536), write(large)), null],
  ['a third account', build(alice.address, write(large, { more: [meta(bob)] })), null],
  ['no accounts', build(alice.address, { ...write(large), accounts: [] }), failed(0, 'MissingAccount')],
  [
    'bytes behind what is written',
    build(alice.address, withData(write(large), Buffer.concat([data, data]))),
    null,
  ],
  [
    'fewer bytes than it says',
    build(alice.address, withData(write(large), data.subarray(0, 18))),
    failed(0, 'InvalidInstructionData'),
  ],
  [
    'no data',
    build(alice.address, withData(write(large), data.subarray(0, 0))),
    failed(0, 'InvalidInstructionData'),
  ],
  ['a payer with too few lamports', build(poor, write(bobs, { authority: bob })), 'InsufficientFundsForFee'],
  ['a payer without lamports', build(absent, write(bobs, { authority: bob })), 'AccountNotFound'],
  [
    'the same request twice',
    build(alice.address, budget(2, 9), budget(2, 9), write(large)),
    { DuplicateInstruction: 1 },
  ],
];

function memo(): Instruction {
  return { programId: MEMO_PROGRAM, accounts: [], data: Buffer.from('memo') };
}

function meta(address: Address): AccountMeta {
  return { address, signer: false, writable: false };
}

describe('a transaction of writes to buffers', () => {
  it.each(OWN)('comes to what it comes to on the engine, without it: %s', (_, transaction, err) => {
    expect(openBoth().compare(transaction)).toEqual({ isOwn: true, err });
  });

  it.each(ENGINES)(
    "is the engine's where it is not sure to succeed, or unusual: %s",
    (_, transaction, err) => {
      expect(openBoth().compare(transaction)).toEqual({ isOwn: false, err });
    },
  );

  it("is the engine's where it loads more than a transaction may", () => {
    const { set, compare } = openBoth();
    const buffers = Array.from({ length: 7 }, newAddress);
    for (const address of buffers) set(address, bufferOf(alice.address, 10 * 1024 * 1024 - 37));
    const err = 'MaxLoadedAccountsDataSizeExceeded';
    expect(compare(build(alice.address, ...buffers.map((each) => write(each))))).toEqual({
      isOwn: false,
      err,
    });
  });

  it.each([
    ['mainnet', mainnetFeatures()],
    ['all there are', knownFeatures()],
    ['none', new Set<Address>()],
  ])('comes to the same both ways, whatever it is made of, with the features of %s', (_, features) => {
    const both = openBoth({ features });
    let own = 0;
    for (let round = 0; round < 500; round++) {
      if (both.compare(randomTransaction(), random.integer(2) === 0).isOwn) own++;
    }
    expect(own).toBeGreaterThan(100);
    expect(own).toBeLessThan(400);
  });

  it('comes to the same both ways on a ledger that charges nothing', () => {
    const both = openBoth({ isFree: true });
    let own = 0;
    for (let round = 0; round < 300; round++) {
      if (both.compare(randomTransaction(), random.integer(2) === 0).isOwn) own++;
    }
    expect(own).toBeGreaterThan(60);
  });
});

const pick = <T>(from: readonly T[]): T => from[random.integer(from.length)] as T;
const oneIn = (count: number): boolean => random.integer(count) === 0;

function randomTransaction(): Transaction {
  if (oneIn(10)) {
    const [first, second] = [random.integer(3), random.integer(3)];
    return oneIn(2) ? loaded([first], [second], 3, 0) : loaded([first], [], pick([0, 3]), pick([0, 0, 0, 3]));
  }
  const instructions = Array.from({ length: 1 + random.integer(3) }, randomWrite);
  if (oneIn(3)) instructions.unshift(budget(3, random.integer(1_000_000)));
  if (oneIn(3)) instructions.unshift(budget(2, 2_000 + random.integer(8_000)));
  if (oneIn(30)) instructions.push(budget(1 + random.integer(4), 32_768 + random.integer(9) * 512));
  if (oneIn(30)) instructions.push(memo());
  const payer = oneIn(4) ? pick([bob, poor, poorer, early, absent, nonce, large]) : alice.address;
  return build(payer, ...instructions);
}

function randomWrite(): Instruction {
  const usual = pick([large, large, large, small, bobs]);
  const buffer = oneIn(6) ? pick(oneIn(4) ? UNUSUAL : BUFFERS) : usual;
  const size = buffer === small ? 20 : SIZE;
  const bytes = random.bytes(random.integer(buffer === small ? 12 : 150));
  const authority = oneIn(20)
    ? pick([alice.address, bob, poor, selfish, buffer])
    : buffer === bobs
      ? bob
      : alice.address;
  const instruction = write(buffer, {
    authority,
    at: oneIn(12)
      ? Math.max(0, size - random.integer(200) + 100)
      : random.integer(Math.max(1, size - bytes.length)),
    bytes,
    isSigned: !oneIn(30),
    isWritable: !oneIn(20),
    more: oneIn(40) ? [meta(pick([bob, programData]))] : [],
  });
  if (!oneIn(25)) return instruction;
  const { length } = instruction.data;
  return withData(
    instruction,
    Buffer.concat([instruction.data, random.bytes(3)]).subarray(0, random.integer(length + 3)),
  );
}
