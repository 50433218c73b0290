import type { JsonOutput } from '../../json/json-value.ts';
import { addressesIn } from '../../programs/instruction-table/field-codec.ts';
import { LOOKUP_TABLE_TABLE } from '../../programs/lookup-table-instructions.ts';
import { showInstruction, type InstructionCall, type InstructionForm } from './instruction-call.ts';
import { tableForm } from './table-form.ts';

/**
 * Shows an instruction of the Address Lookup Table program as Agave does (`parse_address_lookup_table`). The
 * data is bincode: a u32 tag, then the fields of `ProgramInstruction`.
 *
 * @throws {Unparsable}
 */
export function parseAddressLookupTable(call: InstructionCall): JsonOutput {
  return showInstruction(FORMS[call.u32()], call);
}

/** By tag. */
const FORMS: readonly InstructionForm[] = [
  tableForm(LOOKUP_TABLE_TABLE.createLookupTable),
  tableForm(LOOKUP_TABLE_TABLE.freezeLookupTable),
  tableForm(LOOKUP_TABLE_TABLE.extendLookupTable, ({ newAddresses }) => ({
    newAddresses: addressesIn(newAddresses as Uint8Array),
  })),
  tableForm(LOOKUP_TABLE_TABLE.deactivateLookupTable),
  tableForm(LOOKUP_TABLE_TABLE.closeLookupTable),
];
