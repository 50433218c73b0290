import { decodeMagicCall, type IntentBundle } from '../../../programs/magic/magic-call.ts';
import { MAGIC, MAGIC_PROGRAM_TABLE, MAGIC_TABLE } from '../../../programs/magic/table.ts';
import type { Address } from '../../../solana/address.ts';
import { type CallAccount, formsOf, type KnownProgram, type Meaning } from '../call.ts';
import type { Reading } from '../reading.ts';
import { notForWallets, settlementRequested } from './common-findings.ts';

const scheduling = (ending: string): Meaning => ({
  say: (r) => `The validator is asked to commit ${namesFrom(r, 2)} to the base ledger${ending}`,
  // No payment needs this: the program that owns the accounts settles them.
  findings: () => [settlementRequested(ending !== '')],
});

const nameOf = (account: CallAccount | undefined): string => account?.address ?? 'an unread account';

const namesFrom = (r: Reading, first: number): string => r.call.accounts.slice(first).map(nameOf).join(', ');

type MagicCall = NonNullable<ReturnType<typeof decodeMagicCall>>;

/** The decoded instruction; null if it is another one. */
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

/** The requests of a bundle, in the order in which the validator executes them. */
function bundleText(r: Reading, { commits, undelegations, actions }: IntentBundle): string {
  const namesAt = (indices: readonly number[]) =>
    indices.map((index) => nameOf(r.call.accounts[index])).join(', ');
  const done = [
    ...(commits.length > 0 ? [`to bring ${namesAt(commits)} to the base ledger`] : []),
    ...(undelegations.length > 0
      ? [`to commit ${namesAt(undelegations)} to the base ledger and return it`]
      : []),
    ...actions.map((action) => `to have done on base: ${actionText(r, action)}`),
  ];
  return done.length === 0 ? 'to do nothing' : done.join('; ');
}

/**
 * After the accounts of an action, the delegation program passes the requester: a program, the authority and
 * its escrow.
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
  if (task === null) return 'something that cannot be read';
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
      scheduleTask: byProgram((r) => `${r.name('authority')} has the validator do this ${taskText(r)}`),
      cancelTask: byProgram((r) => `A task of ${r.name('authority')} ends`),
      noop: byProgram((r) => `Nothing is done (mark ${r.amount('mark')})`),
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
          `Account ${r.name('account')} of ${r.number('dataBytes')} bytes is made on the rollup; ${r.name('sponsor')} pays for it`,
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
