import type { AccountReads } from '../../ledger/ledger.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { QUEUE_TABLE } from '../../programs/ephemeral-token/table/queue.ts';
import { TOKEN_TABLE } from '../../programs/token/table.ts';
import { isTokenProgram } from '../../programs/token/token-program.ts';
import type { Address } from '../../solana/address.ts';
import type { CompiledInstruction, Transaction } from '../../solana/transaction.ts';
import { SECRET, type AccessGuard } from './guard.ts';
import type { Guards } from './guards.ts';
import { expectedKeys } from './transaction-keys.ts';

/** Which account of a plain transfer is paid, by its tag. */
const DESTINATION_AT: ReadonlyMap<number, number> = new Map(
  [TOKEN_TABLE.transfer, TOKEN_TABLE.transferChecked].map(({ tag, accounts }) => [
    tag,
    accounts.findIndex(({ role }) => role === 'destination'),
  ]),
);

/**
 * What tells nothing of a transfer queue: to put a payment into it, and to see to it that it is paid out of.
 */
const QUEUE_TAGS: ReadonlySet<number> = new Set([
  QUEUE_TABLE.queueTransfer.tag,
  QUEUE_TABLE.ensureTransferQueueCrank.tag,
]);

/**
 * The guards of the accounts whose contents a transaction could bring to light, by what its programs log,
 * return, or fail with: an overdraft of somebody else's tokens fails otherwise than a spending of them that
 * they do not cover. To be paid by a plain transfer exposes nothing; everything else that hands an account to
 * a program may.
 */
export function exposedGuards(
  transaction: Transaction,
  ledger: Pick<AccountReads, 'getAccount'>,
  guards: Guards,
): readonly AccessGuard[] {
  const keys = expectedKeys(transaction, ledger);
  const exposed = new Set<AccessGuard>();
  for (const instruction of transaction.instructions) {
    const program = keys[instruction.programIdIndex];
    const paidAt = paidAccount(instruction, program);
    const isQueued = program === EPHEMERAL_TOKEN_PROGRAM && QUEUE_TAGS.has(instruction.data[0] ?? -1);
    instruction.accounts.forEach((index, at) => {
      const guard = guardAt(guards, keys[index]);
      if (guard === undefined || at === paidAt || (guard === SECRET && isQueued)) return;
      exposed.add(guard);
    });
  }
  return [...exposed];
}

function guardAt(guards: Guards, key: Address | undefined): AccessGuard | undefined {
  return key === undefined ? undefined : guards.get(key);
}

/** Which of an instruction's accounts is no more than paid. */
function paidAccount({ data }: CompiledInstruction, program: Address | undefined): number | undefined {
  if (program === undefined || !isTokenProgram(program)) return undefined;
  return DESTINATION_AT.get(data[0] ?? -1);
}
