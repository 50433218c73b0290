import { ADDRESS_BYTES } from '../../solana/address.ts';
import type { JsonOutput } from '../../json/json-value.ts';
import { showInstruction, type InstructionCall, type InstructionForm } from './instruction-call.ts';

/**
 * An instruction of the Address Lookup Table program as Agave shows it (`parse_address_lookup_table`). The
 * data are bincode: a u32 tag, then the fields of `ProgramInstruction`.
 *
 * @throws {Unparsable}
 */
export function parseAddressLookupTable(call: InstructionCall): JsonOutput {
  return showInstruction(FORMS[call.u32()], call);
}

const tableAndAuthority = (
  call: InstructionCall,
): { lookupTableAccount: string; lookupTableAuthority: string } => ({
  lookupTableAccount: call.account(0),
  lookupTableAuthority: call.account(1),
});

/** By tag (`ProgramInstruction` in `solana-address-lookup-table-interface`). */
const FORMS: readonly InstructionForm[] = [
  {
    type: 'createLookupTable',
    accountsMin: 4,
    info: (call) => ({
      ...tableAndAuthority(call),
      payerAccount: call.account(2),
      systemProgram: call.account(3),
      recentSlot: call.u64(),
      bumpSeed: call.u8(),
    }),
  },
  { type: 'freezeLookupTable', accountsMin: 2, info: tableAndAuthority },
  {
    type: 'extendLookupTable',
    accountsMin: 2,
    info: (call) => {
      const extended = { ...tableAndAuthority(call), newAddresses: addresses(call) };
      // A table that has the lamports already is extended without a payer.
      if (call.accounts.length < 4) return extended;
      return { ...extended, payerAccount: call.account(2), systemProgram: call.account(3) };
    },
  },
  { type: 'deactivateLookupTable', accountsMin: 2, info: tableAndAuthority },
  {
    type: 'closeLookupTable',
    accountsMin: 3,
    info: (call) => ({ ...tableAndAuthority(call), recipient: call.account(2) }),
  },
];

function addresses(call: InstructionCall): string[] {
  return Array.from({ length: call.count64(ADDRESS_BYTES) }, () => call.address());
}
