import { ServiceError } from '../../../errors/service-error.ts';
import type { Address } from '../../../solana/address.ts';
import type { EataStatus } from '../../rollup-state/eata-status.ts';
import { stillSettling } from '../../rollup-state/settling.ts';
import type { TransferTask } from '../transfer-task.ts';

/** A payer or payee on the rollup. */
export interface RollupParty {
  readonly owner: Address;
  readonly eata: Address;
  readonly status: EataStatus;
  /** Whether the rollup is returning the eATA. */
  readonly isSettling: boolean;
}

/** @throws {ServiceError} EATA_SETTLING if the sender's tokens are returning to base. */
export function requireSender(sender: RollupParty): void {
  if (!isOnTheWay(sender)) return;
  throw stillSettling(sender, 'nothing can be paid from it', 'then pay on base, or deposit again');
}

/**
 * Refuses a recipient without an account on this rollup. Layout A cannot open one for someone else, so the
 * sender has no remedy; on layout B the caller is only warned, as the hosted API builds such transfers.
 *
 * @throws {ServiceError} EATA_SETTLING, EATA_NOT_DELEGATED, EATA_DELEGATED_ELSEWHERE.
 */
export function requireRecipient(
  { chain, facts }: TransferTask,
  recipient: RollupParty,
  validator: Address | null,
): void {
  const { owner, eata, status } = recipient;
  if (isOnTheWay(recipient)) {
    throw stillSettling(recipient, 'nothing can be paid into it', 'then have its owner deposit again');
  }
  if (chain.layout === 'b') return;
  const known = { field: 'to', eata, owner };
  if (status.at !== 'rollup') {
    throw new ServiceError(
      'EATA_NOT_DELEGATED',
      `The recipient ${owner} has no account of mint ${facts.mint} on the rollup, so the transfer would fail: have the recipient deposit first (spl.deposit; any amount will do), or pay on base (fromBalance and toBalance "base", visibility "public")`,
      known,
    );
  }
  if (status.validator === validator) return;
  const other = status.validator ?? 'nobody can tell whom';
  throw new ServiceError(
    'EATA_DELEGATED_ELSEWHERE',
    `The account of the recipient ${owner} of mint ${facts.mint} is delegated to ${other} and not to ${validator}, who alone can give it back: only then can the recipient deposit here; or pay another wallet of theirs`,
    { ...known, validator: other },
  );
}

const isOnTheWay = ({ status, isSettling }: RollupParty): boolean => status.at === 'rollup' && isSettling;
