import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { transferLamports } from '../../programs/system.ts';
import { addressBytes, addressOf } from '../../solana/address.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../solana/message.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import type { Engine, EngineRun } from '../engine/engine.ts';
import { TransactionRejected } from '../ledger.ts';
import { Accounts } from '../state/accounts.ts';
import { accountOf } from '../testing/make-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { slotAges } from '../testing/slot-ages.ts';
import { resolveAccountKeys } from './account-keys.ts';
import { Executor } from './executor.ts';

const random = new SeededRandom('executor');
const payer = addressOf(random.bytes(32));
const to = addressOf(random.bytes(32));
const wallet = (lamports: bigint) => accountOf(SYSTEM_PROGRAM, new Uint8Array(0), lamports);

/**
 * What the ledger makes of an engine that says `run`: of things the real one says only when something is
 * broken.
 */
function executeOn(run: Partial<EngineRun>): unknown {
  const accounts = new Accounts();
  accounts.set(payer, wallet(10n ** 10n));
  const engine: Engine = {
    builtinAccounts: () => [],
    setAccount: () => undefined,
    hasValidSignatures: () => true,
    run: () => ({
      err: null,
      accounts: [],
      logs: [],
      computeUnits: 0,
      innerInstructions: [],
      returnData: null,
      ...run,
    }),
  };
  const instructions = [transferLamports(payer, to, 1_000_000n)];
  const message = compileLegacyMessage({ feePayer: payer, blockhash: new Uint8Array(32), instructions });
  const transaction = decodeTransaction(encodeUnsignedTransaction(message));
  const keys = resolveAccountKeys(transaction, accounts, slotAges(512));
  return new Executor(engine, accounts).execute(transaction, keys, new Uint8Array(32), null);
}

const written = (lamports: bigint) => ({
  ...wallet(lamports),
  key: addressBytes(payer),
});

describe('Executor', () => {
  it('rejects a message that the engine finds malformed, without a charge', () => {
    expect(() => executeOn({ err: 'SanitizeFailure' })).toThrow(new TransactionRejected('SanitizeFailure'));
  });

  it('throws if the engine disagrees about the payer', () => {
    expect(() => executeOn({ err: 'InsufficientFundsForFee' })).toThrow(
      'the engine reports InsufficientFundsForFee',
    );
  });

  it('throws if the total of lamports changes or the fee differs from the expected one', () => {
    expect(() => executeOn({ accounts: [written(10n ** 10n)] })).toThrow('changed the total by 0');
    expect(() => executeOn({ accounts: [written(10n ** 10n - 5_001n)] })).toThrow('charged 5000 lamports');
    expect(executeOn({ accounts: [written(10n ** 10n - 5_000n)] })).toMatchObject({ charged: true });
  });
});
