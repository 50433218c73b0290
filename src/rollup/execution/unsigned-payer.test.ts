import { expect, it } from 'vitest';
import type { Engine, EngineRun, ExecutedAccount } from '../../ledger/engine/engine.ts';
import { LiteSvmEngine } from '../../ledger/engine/litesvm-engine.ts';
import { loadBuiltins } from '../../ledger/initial-state.ts';
import { Keypair } from '../../ledger/keypair.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import { Accounts } from '../../ledger/state/accounts.ts';
import { accountOf } from '../../ledger/testing/make-account.ts';
import { buildTransaction, emptyGenesis, openTestLedger } from '../../ledger/testing/test-ledger.ts';
import {
  EPHEMERAL_TOKEN_PROGRAM,
  EPHEMERAL_VAULT,
  MAGIC_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
} from '../../programs/addresses.ts';
import { deriveGroupReceipt } from '../../programs/ephemeral-token/pdas.ts';
import { QUEUE_TABLE } from '../../programs/ephemeral-token/table/queue.ts';
import { concat, u32, u64 } from '../../programs/instruction-data.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressBytes, addressOf } from '../../solana/address.ts';
import { type Instruction, readonly, writable } from '../../solana/instruction.ts';
import { isStaticKeyWritable, type Transaction } from '../../solana/transaction.ts';
import { itemEntry } from '../books/item.ts';
import { EPHEMERAL } from '../books/items.ts';
import { MirrorEngine } from '../overlay/overlay.ts';
import { Projections } from '../projection/projections.ts';
import { RollupRules } from './rollup-rules.ts';

/*
 * Goal: a payment that its payer has not signed gives the same result whether or not its receipt
 * exists. Method: two worlds that differ only in the receipt, and a program that pays from its own account
 * for anyone. The results and the numbers of engine runs are compared.
 */

const address = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));
const [queue, purse] = [address(1), address(3)];
const stranger = new Keypair(new Uint8Array(32).fill(9));

const GROUP_ID = 7;

const receiptOf = (payer: Address): Address => deriveGroupReceipt(queue, payer, GROUP_ID).address;

/** A call of the program, which names the accounts of the payment it makes. */
const payOut = (receipt: Address): Instruction => ({
  programId: MEMO_PROGRAM,
  accounts: [
    readonly(queue),
    readonly(purse),
    writable(receipt),
    writable(EPHEMERAL_VAULT),
    readonly(MAGIC_PROGRAM),
    readonly(EPHEMERAL_TOKEN_PROGRAM),
  ],
  data: new Uint8Array(0),
});

/** The relevant data of the program's payment: tag, amount, group. */
const PAYMENT = concat(Uint8Array.of(16), u64(5n), u32(GROUP_ID).subarray(0, 3));

const CREATE = concat(u32(12), u32(104));

/** An engine whose program makes a payment, which succeeds if the receipt is writable. */
class PayingEngine implements Engine {
  readonly #engine = new LiteSvmEngine();
  readonly #accounts = new Map<Address, Account>();
  readonly #payer: Address;
  readonly #receipt: Address;
  runs = 0;

  constructor(payer: Address) {
    this.#payer = payer;
    this.#receipt = receiptOf(payer);
  }

  builtinAccounts(): ReturnType<Engine['builtinAccounts']> {
    return this.#engine.builtinAccounts();
  }

  hasValidSignatures(transaction: Transaction): boolean {
    return this.#engine.hasValidSignatures(transaction);
  }

  setAccount(at: Address, account: Account): void {
    if (account.lamports === 0n) this.#accounts.delete(at);
    else this.#accounts.set(at, account);
  }

  run(transaction: Transaction, _: Uint8Array, addresses: readonly Address[]): EngineRun {
    this.runs++;
    const receipt = this.#receipt;
    const held = this.#accounts.get(receipt);
    const err = held === undefined ? ({ InstructionError: [0, 'InvalidAccountData'] } as const) : null;
    const indexOf = (each: Address): number => addresses.indexOf(each);
    const roles: Readonly<Record<string, Address>> = { owner: this.#payer, receipt };
    const payment = QUEUE_TABLE.queueTransfer.accounts.map(({ role }) => indexOf(roles[role] ?? queue));
    const inner = [
      { program: EPHEMERAL_TOKEN_PROGRAM, accounts: payment, data: PAYMENT, stackHeight: 2 },
      { program: MAGIC_PROGRAM, accounts: [queue, receipt].map(indexOf), data: CREATE, stackHeight: 3 },
    ];
    const written = held && { ...held, data: new Uint8Array(held.data.length).fill(1) };
    const after = (at: Address): Account => {
      const account = (at === receipt ? written : this.#accounts.get(at)) ?? GONE;
      // An engine always takes its fee.
      return at === addresses[0] ? { ...account, lamports: account.lamports - 5_000n } : account;
    };
    const isWritable = (_address: Address, index: number): boolean => isStaticKeyWritable(transaction, index);
    return {
      err,
      accounts: err === null ? addresses.filter(isWritable).map((each) => executed(each, after(each))) : [],
      logs: [],
      computeUnits: 1,
      returnData: null,
      innerInstructions: [
        {
          index: 0,
          instructions: inner.map(({ program, accounts, ...call }) => ({
            ...call,
            programIdIndex: indexOf(program),
            accounts: Uint8Array.from(accounts),
          })),
        },
      ],
    };
  }
}

const executed = (at: Address, account: Account): ExecutedAccount => ({
  ...account,
  key: addressBytes(at),
});

/** The result of the payment, with or without an existing receipt. */
async function paidOut({ payer, isThere }: { readonly payer: Address; readonly isThere: boolean }) {
  const engine = new PayingEngine(payer);
  const receipt = receiptOf(payer);
  const createBackend = () => {
    const accounts = new Accounts();
    loadBuiltins(engine, accounts);
    const rules = new RollupRules({
      accounts,
      engine: new MirrorEngine(engine),
      projections: new Projections(),
      validator: new Keypair(new Uint8Array(32).fill(5)),
      halted: new Set<Address>(),
    });
    return { engine, accounts, rules };
  };
  const { ledger } = await openTestLedger({ genesis: emptyGenesis, createBackend, lamportsPerSignature: 0 });
  await ledger.setAccounts([
    [stranger.address, accountOf(SYSTEM_PROGRAM, new Uint8Array(0), 1_000_000_000n)],
    [queue, accountOf(EPHEMERAL_TOKEN_PROGRAM, new Uint8Array(192))],
  ]);
  const known = { address: receipt, sponsor: queue, program: EPHEMERAL_TOKEN_PROGRAM, reader: payer };
  if (isThere) {
    await ledger.setAccounts([
      [receipt, accountOf(EPHEMERAL_TOKEN_PROGRAM, new Uint8Array(104))],
      itemEntry(EPHEMERAL, known),
    ]);
  }
  const before = engine.runs;
  const transaction = buildTransaction(ledger, [stranger], [payOut(receipt)]);
  const { err, landed } = await ledger.submit(transaction, { instead: [[receipt, GONE]] });
  return { err, landed, runs: engine.runs - before };
}

it('a payment that its payer has not signed fails in the same way, with the same number of runs, whether or not its receipt exists', async () => {
  const hidden = await paidOut({ payer: purse, isThere: true });
  expect(hidden).toEqual(await paidOut({ payer: purse, isThere: false }));
  expect(hidden).toEqual({ err: { InstructionError: [0, 'InvalidAccountData'] }, landed: true, runs: 1 });
});

it('a payment that a program makes for a payer who has signed gets its receipt', async () => {
  const made = await paidOut({ payer: stranger.address, isThere: false });
  expect(made).toEqual({ err: null, landed: true, runs: 2 });
});
