import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../programs/addresses.ts';
import { transferLamports } from '../programs/system.ts';
import { transferTokens } from '../programs/token/instructions.ts';
import { type Address, addressOf } from '../solana/address.ts';
import type { Instruction } from '../solana/instruction.ts';
import { compileLegacyMessage } from '../solana/message.ts';
import { LiteSvmEngine } from './engine/litesvm-engine.ts';
import { mintAccount } from './genesis/genesis.ts';
import { loadBuiltins } from './initial-state.ts';
import { Keypair, signTransaction } from './keypair.ts';
import type { LedgerListener } from './ledger-events.ts';
import type { LedgerRules } from './run/executor.ts';
import { Accounts, readTokenAmount } from './state/accounts.ts';
import { accountOf, tokenAccount } from './testing/make-account.ts';
import { emptyGenesis, openTestLedger } from './testing/test-ledger.ts';

const address = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));
const [mint, source, destination, note] = [address(1), address(2), address(3), address(4)];
const node = new Keypair(new Uint8Array(32).fill(9));
const wallet = new Keypair(new Uint8Array(32).fill(8)).address;

const walletOf = (lamports: bigint) => accountOf(SYSTEM_PROGRAM, new Uint8Array(0), lamports);

/** A free ledger with a wallet of the node, and what lands there. */
async function open(rules?: LedgerRules) {
  const createBackend = () => {
    const engine = new LiteSvmEngine();
    const accounts = new Accounts();
    loadBuiltins(engine, accounts);
    return { engine, accounts, ...(rules === undefined ? {} : { rules }) };
  };
  const { ledger } = await openTestLedger({ genesis: emptyGenesis, createBackend, lamportsPerSignature: 0 });
  await ledger.setAccounts([
    [node.address, walletOf(1_000_000_000n)],
    [mint, mintAccount(null, 6)],
  ]);
  const events: Parameters<LedgerListener>[0][] = [];
  ledger.subscribe((event) => events.push(event));
  /** Builds a transaction without the signatures of wallets. */
  const build = (...instructions: Instruction[]) =>
    signTransaction(
      compileLegacyMessage({ feePayer: node.address, blockhash: new Uint8Array(32), instructions }),
      [node],
    );
  return { ledger, events, build };
}

const payment = (amount: bigint) =>
  transferTokens(TOKEN_PROGRAM, { source, destination, authority: wallet }, amount);

describe('a transaction of the node itself', () => {
  const first = [
    [source, tokenAccount({ mint, owner: wallet }, 100n)],
    [destination, tokenAccount({ mint, owner: wallet }, 1n)],
  ] as const;
  const effects = { first, logs: ['a line'], also: [[note, walletOf(5n)]] as const };

  it('runs on the accounts passed with it, unsigned and with any blockhash, in one commit', async () => {
    const { ledger, events, build } = await open();
    const { err, signature, written } = ledger.perform(build(payment(30n)), effects);
    expect(err).toBeNull();
    await written;
    const amounts = [source, destination].map((each) =>
      readTokenAmount(ledger.getAccount(each)?.data as Uint8Array),
    );
    expect(amounts).toEqual([70n, 31n]);
    expect(ledger.getAccount(note)?.lamports).toBe(5n);
    expect(ledger.getTransaction(signature)?.logs.at(-1)).toBe('a line');
    expect(events).toHaveLength(1);
    const [{ changes } = { changes: [] }] = events;
    expect(changes.map((change) => [change.address, change.before])).toEqual([
      [source, null],
      [destination, null],
      [note, null],
    ]);
  });

  it('changes nothing when it fails, and returns the error', async () => {
    const { ledger, events, build } = await open();
    await ledger.setAccounts([[destination, walletOf(7_000_000n)]]);
    const { err, logs, signature, written } = ledger.perform(build(payment(101n)), effects);
    await written;
    expect(err).toEqual({ InstructionError: [0, { Custom: 1 }] });
    expect(logs.join()).toContain('insufficient funds');
    expect(ledger.getTransaction(signature)).toBeNull();
    expect(ledger.getAccount(source)).toBeNull();
    expect(ledger.getAccount(destination)?.lamports).toBe(7_000_000n);
    expect(ledger.getAccount(note)).toBeNull();
    expect(events).toHaveLength(1);
  });

  it('runs on the accounts as they were after one that failed', async () => {
    const { ledger, build } = await open();
    ledger.perform(build(payment(101n)), effects);
    const { err } = ledger.perform(build(transferLamports(node.address, source, 7_000_000n)), {
      first: [],
      logs: [],
      also: [],
    });
    expect(err).toBeNull();
    expect(ledger.getAccount(source)).toMatchObject({ lamports: 7_000_000n, owner: SYSTEM_PROGRAM });
  });
});

describe('accounts that the rules of a ledger supply', () => {
  const unused = address(5);
  const supplied: LedgerRules = {
    admit: () => null,
    check: (_, { addresses }, { before, after, supplied: made }) => {
      const at = addresses.indexOf(destination);
      expect([before[at], after[at] === undefined, made?.has(destination)]).toEqual([undefined, false, true]);
      return { also: [] };
    },
    supply: (_, __, { execution: { err } }) =>
      err === null
        ? []
        : [
            [destination, tokenAccount({ mint, owner: wallet }, 0n)],
            [unused, walletOf(1_000_000n)],
          ],
  };

  it('exist for the run, and stay if it wrote them', async () => {
    const { ledger, build } = await open(supplied);
    await ledger.setAccounts([[source, tokenAccount({ mint, owner: wallet }, 100n)]]);
    const named = transferLamports(node.address, node.address, 0n);
    const also = {
      ...named,
      accounts: [...named.accounts, { address: unused, signer: false, writable: true }],
    };
    const { err, signature, written } = ledger.perform(build(also, payment(30n)), {
      first: [],
      logs: [],
      also: [],
    });
    await written;
    expect(err).toBeNull();
    expect(readTokenAmount(ledger.getAccount(destination)?.data as Uint8Array)).toBe(30n);
    expect(ledger.getAccount(unused)).toBeNull();
    const { preBalances, postBalances } = ledger.getTransaction(signature) as NonNullable<
      ReturnType<typeof ledger.getTransaction>
    >;
    // The wallet that signs has none either.
    expect(preBalances.filter((lamports) => lamports === 0n)).toHaveLength(3);
    expect(postBalances.filter((lamports) => lamports === 0n)).toHaveLength(2);
  });

  it('are dropped when the run fails', async () => {
    const { ledger, build } = await open(supplied);
    await ledger.setAccounts([[source, tokenAccount({ mint, owner: wallet }, 100n)]]);
    const { err } = ledger.perform(build(payment(101n)), { first: [], logs: [], also: [] });
    expect(err).toEqual({ InstructionError: [0, { Custom: 1 }] });
    expect(ledger.getAccount(destination)).toBeNull();
  });
});
