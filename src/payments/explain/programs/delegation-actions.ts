import { decodeDelegationActions } from '../../../programs/delegation/delegation-actions.ts';
import { DELEGATION_RECORD_BYTES } from '../../../programs/delegation/record.ts';
import { concat } from '../../../programs/instruction-data.ts';
import { SEAL_BYTES } from '../../../programs/private-transfer/sealed-box.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import type { CallAccount } from '../call.ts';
import type { Reading } from '../reading.ts';

/**
 * What a validator is to run once an account is delegated to it, in words; what is sealed for the validator
 * is named as such. `actions` are the bytes behind a delegation record's 96. Null when they cannot be read.
 */
export function actionsWords(r: Reading, actions: Uint8Array): string | null {
  // What stands in a sealed box is unknown: read with one filling and with another, what differs is sealed.
  const [some, others] = [readFilled(actions, 0), readFilled(actions, 1)];
  if (some === null || others === null) return null;
  return some.map((call, at) => wordsOf(r, call, others[at] as Instruction)).join('; then ');
}

function readFilled(actions: Uint8Array, filling: number): readonly Instruction[] | null {
  const record = concat(new Uint8Array(DELEGATION_RECORD_BYTES), actions);
  return decodeDelegationActions(record, (box) => new Uint8Array(box.length - SEAL_BYTES).fill(filling));
}

function wordsOf(r: Reading, some: Instruction, other: Instruction): string {
  const accounts = some.accounts.map((account, at): CallAccount => {
    const isSealed = account.address !== other.accounts[at]?.address;
    return { ...account, address: isSealed ? null : account.address, entry: null };
  });
  const clear = some.data.findIndex((byte, at) => byte !== other.data[at]);
  const call = { program: some.programId, accounts, data: some.data };
  if (clear < 0) return r.inner(call).text;
  const { action, program } = r.inner(call);
  const sealedAccounts = accounts.filter(({ address }) => address === null).length;
  const alsoSealed =
    sealedAccounts === 0
      ? ''
      : `, and so ${sealedAccounts === 1 ? 'is one account' : `are ${sealedAccounts} accounts`}`;
  return `${action} of ${program}, of whose ${some.data.length} bytes all from byte ${clear} on are sealed for the validator${alsoSealed}`;
}
