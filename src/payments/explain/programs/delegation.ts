import { SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { DELEGATION_METADATA_BYTES, DELEGATION_RECORD_BYTES } from '../../../programs/delegation/record.ts';
import { UNDELEGATION_TIMEOUT_SLOTS } from '../../../programs/delegation/state.ts';
import { DELEGATION, DELEGATION_TABLE } from '../../../programs/delegation/table.ts';
import { PERMISSION_BYTES } from '../../../programs/permission/pdas.ts';
import { describeLamports } from '../address-book.ts';
import type { Call } from '../call.ts';
import type { Effect } from '../effects.ts';
import { formOf, type KnownProgram } from '../form.ts';
import { creationEffects, lamportEffects, type Reading } from '../reading.ts';
import { closingEffects, unknownLamports } from './closing.ts';
import { actionsWords } from './delegation-actions.ts';
import { notForWallets } from './not-for-wallets.ts';
import { validatorFindings } from './validator-findings.ts';

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

/** What taking an account back without its validator costs. */
const LOSS = 'What its rollup has done with it and not brought to base would be lost.';

/** The call that a handler gets: behind its own accounts stand who asked, and the escrow as signer. */
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

/** Accounts of `call_handler_v2` before those that are handed on. */
const HANDLER_ACCOUNTS = DELEGATION_TABLE.callHandler.accounts.length;

/** Instructions that users do not send have names all the same. */
export const delegationProgram: KnownProgram = {
  ...DELEGATION,
  forms: [
    formOf(DELEGATION_TABLE.delegate, {
      say: (r) => `Account ${r.name('account')} is handed over to ${toValidator(r.address('validator'))}`,
      danger: (r) =>
        `Only the program that owns ${r.name('account')} should hand it over; a wallet that signs this gives itself away.`,
      findings: (r) => validatorFindings(r, r.address('validator')),
    }),
    formOf(DELEGATION_TABLE.commitState, {
      say: (r) => `Validator ${r.name('validator')} commits a new state of ${r.name('account')}`,
    }),
    formOf(DELEGATION_TABLE.finalizeCommit, {
      say: (r) => `Validator ${r.name('validator')} makes the committed state of ${r.name('account')} final`,
    }),
    formOf(DELEGATION_TABLE.undelegate, {
      say: (r) =>
        `Validator ${r.name('validator')} gives ${r.name('account')} back to program ${r.name('ownerProgram')}`,
    }),
    formOf(DELEGATION_TABLE.callHandler, {
      say: (r) =>
        `Validator ${r.name('validator')} has done what program ${r.name('sourceProgram')} asked for on the rollup: ${r.inner(handled(r)).text}`,
      effects: (r) => r.inner(handled(r)).effects,
      findings: notForWallets,
    }),
    formOf(DELEGATION_TABLE.topUpEscrow, {
      say: (r) =>
        `${describeLamports(r.amount('lamports'))} go from ${r.name('payer')} into the rollup escrow ${r.name('escrow')} of ${r.name('authority')}`,
      effects: (r) => lamportEffects(r.account('payer'), r.account('escrow'), r.amount('lamports')),
    }),
    formOf(DELEGATION_TABLE.closeEscrow, {
      say: (r) =>
        `The rollup escrow ${r.name('escrow')} is closed; its lamports${unknownLamports(r, 'escrow')} go to ${r.name('authority')}`,
      effects: (r, earlier) => closingEffects(r, { role: 'escrow', to: 'authority' }, earlier),
      danger: () => 'What the rollup does at the expense of the escrow can no longer be paid.',
    }),
    formOf(DELEGATION_TABLE.delegateWithActions, {
      say: (r) => {
        const actions = actionsWords(r, r.bytes('actions')) ?? 'something that cannot be read';
        return `Account ${r.name('account')} is handed over to ${toValidator(r.address('validator'))}, which is then to run: ${actions}`;
      },
      danger: (r) =>
        `Only the program that owns ${r.name('account')} should hand it over; a wallet that signs this gives itself away.`,
      findings: (r) => validatorFindings(r, r.address('validator')),
    }),
    formOf(DELEGATION_TABLE.initMagicFeeVault, {
      say: (r) =>
        `${r.name('payer')} pays for the fee vault ${r.name('magicFeeVault')} of validator ${r.name('validator')}, unless it exists`,
    }),
    formOf(DELEGATION_TABLE.delegateMagicFeeVault, {
      say: (r) =>
        `The fee vault ${r.name('magicFeeVault')} of validator ${r.name('validator')} is handed over to it`,
      effects: (r) => delegationEffects(r, 'magicFeeVault', [15, 32]),
    }),
    formOf(DELEGATION_TABLE.requestUndelegation, {
      say: (r) =>
        `Program ${r.name('ownerProgram')} asks for ${r.name('account')} back: from ${UNDELEGATION_TIMEOUT_SLOTS} slots later (about an hour) it may take it without its validator. ${r.name('payer')} pays for the request`,
      danger: (r) => `Only the program that owns ${r.name('account')} should ask for it. ${LOSS}`,
    }),
    formOf(DELEGATION_TABLE.rollBackUndelegation, {
      say: (r) =>
        `Account ${r.name('account')} goes back to program ${r.name('ownerProgram')} without its validator, as base has it`,
      danger: (r) => `Only the program that owns ${r.name('account')} should take it back. ${LOSS}`,
    }),
  ],
};
