import { SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { decodeDelegationActions } from '../../../programs/delegation/delegation-actions.ts';
import {
  DELEGATION_METADATA_BYTES,
  DELEGATION_RECORD_BYTES,
  UNDELEGATION_TIMEOUT_SLOTS,
} from '../../../programs/delegation/state.ts';
import { DELEGATION, DELEGATION_TABLE } from '../../../programs/delegation/table.ts';
import { concat } from '../../../programs/instruction-data.ts';
import { PERMISSION_BYTES } from '../../../programs/permission/state.ts';
import { SEAL_BYTES } from '../../../programs/private-transfer/sealed-box.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { describeLamports } from '../address-book.ts';
import { type Call, type CallAccount, formsOf, kindOf, type KnownProgram } from '../call.ts';
import type { Effect } from '../effects.ts';
import { creationEffects, lamportEffects, type Reading } from '../reading.ts';
import { closingEffects, unknownLamports } from './account-lamports.ts';
import { notForWallets, validatorFindings } from './common-findings.ts';

/**
 * Describes what a validator runs after an account is delegated to it, including which parts are sealed for
 * the validator. `actions` are the bytes after the 96 of a delegation record. Null if they cannot be read.
 */
function actionsText(r: Reading, actions: Uint8Array): string | null {
  // The contents of a sealed box are unknown. They are read with two different fillings, and the parts that
  // differ are sealed.
  const [some, others] = [readFilled(actions, 0), readFilled(actions, 1)];
  if (some === null || others === null) return null;
  return some.map((call, at) => wordsOf(r, call, others[at] as Instruction)).join('; then ');
}

function readFilled(actions: Uint8Array, filling: number): readonly Instruction[] | null {
  const record = concat(new Uint8Array(DELEGATION_RECORD_BYTES), actions);
  return decodeDelegationActions(record, (box) => new Uint8Array(box.length - SEAL_BYTES).fill(filling));
}

function wordsOf(r: Reading, some: Instruction, other: Instruction): string {
  const accounts = some.accounts.map((account, at): CallAccount => {
    const isSealed = account.address !== other.accounts[at]?.address;
    return { ...account, address: isSealed ? null : account.address, entry: null };
  });
  const clear = some.data.findIndex((byte, at) => byte !== other.data[at]);
  const call = { program: some.programId, accounts, data: some.data };
  const inner = r.scene.inner(call);
  if (clear < 0) return inner.text;
  const sealedAccounts = accounts.filter(({ address }) => address === null).length;
  const alsoSealed =
    sealedAccounts === 0
      ? ''
      : `, and so ${sealedAccounts === 1 ? 'is one account' : `are ${sealedAccounts} accounts`}`;
  return `${kindOf(inner)}, with ${some.data.length} bytes of data that are sealed for the validator from byte ${clear} on${alsoSealed}`;
}

/** Size of delegation metadata without the seeds and their lengths, bytes. */
const METADATA_BYTES_WITHOUT_SEEDS = DELEGATION_METADATA_BYTES - 2 * (4 + 32);

/**
 * The records created when the account in the role `subject` is delegated.
 *
 * @param seeds lengths of its seeds, bytes.
 */
export function delegationEffects(
  r: Reading,
  subject: string,
  seeds: readonly number[] = [32, 32],
): Effect[] {
  const metadataBytes = seeds.reduce((sum, length) => sum + 4 + length, METADATA_BYTES_WITHOUT_SEEDS);
  return [
    ...creationEffects(r, `${subject}Record`, 'delegation record', r.rent(DELEGATION_RECORD_BYTES)),
    ...creationEffects(r, `${subject}Metadata`, 'delegation metadata', r.rent(metadataBytes)),
  ];
}

/** The permission account in `role`. */
export function permissionEffects(r: Reading, role: string): Effect[] {
  return creationEffects(r, role, 'permission', r.rent(PERMISSION_BYTES));
}

/** A validator as text. */
export const toValidator = (validator: string | null): string =>
  validator === null ? "the delegation program's own default validator" : `validator ${validator}`;

const LOSS = 'Changes on its rollup that were not committed to base would be lost.';

/**
 * The call that a handler receives: after its own accounts come the requester's, with the escrow as signer.
 */
function handled(r: Reading): Call {
  const [source, authority, escrow] = r.call.accounts.slice(3, HANDLER_ACCOUNTS);
  const asking = [source, authority, escrow && { ...escrow, signer: true }].filter(
    (account) => account !== undefined,
  );
  return {
    program: r.account('destinationProgram') ?? SYSTEM_PROGRAM,
    accounts: [...r.call.accounts.slice(HANDLER_ACCOUNTS), ...asking],
    data: r.bytes('data'),
  };
}

/** Number of accounts of `call_handler_v2` before those it passes on. */
const HANDLER_ACCOUNTS = DELEGATION_TABLE.callHandler.accounts.length;

/** Instructions that users do not send also have names. */
export const delegationProgram: KnownProgram = {
  ...DELEGATION,
  forms: formsOf(DELEGATION_TABLE, {
    delegate: {
      say: (r) => `Account ${r.name('account')} is delegated to ${toValidator(r.address('validator'))}`,
      danger: (r) =>
        `Only the program that owns ${r.name('account')} should delegate it; a wallet that signs this gives itself away.`,
      findings: (r) => validatorFindings(r, r.address('validator')),
    },
    commitState: {
      say: (r) => `Validator ${r.name('validator')} commits a new state of ${r.name('account')}`,
    },
    finalizeCommit: {
      say: (r) => `Validator ${r.name('validator')} makes the committed state of ${r.name('account')} final`,
    },
    undelegate: {
      say: (r) =>
        `Validator ${r.name('validator')} returns ${r.name('account')} to program ${r.name('ownerProgram')}`,
    },
    callHandler: {
      say: (r) =>
        `Validator ${r.name('validator')} executes what program ${r.name('sourceProgram')} requested on the rollup: ${r.scene.inner(handled(r)).text}`,
      effects: (r) => r.scene.inner(handled(r)).effects,
      findings: notForWallets,
    },
    topUpEscrow: {
      say: (r) =>
        `${describeLamports(r.amount('lamports'))} go from ${r.name('payer')} into the rollup escrow ${r.name('escrow')} of ${r.name('authority')}`,
      effects: (r) => lamportEffects(r.account('payer'), r.account('escrow'), r.amount('lamports')),
    },
    closeEscrow: {
      say: (r) =>
        `The rollup escrow ${r.name('escrow')} is closed; its lamports${unknownLamports(r, 'escrow')} go to ${r.name('authority')}`,
      effects: (r, earlier) => closingEffects(r, { role: 'escrow', to: 'authority' }, earlier),
      danger: () => 'The escrow can no longer pay for actions of the rollup.',
    },
    delegateWithActions: {
      say: (r) => {
        const actions = actionsText(r, r.bytes('actions')) ?? 'something that cannot be read';
        return `Account ${r.name('account')} is delegated to ${toValidator(r.address('validator'))}, which then runs: ${actions}`;
      },
      danger: (r) =>
        `Only the program that owns ${r.name('account')} should delegate it; a wallet that signs this gives itself away.`,
      findings: (r) => validatorFindings(r, r.address('validator')),
    },
    initMagicFeeVault: {
      say: (r) =>
        `${r.name('payer')} pays for the fee vault ${r.name('magicFeeVault')} of validator ${r.name('validator')}, unless it exists`,
    },
    delegateMagicFeeVault: {
      say: (r) =>
        `The fee vault ${r.name('magicFeeVault')} of validator ${r.name('validator')} is delegated to it`,
      effects: (r) => delegationEffects(r, 'magicFeeVault', [15, 32]),
    },
    requestUndelegation: {
      say: (r) =>
        `Program ${r.name('ownerProgram')} requests the return of ${r.name('account')}: after ${UNDELEGATION_TIMEOUT_SLOTS} slots (about an hour) it can take it back without its validator. ${r.name('payer')} pays for the request`,
      danger: (r) => `Only the program that owns ${r.name('account')} should request its return. ${LOSS}`,
    },
    rollBackUndelegation: {
      say: (r) =>
        `Account ${r.name('account')} returns to program ${r.name('ownerProgram')} without its validator, in its state on base`,
      danger: (r) => `Only the program that owns ${r.name('account')} should take it back. ${LOSS}`,
    },
  }),
};
