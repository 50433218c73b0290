import { USDC_MINT } from '../../../src/programs/addresses.ts';
import { DANGER, NO_DANGER, type Offer, type Verdict } from '../row.ts';
import type { Built } from './hosts.ts';
import { ALICE, BOB, NEW_MINT, TOKEN, type WorldB } from './world-b.ts';

/** Builds with an operation. `of` selects the transaction in its result. */
export async function build(
  { scene }: WorldB,
  operation: string,
  args: object,
  of: (output: { readonly [member: string]: unknown }) => unknown = (output) => output,
): Promise<Built> {
  const { output } = await scene.call(operation, args, TOKEN);
  const { transactionBase64, sendTo, recentBlockhash } = of(output) as Offer & {
    readonly sendTo: 'base' | 'ephemeral';
    readonly recentBlockhash: string;
  };
  return {
    transactionBase64,
    sendTo,
    token: TOKEN,
    request: { operation, arguments: args, recentBlockhash },
  };
}

const owned = { owner: ALICE, mint: USDC_MINT, amount: 1_000_000 };
const paid = { from: ALICE, to: BOB, mint: USDC_MINT, amount: 1_000_000 };
const handle = { payer: ALICE, authority: ALICE, handle: 'alice.sol', destinations: [ALICE, BOB] };

/** The transactions of all operations and routes on layout B. */
export const HOSTS_B = {
  deposit: (world) => build(world, 'deposit', owned),
  publicDeposit: (world) => build(world, 'deposit', { ...owned, private: false, initIfMissing: false }),
  depositWithVault: (world) =>
    build(world, 'deposit', { ...owned, initVaultIfMissing: true, initAtasIfMissing: true }),
  withdraw: (world) => build(world, 'withdraw', owned),
  withdrawWithAta: (world) =>
    build(world, 'withdraw', { ...owned, initAtasIfMissing: true, initIfMissing: false }),
  publicTransfer: (world) => build(world, 'transfer', { ...paid, visibility: 'public' }),
  publicTransferWithMemo: (world) =>
    build(world, 'transfer', { ...paid, visibility: 'public', initRecipientAta: true, memo: 'Order 1042' }),
  privateTransfer: (world) => build(world, 'transfer', { ...paid, legacy: true }),
  privateTransferByTable: (world) => build(world, 'transfer', paid),
  privateTransferInParts: (world) =>
    build(world, 'transfer', {
      ...paid,
      legacy: true,
      split: 3,
      minDelayMs: 1_000,
      maxDelayMs: 5_000,
      clientRefId: 7,
      exactOut: false,
    }),
  toRollup: (world) => build(world, 'transfer', { ...paid, toBalance: 'ephemeral' }),
  toRollupWithAccounts: (world) =>
    build(world, 'transfer', { ...paid, toBalance: 'ephemeral', initIfMissing: true }),
  onRollup: (world) =>
    build(world, 'transfer', { ...paid, fromBalance: 'ephemeral', toBalance: 'ephemeral' }),
  fromRollup: (world) => build(world, 'transfer', { ...paid, fromBalance: 'ephemeral', memo: 'Order 1042' }),
  undelegate: (world) => build(world, 'undelegate', { payer: ALICE, mint: USDC_MINT }),
  initializeMint: (world) => build(world, 'initializeMint', { payer: ALICE, mint: NEW_MINT }),
  stealthUpdate: (world) => build(world, 'createStealthPool', handle),
  stealthSetup: (world) =>
    build(world, 'createStealthPool', handle, ({ setupTransaction }) => setupTransaction),
} satisfies Record<string, (world: WorldB) => Promise<Built>>;

export type HostNameB = keyof typeof HOSTS_B;

/** Returns the verdict on a host without a request. Changed destinations of a handle count as a handover. */
export const aloneOfB = (host: HostNameB): readonly Verdict[] =>
  host === 'stealthUpdate' ? DANGER : NO_DANGER;
