import type { AccountEntry } from '../../../ledger/genesis/genesis.ts';
import { isProgramData, programDataOf, withAuthority } from '../../../ledger/genesis/program-accounts.ts';
import type { AccountReads } from '../../../ledger/ledger.ts';
import type { Address } from '../../../solana/address.ts';
import { invalidParams, type RpcError } from '../../errors.ts';
import { verifyAddress } from '../../params/keys.ts';
import { string } from '../../params/primitives.ts';
import { defineMethod } from '../../rpc-method.ts';
import { operatorOf } from './operator-of.ts';
import { putAccounts } from './put-accounts.ts';

/**
 * `surfnet_setProgramAuthority([programId, newAuthority?])`: sets the upgrade authority of a program; without
 * one the program becomes immutable.
 */
export const surfnetSetProgramAuthority = defineMethod(
  'surfnet_setProgramAuthority',
  { required: [string], optional: [string] },
  (node, programText, authorityText) => {
    operatorOf(node);
    const program = verifyAddress(programText);
    const authority = authorityText === undefined ? null : verifyAddress(authorityText);
    return putAccounts(node, () => [handedOver(node.ledger, program, authority)]);
  },
);

function handedOver(ledger: AccountReads, address: Address, authority: Address | null): AccountEntry {
  const program = ledger.getAccount(address);
  if (program === null) throw invalidProgram(address, 'Account not found');
  const codeAt = programDataOf(program);
  if (codeAt === null) throw invalidProgram(address, 'Not a program account');
  const code = ledger.getAccount(codeAt);
  if (code === null) throw invalidProgram(address, 'Program data account does not exist');
  if (!isProgramData(code)) throw invalidProgram(address, 'Invalid program data account');
  return [codeAt, withAuthority(code, authority)];
}

/** With Surfpool's message; the reason is in `data`. */
function invalidProgram(address: Address, why: string): RpcError {
  return invalidParams(`Invalid program account ${address}`, why);
}
