import type { AccountReads } from '../../ledger/ledger.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { QUEUE_TABLE } from '../../programs/ephemeral-token/table/queue.ts';
import { isTokenProgram } from '../../programs/token/state.ts';
import { TOKEN_TABLE } from '../../programs/token/table.ts';
import type { Address } from '../../solana/address.ts';
import type { CompiledInstruction, Transaction } from '../../solana/transaction.ts';
import { type AccessGuard, SECRET } from './guard.ts';
import type { Guards } from './guards.ts';
import { expectedKeys } from './transaction-keys.ts';

const QUEUE_ROLES: ReadonlySet<string> = new Set(['queue', 'vaultQueue', 'queueAta']);

/** Which account of a plain transfer is paid, by its tag. */
const DESTINATION_AT: ReadonlyMap<number, number> = new Map(
  [TOKEN_TABLE.transfer, TOKEN_TABLE.transferChecked].map(({ tag, accounts }) => [
    tag,
    accounts.findIndex(({ role }) => role === 'destination'),
  ]),
);

/**
 * Where a transfer queue and its tokens are handed over by what tells nothing of them: to put a payment into
 * the queue, and to see to it that it is paid out of. In another place, as that of the payer, they do.
 */
const QUEUE_AT: ReadonlyMap<number, ReadonlySet<number>> = new Map(
  [QUEUE_TABLE.queueTransfer, QUEUE_TABLE.ensureTransferQueueCrank].map(({ tag, accounts }) => [
    tag,
    new Set(accounts.flatMap(({ role }, at) => (QUEUE_ROLES.has(role) ? [at] : []))),
  ]),
);

/**
 * The guards of the accounts whose contents a transaction could bring to light, by what its programs log,
 * return, or fail with: an overdraft of somebody else's tokens fails otherwise than a spending of them that
 * they do not cover. To be paid by a plain transfer exposes nothing; everything else that hands an account to
 * a program may. Accounts that exist on the rollup only are not among them: that one is there is a secret in
 * itself, so that they are kept from the run instead.
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
    const queueAt = program === EPHEMERAL_TOKEN_PROGRAM ? QUEUE_AT.get(instruction.data[0] ?? -1) : undefined;
    instruction.accounts.forEach((index, at) => {
      const key = keys[index];
      const guard = key === undefined || guards.isEphemeral(key) ? undefined : guards.get(key);
      if (guard === undefined || at === paidAt || (guard === SECRET && queueAt?.has(at) === true)) return;
      exposed.add(guard);
    });
  }
  return [...exposed];
}

/** Which of an instruction's accounts is no more than paid. */
function paidAccount({ data }: CompiledInstruction, program: Address | undefined): number | undefined {
  if (program === undefined || !isTokenProgram(program)) return undefined;
  return DESTINATION_AT.get(data[0] ?? -1);
}
