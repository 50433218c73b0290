import type { Layout } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import type { Call } from './call.ts';
import type { Effect } from './effects.ts';
import { readFields, type FieldSpec, type FieldValue } from './field-reader.ts';
import type { FormFinding } from './finding.ts';
import type { Reading } from './reading.ts';

/** One form of an instruction: how it is recognised, what its parts are called, what it does. */
export interface Form {
  /** What the discriminator says. */
  readonly tag: number;
  /** The layout of the ephemeral SPL token program it belongs to, where the other one has another form of it. */
  readonly layout?: Layout;
  /** camelCase and stable. */
  readonly action: string;
  /** Names of the accounts in order. A name that ends in `?` stands only at the end and may be missing. */
  readonly accounts: readonly string[];
  /** Name of any accounts after those; without it there may be none. */
  readonly more?: string;
  /** Fields after the discriminator. */
  readonly fields: readonly FieldSpec[];
  /** What it does, in one sentence without a full stop. */
  readonly say: (reading: Reading) => string;
  /** What it moves and makes; `earlier` are the effects of the instructions before it. */
  readonly effects?: (reading: Reading, earlier: readonly Effect[]) => readonly Effect[];
  /** Why nobody who only makes payments should sign it, in one sentence; null where it is harmless after all. */
  readonly danger?: (reading: Reading) => string | null;
  /** What else its signer should know, each message a sentence. */
  readonly findings?: (reading: Reading) => readonly FormFinding[];
}

/** A program and the instructions of it that are known. */
export interface KnownProgram {
  readonly address: Address;
  readonly name: string;
  /** Bytes of the discriminator. */
  readonly tagBytes: 0 | 1 | 4 | 8;
  /** What a call without any data means, where it means something. */
  readonly emptyTag?: number;
  readonly forms: readonly Form[];
}

/** A call that is understood. */
export interface MatchedForm {
  readonly form: Form;
  readonly fields: ReadonlyMap<string, FieldValue>;
}

/** The form `call` has among those of its program; null when it has none. */
export function matchForm(program: KnownProgram, call: Call): MatchedForm | null {
  const isEmpty = call.data.length === 0 && program.emptyTag !== undefined;
  const tagBytes = isEmpty ? 0 : program.tagBytes;
  const tag = isEmpty ? BigInt(program.emptyTag) : readTag(tagBytes, call.data);
  if (tag === null) return null;
  for (const form of program.forms) {
    if (BigInt(form.tag) !== tag || !hasAccounts(form, call.accounts.length)) continue;
    const fields = readFields(form.fields, call.data, tagBytes);
    if (fields !== null) return { form, fields };
  }
  return null;
}

function readTag(bytes: number, data: Uint8Array): bigint | null {
  if (data.length < bytes) return null;
  let tag = 0n;
  for (let i = bytes - 1; i >= 0; i--) tag = (tag << 8n) | BigInt(data[i] as number);
  return tag;
}

function hasAccounts(form: Form, count: number): boolean {
  const required = form.accounts.filter((name) => !name.endsWith('?')).length;
  return count >= required && (form.more !== undefined || count <= form.accounts.length);
}

/** What the account at `index` is called. */
export function roleAt(form: Form, index: number): string {
  const name = form.accounts[index];
  return name === undefined ? (form.more as string) : name.replace('?', '');
}
