import type { JsonOutput, JsonOutputObject } from '../../json/json-value.ts';
import type { FieldValue } from '../../programs/instruction-table/field-codec.ts';
import { readLeadingFields } from '../../programs/instruction-table/fields.ts';
import type { InstructionSpec } from '../../programs/instruction-table/instruction-spec.ts';
import { accountsMin } from '../../programs/instruction-table/match-instruction.ts';
import { Unparsable } from '../../solana/byte-reader.ts';
import type { InstructionCall, InstructionForm } from './instruction-call.ts';
import { signers } from './token-signers.ts';

/** The fields of an instruction by their shown names, without constant ones. */
export type ShownFields = Readonly<Record<string, FieldValue>>;

/**
 * Shows an instruction from a table as Agave does: its accounts and fields by their shown names.
 *
 * @param showFields formats fields that are not shown as plain values.
 */
export function tableForm(
  spec: InstructionSpec,
  showFields: (fields: ShownFields, call: InstructionCall) => JsonOutputObject = plainFields,
): InstructionForm {
  return {
    type: spec.name,
    accountsMin: accountsMin(spec),
    info: (call) => ({ ...showAccounts(spec, call), ...showFields(readFields(spec, call), call) }),
  };
}

/** Fields as plain values. No such field has the type bytes. */
const plainFields = (fields: ShownFields): JsonOutputObject => fields as Record<string, JsonOutput>;

/** Optional accounts are shown only if all are present. An authority is shown together with its cosigners. */
function showAccounts(spec: InstructionSpec, call: InstructionCall): JsonOutputObject {
  const shown: Record<string, JsonOutput | undefined> = {};
  const areAllThere = call.accounts.length >= spec.accounts.length;
  for (const [position, { role, presence }] of spec.accounts.entries()) {
    const name = shownName(spec, role);
    if (name === null || (presence === 'optional' && !areAllThere)) continue;
    const isAuthority = spec.more !== undefined && position === spec.accounts.length - 1;
    Object.assign(shown, isAuthority ? signers(call, position, name) : { [name]: call.account(position) });
  }
  return shown;
}

/** Extra bytes after the fields are accepted, as in Agave. */
function readFields(spec: InstructionSpec, { data }: InstructionCall): ShownFields {
  const read = readLeadingFields(spec.fields, data, spec.program.tagBytes);
  if (read === null) throw new Unparsable('not the fields');
  const fields: Record<string, FieldValue> = {};
  for (const [role, value] of read.values) {
    const name = shownName(spec, role);
    if (name !== null && spec.fields[role]?.constant === undefined) fields[name] = value;
  }
  return fields;
}

function shownName({ shownAs }: InstructionSpec, name: string): string | null {
  const other = shownAs?.[name];
  return other === undefined ? name : other;
}
