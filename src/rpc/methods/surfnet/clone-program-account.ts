import type { AccountEntry } from '../../../ledger/genesis/genesis.ts';
import { deriveProgramData, encodeProgram, programDataOf } from '../../../ledger/genesis/program-accounts.ts';
import type { AccountReads } from '../../../ledger/ledger.ts';
import { NATIVE_LOADER } from '../../../programs/addresses.ts';
import type { Address } from '../../../solana/address.ts';
import { invalidParams } from '../../errors.ts';
import { verifyAddress } from '../../params/keys.ts';
import { string } from '../../params/primitives.ts';
import { defineMethod } from '../../rpc-method.ts';
import { operatorOf } from './operator-of.ts';
import { putAccounts } from './put-accounts.ts';

/**
 * `surfnet_cloneProgramAccount([source, destination])`: copies a program, with its code and upgrade
 * authority, to another address and replaces what is there.
 */
export const surfnetCloneProgramAccount = defineMethod(
  'surfnet_cloneProgramAccount',
  { required: [string, string], optional: [] },
  (node, sourceText, destinationText) => {
    operatorOf(node);
    const source = verifyAddress(sourceText);
    const destination = verifyAddress(destinationText);
    return putAccounts(node, () => copyOf(node.ledger, source, destination));
  },
);

function copyOf(ledger: AccountReads, source: Address, destination: Address): AccountEntry[] {
  const program = ledger.getAccount(source);
  if (program === null || !program.executable) throw invalidParams(`${source} is no program`);
  if (program.owner === NATIVE_LOADER)
    throw invalidParams(`${source} is a native program, which has no code`);
  const codeAt = programDataOf(program);
  if (codeAt === null) return [[destination, program]];
  const code = ledger.getAccount(codeAt);
  if (code === null) throw invalidParams(`${source} was closed`);
  const copiedTo = deriveProgramData(destination);
  return [
    [copiedTo, code],
    [destination, { ...program, data: encodeProgram(copiedTo) }],
  ];
}
