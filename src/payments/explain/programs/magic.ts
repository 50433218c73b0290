import { decodeMagicCall, type IntentBundle } from '../../../programs/magic/magic-call.ts';
import { MAGIC_PROGRAM_TABLE } from '../../../programs/magic/program-table.ts';
import { MAGIC, MAGIC_TABLE } from '../../../programs/magic/table.ts';
import type { Address } from '../../../solana/address.ts';
import type { CallAccount } from '../call.ts';
import { formOf, type KnownProgram, type Meaning } from '../form.ts';
import type { Reading } from '../reading.ts';
import { notForWallets } from './not-for-wallets.ts';
import { settlementRequested } from './settlement-requested.ts';

const scheduling = (ending: string): Meaning => ({
  say: (r) => `The validator is asked to bring ${namesFrom(r, 2)} to the base ledger${ending}`,
  // Nobody pays by it: payments are settled by the program that owns the accounts.
  findings: () => [settlementRequested(ending !== '')],
});

const nameOf = (account: CallAccount | undefined): string => account?.address ?? 'an unread account';

const namesFrom = (r: Reading, first: number): string => r.call.accounts.slice(first).map(nameOf).join(', ');

type MagicCall = NonNullable<ReturnType<typeof decodeMagicCall>>;

/** The instruction taken apart; null where it is another one. */
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

/** What a bundle asks for, in the order in which the validator does it. */
function bundleWords(r: Reading, { commits, undelegations, actions }: IntentBundle): string {
  const namesAt = (indices: readonly number[]) =>
    indices.map((index) => nameOf(r.call.accounts[index])).join(', ');
  const done = [
    ...(commits.length > 0 ? [`to bring ${namesAt(commits)} to the base ledger`] : []),
    ...(undelegations.length > 0
      ? [`to bring ${namesAt(undelegations)} to the base ledger and give it back`]
      : []),
    ...actions.map((action) => `to have done on base: ${actionWords(r, action)}`),
  ];
  return done.length === 0 ? 'to do nothing' : done.join('; ');
}

/**
 * Behind the accounts of an action the delegation program puts who asked: a program, the authority and its
 * escrow.
 */
function actionWords(r: Reading, action: IntentBundle['actions'][number]): string {
  const accounts = [
    ...action.accounts.map(({ address, isWritable }) => named(address, isWritable)),
    UNNAMED,
    r.call.accounts[action.escrowAuthorityIndex] ?? UNNAMED,
    UNNAMED,
  ];
  return r.inner({ program: action.program, accounts, data: action.data }).text;
}

function taskWords(r: Reading): string {
  const task = magicCallOf(r, 'task');
  if (task === null) return 'something that cannot be read';
  const done = task.instructions.map(({ programId, accounts, data }) => {
    const metas = accounts.map(({ address, writable, signer }) => named(address, writable, signer));
    return r.inner({ program: programId, accounts: metas, data }).text;
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
    formOf(MAGIC_TABLE.scheduleCommit, scheduling('')),
    formOf(MAGIC_TABLE.scheduleCommitAndUndelegate, scheduling(' and to give it back')),
    formOf(
      MAGIC_PROGRAM_TABLE.scheduleTask,
      byProgram((r) => `${r.name('authority')} has the validator do this ${taskWords(r)}`),
    ),
    formOf(
      MAGIC_PROGRAM_TABLE.cancelTask,
      byProgram((r) => `A task of ${r.name('authority')} ends`),
    ),
    formOf(
      MAGIC_PROGRAM_TABLE.noop,
      byProgram((r) => `Nothing is done (mark ${r.amount('mark')})`),
    ),
    formOf(
      MAGIC_PROGRAM_TABLE.scheduleIntentBundle,
      byProgram(
        (r) => {
          const bundle = magicCallOf(r, 'bundle');
          return `The validator is asked ${bundle === null ? 'for something that cannot be read' : bundleWords(r, bundle)}`;
        },
        (r) => {
          const bundle = magicCallOf(r, 'bundle');
          const shown = (bundle?.commits.length ?? 0) + (bundle?.undelegations.length ?? 0);
          return shown === 0 ? [] : [settlementRequested((bundle?.undelegations.length ?? 0) > 0)];
        },
      ),
    ),
    formOf(
      MAGIC_PROGRAM_TABLE.createEphemeralAccount,
      byProgram(
        (r) =>
          `Account ${r.name('account')} of ${r.number('dataBytes')} bytes is made on the rollup; ${r.name('sponsor')} pays for it`,
      ),
    ),
    formOf(
      MAGIC_PROGRAM_TABLE.closeEphemeralAccount,
      byProgram(
        (r) => `Account ${r.name('account')} of the rollup is closed; ${r.name('sponsor')} gets its rent`,
      ),
    ),
    formOf(
      MAGIC_PROGRAM_TABLE.addActionCallback,
      byProgram((r) => {
        const callback = magicCallOf(r, 'callback');
        return `Program ${callback?.program ?? 'that cannot be read'} is to be told how action ${callback?.actionIndex ?? '?'} of what ${r.name('payer')} asked for last has ended`;
      }),
    ),
  ],
};
