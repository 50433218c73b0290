import { createHash } from 'node:crypto';
import type { JsonOutput, JsonOutputObject } from '../../json/write-json.ts';
import { Unparsable } from '../../solana/byte-reader.ts';
import { InstructionCall, type InstructionForm, showInstruction, signers } from './instruction-call.ts';
import { EXTENSION_FORMS, TOKEN_TABLE_FORMS } from './token-extension-forms.ts';
import { addressOrNull, borshText, extensionTypeName } from './token-extensions.ts';

const DISCRIMINATOR_BYTES = 8;

/**
 * Shows an instruction of the token group or token metadata interface, which Token-2022 implements for mints
 * that store their own group or metadata. Eight bytes identify the instruction.
 *
 * @param first the first of these bytes, already read.
 * @throws {Unparsable}
 */
function parseTokenInterface(first: number, call: InstructionCall): JsonOutput {
  const rest = call.take(DISCRIMINATOR_BYTES - 1);
  const form = INTERFACE_FORMS.get(Buffer.from([first, ...rest]).toString('hex'));
  const shown = showInstruction(form, call);
  if (call.remaining > 0) throw new Unparsable('bytes after the fields');
  return shown;
}

/** Returns the first bytes of the hash of an instruction's name (`spl-discriminator`), in hex. */
function discriminator(name: string): string {
  return createHash('sha256').update(name).digest().toString('hex', 0, DISCRIMINATOR_BYTES);
}

/** Reads a `Field` of `spl-token-metadata-interface`: one of three by number, or any other by name. */
function metadataField(call: InstructionCall): string {
  const number = call.u8();
  if (number === 3) return borshText(call);
  const name = ['name', 'symbol', 'uri'][number];
  if (name === undefined) throw new Unparsable('unknown field');
  return name;
}

/** Instruction forms by name (`TokenGroupInstruction`, `TokenMetadataInstruction`), in declaration order. */
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

const INTERFACE_FORMS: ReadonlyMap<string, InstructionForm> = new Map(
  Object.entries(NAMED_FORMS).map(([name, form]) => [discriminator(name), form]),
);

/** The tag of a batch of instructions (`TokenInstruction::Batch`). */
const BATCH_TAG = 255;

/**
 * Shows an instruction of SPL Token or Token-2022 like Agave (`parse_token`). Does not support confidential
 * transfers, fees, mints or burns.
 *
 * @throws {Unparsable}
 */
export function parseToken(call: InstructionCall): JsonOutput {
  const tag = call.u8();
  if (tag === BATCH_TAG) return showInstruction(BATCH, call);
  const extension = EXTENSION_FORMS[tag];
  if (extension !== undefined) return showInstruction(extension[call.u8()], call);
  const form = FORMS[tag];
  return form === undefined ? parseTokenInterface(tag, call) : showInstruction(form, call);
}

const BATCH: InstructionForm = {
  type: 'batch',
  accountsMin: 1,
  info: (call) => ({ instructions: batched(call) }),
};

/** Reads the instructions of a batch. Each instruction has its account count, data length, and data. */
function batched(call: InstructionCall): JsonOutput[] {
  const instructions: JsonOutput[] = [];
  let accountsAt = 0;
  while (call.remaining > 0) {
    const accountsEnd = accountsAt + call.u8();
    const data = call.take(call.u8());
    if (accountsEnd > call.accounts.length) throw new Unparsable('too few accounts');
    if (data[0] === BATCH_TAG) throw new Unparsable('a batch in a batch');
    instructions.push(parseToken(new InstructionCall(call.accounts.slice(accountsAt, accountsEnd), data)));
    accountsAt = accountsEnd;
  }
  return instructions;
}

const amountText = (call: InstructionCall): string => call.u64().toString();

const mintMembers = (call: InstructionCall): JsonOutputObject => ({
  mint: call.account(0),
  decimals: call.u8(),
  mintAuthority: call.address(),
  freezeAuthority: call.option(() => call.address()) ?? undefined,
});

const accountOnly = (type: string): InstructionForm => ({
  type,
  accountsMin: 1,
  info: (call) => ({ account: call.account(0) }),
});

/** Reads the names of all remaining extension types. */
function extensionTypeNames(call: InstructionCall): string[] {
  const names: string[] = [];
  while (call.remaining > 0) names.push(extensionTypeName(call.u16()));
  return names;
}

/** Forms by tag (`TokenInstruction` in `spl-token-2022-interface`), read in declaration order. */
const FORMS: Readonly<Record<number, InstructionForm>> = {
  ...TOKEN_TABLE_FORMS,
  0: {
    type: 'initializeMint',
    accountsMin: 2,
    info: (call) => ({ ...mintMembers(call), rentSysvar: call.account(1) }),
  },
  2: {
    type: 'initializeMultisig',
    accountsMin: 3,
    info: (call) => ({
      multisig: call.account(0),
      rentSysvar: call.account(1),
      signers: call.accounts.slice(2),
      m: call.u8(),
    }),
  },
  19: {
    type: 'initializeMultisig2',
    accountsMin: 2,
    info: (call) => ({ multisig: call.account(0), signers: call.accounts.slice(1), m: call.u8() }),
  },
  20: { type: 'initializeMint2', accountsMin: 1, info: mintMembers },
  21: {
    type: 'getAccountDataSize',
    accountsMin: 1,
    info: (call) => {
      const mint = call.account(0);
      const extensionTypes = extensionTypeNames(call);
      return extensionTypes.length === 0 ? { mint } : { mint, extensionTypes };
    },
  },
  22: accountOnly('initializeImmutableOwner'),
  23: {
    type: 'amountToUiAmount',
    accountsMin: 1,
    info: (call) => ({ mint: call.account(0), amount: amountText(call) }),
  },
  24: {
    type: 'uiAmountToAmount',
    accountsMin: 1,
    info: (call) => ({ mint: call.account(0), uiAmount: call.text(call.remaining) }),
  },
  25: {
    type: 'initializeMintCloseAuthority',
    accountsMin: 1,
    info: (call) => ({ mint: call.account(0), newAuthority: call.option(() => call.address()) }),
  },
  29: {
    type: 'reallocate',
    accountsMin: 4,
    info: (call) => ({
      account: call.account(0),
      payer: call.account(1),
      systemProgram: call.account(2),
      extensionTypes: extensionTypeNames(call),
      ...signers(call, 3, 'owner'),
    }),
  },
  31: {
    type: 'createNativeMint',
    accountsMin: 3,
    info: (call) => ({
      payer: call.account(0),
      nativeMint: call.account(1),
      systemProgram: call.account(2),
    }),
  },
  32: {
    type: 'initializeNonTransferableMint',
    accountsMin: 1,
    info: (call) => ({ mint: call.account(0) }),
  },
  35: {
    type: 'initializePermanentDelegate',
    accountsMin: 1,
    info: (call) => ({ mint: call.account(0), delegate: call.address() }),
  },
  38: {
    type: 'withdrawExcessLamports',
    accountsMin: 3,
    info: (call) => ({
      source: call.account(0),
      destination: call.account(1),
      ...signers(call, 2, 'authority'),
    }),
  },
  45: {
    type: 'unwrapLamports',
    accountsMin: 3,
    info: (call) => ({
      source: call.account(0),
      destination: call.account(1),
      amount: call.option(() => amountText(call)) ?? undefined,
      ...signers(call, 2, 'authority'),
    }),
  },
};
