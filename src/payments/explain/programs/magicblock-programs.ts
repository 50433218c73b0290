import { SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { decodeDelegationActions } from '../../../programs/delegation/delegation-actions.ts';
import {
  DELEGATION_METADATA_BYTES,
  DELEGATION_RECORD_BYTES,
  UNDELEGATION_TIMEOUT_SLOTS,
} from '../../../programs/delegation/state.ts';
import { DELEGATION, DELEGATION_TABLE } from '../../../programs/delegation/table.ts';
import { concat } from '../../../programs/instruction-data.ts';
import { decodeMagicCall, type IntentBundle } from '../../../programs/magic/magic-call.ts';
import { MAGIC, MAGIC_PROGRAM_TABLE, MAGIC_TABLE } from '../../../programs/magic/table.ts';
import {
  decodeMembers,
  listMembers,
  type Member,
  MEMBER_FLAG,
  PERMISSION_BYTES,
} from '../../../programs/permission/state.ts';
import { PERMISSION, PERMISSION_TABLE } from '../../../programs/permission/table.ts';
import { SEAL_BYTES } from '../../../programs/private-transfer/sealed-box.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { describeLamports } from '../address-book.ts';
import {
  type Call,
  type CallAccount,
  type Effect,
  formsOf,
  kindOf,
  type KnownProgram,
  type Meaning,
} from '../call.ts';
import { danger, type Finding } from '../finding.ts';
import { creationEffects, lamportEffects, type Reading } from '../reading.ts';
import { closingEffects, unknownLamports } from './account-lamports.ts';
import { notForWallets, settlementRequested, validatorFindings } from './common-findings.ts';

/**
 * Describes the actions that a validator runs after delegating an account, and which parts are sealed for it.
 * `actions` are the bytes after the first 96 of a delegation record. Returns null if they cannot be read.
 */
function actionsText(r: Reading, actions: Uint8Array): string | null {
  // Sealed contents are unknown. Decoding twice, with different filler bytes, shows which parts are sealed.
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

/** Size of delegation metadata without the seeds and their lengths, in bytes. */
const METADATA_BYTES_WITHOUT_SEEDS = DELEGATION_METADATA_BYTES - 2 * (4 + 32);

/**
 * Returns the effects of creating the records of a delegation.
 *
 * @param seeds lengths of the account's seeds, in bytes.
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

/** Returns the effects of creating the permission account in `role`. */
export function permissionEffects(r: Reading, role: string): Effect[] {
  return creationEffects(r, role, 'permission', r.rent(PERMISSION_BYTES));
}

/** Describes a validator. */
export const toValidator = (validator: string | null): string =>
  validator === null ? "the delegation program's own default validator" : `validator ${validator}`;

const LOSS = 'Changes on its rollup that were not committed to base would be lost.';

/** Builds the call of a handler: its own accounts, then the requester's, with the escrow as signer. */
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

/** Number of `call_handler_v2` accounts before those passed to the handler. */
const HANDLER_ACCOUNTS = DELEGATION_TABLE.callHandler.accounts.length;

/** The delegation program with all instructions, including those that users do not send. */
export const delegationProgram: KnownProgram = {
  ...DELEGATION,
  forms: formsOf(DELEGATION_TABLE, {
    delegate: {
      say: (r) => `Account ${r.name('account')} is delegated to ${toValidator(r.address('validator'))}`,
      danger: (r) =>
        `Only the program that owns ${r.name('account')} should delegate it; a wallet that signs this gives up control of itself.`,
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
        `Only the program that owns ${r.name('account')} should delegate it; a wallet that signs this gives up control of itself.`,
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

const FLAG_WORDS: readonly (readonly [flag: number, words: string])[] = [
  [MEMBER_FLAG.authority, 'change the permission'],
  [MEMBER_FLAG.txLogs, 'read logs'],
  [MEMBER_FLAG.txBalances, 'read balances'],
  [MEMBER_FLAG.txMessage, 'read messages'],
  [MEMBER_FLAG.accountSignatures, 'read signatures'],
];

const membersOf = (r: Reading): readonly Member[] | null => decodeMembers(r.bytes('members')) ?? null;

function describeMember({ address, flags }: Member): string {
  const rights = FLAG_WORDS.filter(([flag]) => (flags & flag) !== 0).map(([, words]) => words);
  return `${address} (flags ${flags}: ${rights.length === 0 ? 'nothing that is known' : rights.join(', ')})`;
}

function membersText(r: Reading): string {
  const members = membersOf(r);
  if (members === null) return 'everyone';
  return members.length === 0 ? 'only its owner' : members.map(describeMember).join(' and ');
}

/** Describes the readers of a rollup-only account, whose member list has no count. */
function readersText(r: Reading): string {
  if (r.number('isPrivate') === 0) return 'everyone';
  const members = listMembers(r.bytes('readers'));
  return members.length === 0 ? 'no one' : members.map(describeMember).join(' and ');
}

/**
 * Reports readers other than the owner. A member without flags has no rights: the program adds the account's
 * owner program as one.
 */
function memberFindings(r: Reading): Finding[] {
  const members = membersOf(r);
  const own = new Set([r.account('account'), r.ownerOf('account')]);
  const others = members?.filter(({ address, flags }) => flags !== 0 && !own.has(address));
  if (others?.length === 0) return [];
  const readers = others === undefined ? 'Everyone' : others.map(describeMember).join(' and ');
  const message = `${readers} could read ${r.name('account')} on the rollup.`;
  return [danger('OTHER_READERS', message)];
}

const settling = (ending: string): Meaning => ({
  say: (r) => `The permission ${r.name('permission')} of ${r.name('account')} is settled${ending}`,
});

export const permissionProgram: KnownProgram = {
  ...PERMISSION,
  forms: formsOf(PERMISSION_TABLE, {
    createPermission: {
      say: (r) => `Reading ${r.name('account')} on the rollup is open to ${membersText(r)}`,
      effects: (r) => permissionEffects(r, 'permission'),
      findings: memberFindings,
    },
    updatePermission: {
      say: (r) => `Reading ${r.name('account')} on the rollup is from now on open to ${membersText(r)}`,
      danger: () => 'It changes who can read a private account.',
      findings: memberFindings,
    },
    closePermission: {
      say: (r) => `The permission of ${r.name('account')} is closed; its lamports go to ${r.name('payer')}`,
      danger: () => 'It removes the protection of a private account.',
    },
    delegatePermission: {
      say: (r) =>
        `The permission ${r.name('permission')} of ${r.name('account')} is delegated to ${toValidator(r.account('validator'))}`,
      effects: (r) => delegationEffects(r, 'permission', [11, 32]),
      findings: (r) => validatorFindings(r, r.account('validator')),
    },
    commitPermission: settling(''),
    commitAndUndelegatePermission: settling(' and returned'),
    createEphemeralPermission: {
      say: (r) => `Reading ${r.name('account')}, which is only on the rollup, is open to ${readersText(r)}`,
      findings: notForWallets,
    },
    closeEphemeralPermission: {
      say: (r) =>
        `The permission of ${r.name('account')}, which is only on the rollup, is closed; ${r.name('payer')} gets its rent`,
      danger: () => 'It removes the protection of a private account.',
    },
  }),
};

const scheduling = (ending: string): Meaning => ({
  say: (r) => `The validator is asked to commit ${namesFrom(r, 2)} to the base ledger${ending}`,
  // No payment needs this, because the program that owns the accounts settles them.
  findings: () => [settlementRequested(ending !== '')],
});

const nameOf = (account: CallAccount | undefined): string => account?.address ?? 'an unread account';

const namesFrom = (r: Reading, first: number): string => r.call.accounts.slice(first).map(nameOf).join(', ');

type MagicCall = NonNullable<ReturnType<typeof decodeMagicCall>>;

/** Decodes the instruction; null if it is of another kind. */
function magicCallOf<K extends MagicCall['kind']>(
  r: Reading,
  kind: K,
): Extract<MagicCall, { kind: K }> | null {
  const call = decodeMagicCall(r.call.data);
  return call?.kind === kind ? (call as Extract<MagicCall, { kind: K }>) : null;
}

const UNNAMED: CallAccount = { address: null, signer: false, writable: false, entry: null };

const named = (address: Address, writable: boolean, signer = false): CallAccount => ({
  address,
  signer,
  writable,
  entry: null,
});

/** Describes the requests of a bundle, in the validator's execution order. */
function bundleText(r: Reading, { commits, undelegations, actions }: IntentBundle): string {
  const namesAt = (indices: readonly number[]) =>
    indices.map((index) => nameOf(r.call.accounts[index])).join(', ');
  const done = [
    ...(commits.length > 0 ? [`to commit ${namesAt(commits)} to the base ledger`] : []),
    ...(undelegations.length > 0
      ? [`to commit ${namesAt(undelegations)} to the base ledger and return it`]
      : []),
    ...actions.map((action) => `to run on base: ${actionText(r, action)}`),
  ];
  return done.length === 0 ? 'to do nothing' : done.join('; ');
}

/**
 * Describes an action. The delegation program appends the requester's accounts to it: a program, the
 * authority and its escrow.
 */
function actionText(r: Reading, action: IntentBundle['actions'][number]): string {
  const accounts = [
    ...action.accounts.map(({ address, isWritable }) => named(address, isWritable)),
    UNNAMED,
    r.call.accounts[action.escrowAuthorityIndex] ?? UNNAMED,
    UNNAMED,
  ];
  return r.scene.inner({ program: action.program, accounts, data: action.data }).text;
}

function taskText(r: Reading): string {
  const task = magicCallOf(r, 'task');
  if (task === null) return 'and that cannot be read';
  const done = task.instructions.map(({ programId, accounts, data }) => {
    const metas = accounts.map(({ address, writable, signer }) => named(address, writable, signer));
    return r.scene.inner({ program: programId, accounts: metas, data }).text;
  });
  return `every ${task.intervalMs} ms: ${done.join('; ')}`;
}

const byProgram = (say: Meaning['say'], findings?: Meaning['findings']): Meaning => ({
  say,
  findings: (r) => [...notForWallets(), ...(findings?.(r) ?? [])],
});

export const magicProgram: KnownProgram = {
  ...MAGIC,
  forms: [
    ...formsOf(MAGIC_TABLE, {
      scheduleCommit: scheduling(''),
      scheduleCommitAndUndelegate: scheduling(' and to return it'),
    }),
    ...formsOf(MAGIC_PROGRAM_TABLE, {
      scheduleTask: byProgram(
        (r) => `${r.name('authority')} schedules a task that the validator runs ${taskText(r)}`,
      ),
      cancelTask: byProgram((r) => `A task of ${r.name('authority')} ends`),
      noop: byProgram((r) => `Does nothing (mark ${r.amount('mark')})`),
      scheduleIntentBundle: byProgram(
        (r) => {
          const bundle = magicCallOf(r, 'bundle');
          return `The validator is asked ${bundle === null ? 'for something that cannot be read' : bundleText(r, bundle)}`;
        },
        (r) => {
          const bundle = magicCallOf(r, 'bundle');
          const shown = (bundle?.commits.length ?? 0) + (bundle?.undelegations.length ?? 0);
          return shown === 0 ? [] : [settlementRequested((bundle?.undelegations.length ?? 0) > 0)];
        },
      ),
      createEphemeralAccount: byProgram(
        (r) =>
          `Account ${r.name('account')} of ${r.number('dataBytes')} bytes is created on the rollup; ${r.name('sponsor')} pays for it`,
      ),
      closeEphemeralAccount: byProgram(
        (r) => `Account ${r.name('account')} of the rollup is closed; ${r.name('sponsor')} gets its rent`,
      ),
      addActionCallback: byProgram((r) => {
        const callback = magicCallOf(r, 'callback');
        return `Program ${callback?.program ?? 'that cannot be read'} will be notified of the outcome of action ${callback?.actionIndex ?? '?'} in the last request of ${r.name('payer')}`;
      }),
    }),
  ],
};
