import { createHash } from 'node:crypto';
import type { JsonOutput } from '../../json/write-json.ts';
import { Unparsable } from '../../solana/byte-reader.ts';
import { type InstructionCall, type InstructionForm, showInstruction } from './instruction-call.ts';
import { addressOrNull, borshText } from './token-extensions.ts';

const DISCRIMINATOR_BYTES = 8;

/**
 * Shows an instruction of the token group or token metadata interface, which Token-2022 implements for mints
 * that store these themselves. They are identified by eight bytes.
 *
 * @param first the first of these bytes, already read.
 * @throws {Unparsable}
 */
export function parseTokenInterface(first: number, call: InstructionCall): JsonOutput {
  const rest = call.take(DISCRIMINATOR_BYTES - 1);
  const form = FORMS.get(Buffer.from([first, ...rest]).toString('hex'));
  const shown = showInstruction(form, call);
  if (call.remaining > 0) throw new Unparsable('bytes after the fields');
  return shown;
}

/** The first bytes of the hash of an instruction's name (`spl-discriminator`), in hex. */
function discriminator(name: string): string {
  return createHash('sha256').update(name).digest().toString('hex', 0, DISCRIMINATOR_BYTES);
}

/** `Field` of `spl-token-metadata-interface`: one of three by number, or any other by name. */
function metadataField(call: InstructionCall): string {
  const number = call.u8();
  if (number === 3) return borshText(call);
  const name = ['name', 'symbol', 'uri'][number];
  if (name === undefined) throw new Unparsable('unknown field');
  return name;
}

/**
 * By the hash of their names (`TokenGroupInstruction`, `TokenMetadataInstruction`). Fields are read in
 * declaration order.
 */
const NAMED_FORMS: Readonly<Record<string, InstructionForm>> = {
  'spl_token_group_interface:initialize_token_group': {
    type: 'initializeTokenGroup',
    accountsMin: 3,
    info: (call) => ({
      group: call.account(0),
      mint: call.account(1),
      mintAuthority: call.account(2),
      updateAuthority: addressOrNull(call),
      maxSize: call.u64(),
    }),
  },
  'spl_token_group_interface:update_group_max_size': {
    type: 'updateTokenGroupMaxSize',
    accountsMin: 2,
    info: (call) => ({ group: call.account(0), updateAuthority: call.account(1), maxSize: call.u64() }),
  },
  'spl_token_group_interface:update_authority': {
    type: 'updateTokenGroupAuthority',
    accountsMin: 2,
    info: (call) => ({
      group: call.account(0),
      updateAuthority: call.account(1),
      newAuthority: addressOrNull(call),
    }),
  },
  'spl_token_group_interface:initialize_member': {
    type: 'initializeTokenGroupMember',
    accountsMin: 5,
    info: (call) => ({
      member: call.account(0),
      memberMint: call.account(1),
      memberMintAuthority: call.account(2),
      group: call.account(3),
      groupUpdateAuthority: call.account(4),
    }),
  },
  'spl_token_metadata_interface:initialize_account': {
    type: 'initializeTokenMetadata',
    accountsMin: 4,
    info: (call) => ({
      metadata: call.account(0),
      updateAuthority: call.account(1),
      mint: call.account(2),
      mintAuthority: call.account(3),
      name: borshText(call),
      symbol: borshText(call),
      uri: borshText(call),
    }),
  },
  'spl_token_metadata_interface:updating_field': {
    type: 'updateTokenMetadataField',
    accountsMin: 2,
    info: (call) => ({
      metadata: call.account(0),
      updateAuthority: call.account(1),
      field: metadataField(call),
      value: borshText(call),
    }),
  },
  'spl_token_metadata_interface:remove_key_ix': {
    type: 'removeTokenMetadataKey',
    accountsMin: 2,
    info: (call) => ({
      metadata: call.account(0),
      updateAuthority: call.account(1),
      idempotent: call.bool(),
      key: borshText(call),
    }),
  },
  'spl_token_metadata_interface:update_the_authority': {
    type: 'updateTokenMetadataAuthority',
    accountsMin: 2,
    info: (call) => ({
      metadata: call.account(0),
      updateAuthority: call.account(1),
      newAuthority: addressOrNull(call),
    }),
  },
  'spl_token_metadata_interface:emitter': {
    type: 'emitTokenMetadata',
    accountsMin: 1,
    info: (call) => ({
      metadata: call.account(0),
      start: call.option(() => call.u64()) ?? undefined,
      end: call.option(() => call.u64()) ?? undefined,
    }),
  },
};

const FORMS: ReadonlyMap<string, InstructionForm> = new Map(
  Object.entries(NAMED_FORMS).map(([name, form]) => [discriminator(name), form]),
);
