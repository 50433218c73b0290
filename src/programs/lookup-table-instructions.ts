import { ADDRESS_LOOKUP_TABLE_PROGRAM } from './addresses.ts';
import { optional, readonly, signer, writable, writableSigner } from './instruction-table/account-spec.ts';
import { addresses, u64, u8 } from './instruction-table/field-codec.ts';
import { instructionTable, type ProgramSpec } from './instruction-table/instruction-spec.ts';

export const LOOKUP_TABLES: ProgramSpec = {
  address: ADDRESS_LOOKUP_TABLE_PROGRAM,
  name: 'address lookup table program',
  tagBytes: 4,
};

const tableAndAuthority = [writable('lookupTable'), signer('authority')] as const;

/** Names in `jsonParsed`. */
const shownAs = {
  lookupTable: 'lookupTableAccount',
  authority: 'lookupTableAuthority',
  payer: 'payerAccount',
  bump: 'bumpSeed',
  addresses: 'newAddresses',
  destination: 'recipient',
} as const;

/** `ProgramInstruction` of `solana-address-lookup-table-interface` in bincode. */
export const LOOKUP_TABLE_TABLE = instructionTable(LOOKUP_TABLES, {
  createLookupTable: {
    tag: 0,
    accounts: [
      writable('lookupTable'),
      readonly('authority'),
      writableSigner('payer'),
      readonly('systemProgram'),
    ],
    fields: { recentSlot: u64, bump: u8 },
    shownAs,
  },
  freezeLookupTable: { tag: 1, accounts: tableAndAuthority, shownAs },
  /** A table that already has the lamports is extended without a payer. */
  extendLookupTable: {
    tag: 2,
    accounts: [...tableAndAuthority, optional(writableSigner('payer')), optional(readonly('systemProgram'))],
    fields: { addresses },
    shownAs,
  },
  deactivateLookupTable: { tag: 3, accounts: tableAndAuthority, shownAs },
  closeLookupTable: { tag: 4, accounts: [...tableAndAuthority, writable('destination')], shownAs },
});
