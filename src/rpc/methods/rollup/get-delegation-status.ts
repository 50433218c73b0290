import type { AccountReads } from '../../../ledger/ledger.ts';
import { deriveDelegationRecord } from '../../../programs/delegation/pdas.ts';
import { decodeDelegationRecord, type DelegationRecord } from '../../../programs/delegation/record.ts';
import { deriveEata } from '../../../programs/ephemeral-token/pdas.ts';
import { decodeTokenAccount } from '../../../programs/token/state.ts';
import { isTokenProgram } from '../../../programs/token/token-program.ts';
import type { Address } from '../../../solana/address.ts';
import { verifyAddress } from '../../params/keys.ts';
import { string } from '../../params/primitives.ts';
import { defineMethod } from '../../rpc-method.ts';

/**
 * `getDelegationStatus([address])`: whether an account is delegated, to whom, and where that validator is
 * reached (MagicBlock's router; the ephemeral validator reports only `isDelegated`). A token account counts
 * as delegated if the eATA it projects is.
 */
export const getDelegationStatus = defineMethod(
  'getDelegationStatus',
  { required: [string], optional: [] },
  ({ ledger, publicUrl }, text) => {
    const address = verifyAddress(text);
    const record = recordOf(ledger, address) ?? recordOf(ledger, projectedEata(ledger, address));
    if (record === null) return { isDelegated: false };
    const { authority, owner, delegationSlot, lamports } = record;
    return {
      delegationRecord: { authority, delegationSlot, lamports, owner },
      // The URLs of other validators are not known here.
      fqdn: authority === ledger.identity ? publicUrl : undefined,
      isDelegated: true,
    };
  },
);

function recordOf(ledger: AccountReads, address: Address | null): DelegationRecord | null {
  if (address === null) return null;
  return decodeDelegationRecord(ledger.getAccount(deriveDelegationRecord(address).address));
}

function projectedEata(ledger: AccountReads, address: Address): Address | null {
  const account = ledger.getAccount(address);
  if (account === null || !isTokenProgram(account.owner)) return null;
  const token = decodeTokenAccount(account.data);
  return token && deriveEata(token.owner, token.mint).address;
}
