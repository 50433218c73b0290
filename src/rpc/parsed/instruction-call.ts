import type { JsonOutput, JsonOutputObject } from '../../json/write-json.ts';
import { type FieldValue, readLeadingFields } from '../../programs/instruction-table/field-codec.ts';
import { accountsMin, type InstructionSpec } from '../../programs/instruction-table/instruction-spec.ts';
import type { Address } from '../../solana/address.ts';
import { ByteReader, Unparsable } from '../../solana/byte-reader.ts';

/** The fields of an instruction by their shown names, without constant fields. */
export type ShownFields = Readonly<Record<string, FieldValue>>;

/**
 * Creates the form of an instruction from a table: its accounts and fields by their shown names.
 *
 * @param showFields formats fields that are not plain values.
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

/** Shows fields as plain values. None of these fields contains bytes. */
const plainFields = (fields: ShownFields): JsonOutputObject => fields as Record<string, JsonOutput>;

/** Shows accounts: optional accounts only if all are present, and an authority with its cosigners. */
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

/** Reads the fields. Accepts extra bytes after them, like Agave. */
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

/** A reader for the accounts and the data of one instruction. */
export class InstructionCall extends ByteReader {
  readonly accounts: readonly Address[];
  /** The complete instruction data. */
  readonly data: Uint8Array;

  constructor(accounts: readonly Address[], data: Uint8Array) {
    super(data);
    this.accounts = accounts;
    this.data = data;
  }

  /** @throws {Unparsable} if the instruction has fewer accounts. */
  account(position: number): Address {
    const address = this.accounts[position];
    if (address === undefined) throw new Unparsable('too few accounts');
    return address;
  }
}

/** The shown form of most programs' instructions: a type and named fields. */
export interface InstructionForm {
  readonly type: string;
  /** Minimum number of accounts. */
  readonly accountsMin: number;
  /** Reads the fields; null if the instruction has only a type. */
  info(call: InstructionCall): JsonOutputObject | null;
}

/**
 * Shows an instruction in this form.
 *
 * @throws {Unparsable}
 */
export function showInstruction(form: InstructionForm | undefined, call: InstructionCall): JsonOutput {
  if (form === undefined) throw new Unparsable('unknown instruction');
  if (call.accounts.length < form.accountsMin) throw new Unparsable('too few accounts');
  const info = form.info(call);
  return { info: info && sortMembers(info), type: form.type };
}

/** Sorts the members of an object by name, as in Agave's maps (`serde_json::Map`). */
export function sortMembers(object: JsonOutputObject): JsonOutputObject {
  return Object.fromEntries(Object.entries(object).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/**
 * Shows the authority of a token instruction: the account at `position`. Its name is `single`, or `multisig`
 * if signers follow it, which is the only sign of a multisig.
 */
export function signers(
  call: InstructionCall,
  position: number,
  single: string,
  multisig = `multisig${single.charAt(0).toUpperCase()}${single.slice(1)}`,
): JsonOutputObject {
  return signersAmong(call.accounts, position, single, multisig);
}

/** Shows the authority like {@link signers} if only some accounts can be signers. */
export function signersAmong(
  accounts: InstructionCall['accounts'],
  position: number,
  single: string,
  multisig: string,
): JsonOutputObject {
  const followers = accounts.slice(position + 1);
  if (followers.length === 0) return { [single]: accounts[position] };
  return { [multisig]: accounts[position], signers: followers };
}
