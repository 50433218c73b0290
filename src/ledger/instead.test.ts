import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../programs/addresses.ts';
import { transferLamports } from '../programs/system.ts';
import { transferTokens } from '../programs/token/instructions.ts';
import { type Address, addressOf } from '../solana/address.ts';
import { LiteSvmEngine } from './engine/litesvm-engine.ts';
import { mintAccount } from './genesis/genesis.ts';
import { loadBuiltins } from './initial-state.ts';
import { Keypair } from './keypair.ts';
import { PREFLIGHT } from './ledger.ts';
import { GONE } from './run/account-states.ts';
import type { LedgerRules } from './run/executor.ts';
import { Accounts, readTokenAmount } from './state/accounts.ts';
import { accountOf, tokenAccount } from './testing/make-account.ts';
import { buildTransaction, emptyGenesis, openTestLedger } from './testing/test-ledger.ts';

const address = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));
const [mint, source, destination] = [address(1), address(2), address(3)];
const wallet = new Keypair(new Uint8Array(32).fill(9));
const walletOf = (lamports: bigint) => accountOf(SYSTEM_PROGRAM, new Uint8Array(0), lamports);
const tokensOf = (amount: bigint) => tokenAccount({ mint, owner: wallet.address }, amount);

/** Makes a token account where a run does not find one. */
const MAKING: LedgerRules = {
  admit: () => null,
  supply: (_, __, { execution: { err } }) => (err === null ? [] : [[destination, tokensOf(0n)]]),
  check: () => ({ also: [] }),
};

/** A free ledger on which the destination holds 7 base units, or what else is there. */
async function open(held = tokensOf(7n)) {
  const createBackend = () => {
    const engine = new LiteSvmEngine();
    const accounts = new Accounts();
    loadBuiltins(engine, accounts);
    return { engine, accounts, rules: MAKING };
  };
  const { ledger } = await openTestLedger({ genesis: emptyGenesis, createBackend, lamportsPerSignature: 0 });
  await ledger.setAccounts([
    [wallet.address, walletOf(1_000_000_000n)],
    [mint, mintAccount(null, 6)],
    [source, tokensOf(100n)],
    [destination, held],
  ]);
  const payment = transferTokens(TOKEN_PROGRAM, { source, destination, authority: wallet.address }, 30n);
  const tokens = (at: Address) => readTokenAmount(ledger.getAccount(at)?.data as Uint8Array);
  return { ledger, payment, tokens };
}

describe('an account that is hidden from a transaction', () => {
  const instead = [[destination, GONE]] as const;

  it.each([null, () => {}])(
    'is not created again by the rules of the ledger (preflight: %o)',
    async (preflight) => {
      const { ledger, payment, tokens } = await open();
      const transaction = buildTransaction(ledger, [wallet], [payment]);
      // A simulation runs as if nothing were there, so that it does not tell that something is.
      expect(ledger.simulate(transaction, { ...PREFLIGHT, instead }).err).toBeNull();
      const { err } = await ledger.submit(transaction, { preflight, instead });
      expect(err).toEqual({ InstructionError: [0, 'InvalidAccountData'] });
      expect([tokens(source), tokens(destination)]).toEqual([100n, 7n]);
    },
  );

  it.each([null, () => {}])('is not written by the run (preflight: %o)', async (preflight) => {
    const { ledger } = await open(walletOf(5_000_000n));
    const gift = transferLamports(wallet.address, destination, 2_000_000n);
    const transaction = buildTransaction(ledger, [wallet], [gift]);
    const { err, landed } = await ledger.submit(transaction, { preflight, instead });
    expect([err, landed]).toEqual(['InvalidWritableAccount', true]);
    expect(ledger.getAccount(destination)?.lamports).toBe(5_000_000n);
    expect(ledger.getAccount(wallet.address)?.lamports).toBe(1_000_000_000n);
  });

  it.each([null, () => {}])(
    'does not stop a transaction from creating an absent account (preflight: %o)',
    async (preflight) => {
      const { ledger, payment, tokens } = await open(GONE);
      const [made, gift] = [address(4), transferLamports(wallet.address, address(4), 2_000_000n)];
      const transaction = buildTransaction(ledger, [wallet], [payment, gift]);
      const absent = [...instead, [made, GONE] as const];
      const { err } = await ledger.submit(transaction, { preflight, instead: absent });
      expect(err).toBeNull();
      expect([tokens(source), tokens(destination)]).toEqual([70n, 30n]);
      expect(ledger.getAccount(made)?.lamports).toBe(2_000_000n);
    },
  );

  it('can be replaced by another one, which a simulation writes', async () => {
    const { ledger, payment, tokens } = await open();
    const transaction = buildTransaction(ledger, [wallet], [payment]);
    const run = ledger.simulate(transaction, { ...PREFLIGHT, instead: [[destination, tokensOf(0n)]] });
    expect(run.err).toBeNull();
    expect(readTokenAmount(run.accountAfter(destination)?.data as Uint8Array)).toBe(30n);
    expect(tokens(destination)).toBe(7n);
  });
});
