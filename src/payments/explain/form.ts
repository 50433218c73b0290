import type { FieldMap } from '../../programs/instruction-table/fields.ts';
import type { InstructionSpec, ProgramSpec } from '../../programs/instruction-table/instruction-spec.ts';
import { matchInstruction } from '../../programs/instruction-table/match-instruction.ts';
import type { Call } from './call.ts';
import type { Effect } from './effects.ts';
import type { FormFinding } from './finding.ts';
import type { Reading } from './reading.ts';

/** What an instruction does. */
export interface Meaning {
  /** camelCase and stable; the name of the instruction unless several do the same. */
  readonly action?: string;
  /** What it does, in one sentence without a full stop. */
  readonly say: (reading: Reading) => string;
  /** What it moves and makes; `earlier` are the effects of the instructions before it. */
  readonly effects?: (reading: Reading, earlier: readonly Effect[]) => readonly Effect[];
  /** Why nobody who only makes payments should sign it, in one sentence; null where it is harmless after all. */
  readonly danger?: (reading: Reading) => string | null;
  /** What else its signer should know, each message a sentence. */
  readonly findings?: (reading: Reading) => readonly FormFinding[];
}

/** One form of an instruction: how it is recognised, what its parts are called, what it does. */
export interface Form extends InstructionSpec, Meaning {
  readonly action: string;
}

/** An instruction of a table with what it does. */
export const formOf = (spec: InstructionSpec, meaning: Meaning): Form => ({
  ...spec,
  action: spec.name,
  ...meaning,
});

/** A program and the instructions of it that are known. */
export interface KnownProgram extends ProgramSpec {
  readonly forms: readonly Form[];
}

/** A call that is understood. */
export interface MatchedForm {
  readonly form: Form;
  readonly fields: FieldMap;
}

/** The form `call` has among those of its program; null when it has none. */
export function matchForm(program: KnownProgram, call: Call): MatchedForm | null {
  const matched = matchInstruction(program, program.forms, call);
  return matched && { form: matched.spec, fields: matched.fields };
}

/** What the account at `index` is called. */
export function roleAt({ accounts, more }: Form, index: number): string {
  return accounts[index]?.role ?? (more as string);
}
