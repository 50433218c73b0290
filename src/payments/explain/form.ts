import type { FieldMap } from '../../programs/instruction-table/fields.ts';
import type { InstructionSpec, ProgramSpec } from '../../programs/instruction-table/instruction-spec.ts';
import { matchInstruction } from '../../programs/instruction-table/match-instruction.ts';
import type { Call } from './call.ts';
import type { Effect } from './effects.ts';
import type { FormFinding } from './finding.ts';
import type { Reading } from './reading.ts';

/** The meaning of an instruction. */
export interface Meaning {
  /** camelCase and stable; defaults to the instruction's name, unless several do the same. */
  readonly action?: string;
  /** What it does, as one sentence without a full stop. */
  readonly say: (reading: Reading) => string;
  /** What it moves and creates. `earlier` are the effects of the instructions before it. */
  readonly effects?: (reading: Reading, earlier: readonly Effect[]) => readonly Effect[];
  /** Why someone who only makes payments should not sign it, as one sentence; null if it is harmless. */
  readonly danger?: (reading: Reading) => string | null;
  /** What else its signer should know, each message a sentence. */
  readonly findings?: (reading: Reading) => readonly FormFinding[];
}

/** A form of an instruction: how it is recognised, the names of its parts, and its meaning. */
export interface Form extends InstructionSpec, Meaning {
  readonly action: string;
}

/** Combines a table's instruction with its meaning. */
export const formOf = (spec: InstructionSpec, meaning: Meaning): Form => ({
  ...spec,
  action: spec.name,
  ...meaning,
});

/** A program and its known instructions. */
export interface KnownProgram extends ProgramSpec {
  readonly forms: readonly Form[];
}

/** A call that matches a form. */
export interface MatchedForm {
  readonly form: Form;
  readonly fields: FieldMap;
}

/** Finds the form of `call` in its program; null if there is none. */
export function matchForm(program: KnownProgram, call: Call): MatchedForm | null {
  const matched = matchInstruction(program, program.forms, call);
  return matched && { form: matched.spec, fields: matched.fields };
}

/** The role of the account at `index`. */
export function roleAt({ accounts, more }: Form, index: number): string {
  return accounts[index]?.role ?? (more as string);
}
