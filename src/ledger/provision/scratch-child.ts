/**
 * The program of the scratch process. Its engine loads untrusted accounts; if it aborts, it ends this process
 * instead of the node.
 */
import { transferLamports } from '../../programs/system.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { type Instruction, writable, writableSigner } from '../../solana/instruction.ts';
import { compileLegacyMessage } from '../../solana/message.ts';
import type { EngineRun } from '../engine/engine.ts';
import { LiteSvmEngine } from '../engine/litesvm-engine.ts';
import { walletAccount } from '../genesis/genesis.ts';
import { Keypair, signTransaction } from '../keypair.ts';
import type { TransactionError } from '../transaction-errors.ts';
import type { DryRunReply, DryRunStep, ProgramCall } from './dry-run.ts';

/** Any key will do: signatures are not checked, and nothing outlives this process. */
const payer = new Keypair(new Uint8Array(32).fill(1));
const blockhash = new Uint8Array(32).fill(2);

const engine = new LiteSvmEngine();
engine.setAccount(payer.address, walletAccount(1_000_000_000n));

process.on('message', (step: DryRunStep) => {
  process.send?.(take(step));
});

function take(step: DryRunStep): DryRunReply {
  try {
    if (step.kind === 'put') engine.setAccount(step.address, step.account);
    if (step.kind === 'lock') lock(step.address);
    return {
      fault: null,
      isCallable: step.kind === 'call' && isCallable(step.address),
      answer: step.kind === 'ask' ? ask(step) : null,
    };
  } catch (error) {
    return { fault: (error as Error).message, isCallable: false, answer: null };
  }
}

/**
 * Names an account as writable and sets it again as the run left it, as the ledger does after every
 * transaction.
 */
function lock(address: Address): void {
  const transfer = transferLamports(payer.address, payer.address, 0n);
  const { accounts } = run({ ...transfer, accounts: [...transfer.accounts, writable(address)] });
  for (const account of accounts) engine.setAccount(addressOf(account.key), account);
}

/** Whether a program runs at all. Its answer to a call without accounts does not matter. */
function isCallable(program: Address): boolean {
  const { err } = run({ programId: program, accounts: [], data: new Uint8Array(0) });
  if (err === null) return true;
  return typeof err === 'object' && 'InstructionError' in err && err.InstructionError[1] !== NOT_LOADED;
}

function ask({ address, data, accountCount }: ProgramCall): TransactionError | null {
  const accounts = Array.from({ length: accountCount }, () => writableSigner(payer.address));
  return run({ programId: address, accounts, data }).err;
}

/** The engine's answer to a call of a program whose code did not load. */
const NOT_LOADED = 'UnsupportedProgramId';

function run(instruction: Instruction): EngineRun {
  const message = compileLegacyMessage({
    feePayer: payer.address,
    blockhash,
    instructions: [instruction],
  });
  return engine.run(signTransaction(message, [payer]), blockhash);
}
