import { deriveDelegationAccounts, deriveShuttle } from '../../../src/payments/accounts/deposit-accounts.ts';
import { RENT_PDA } from '../../../src/payments/fees/costs.ts';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../../src/programs/addresses.ts';
import { deriveAta } from '../../../src/programs/associated-token.ts';
import { deriveMagicFeeVault } from '../../../src/programs/delegation/pdas.ts';
import * as transfers from '../../../src/programs/ephemeral-token/layout-b/shuttle.ts';
import * as shuttles from '../../../src/programs/ephemeral-token/layout-b/testing/instructions.ts';
import * as queues from '../../../src/programs/ephemeral-token/layout-b/transfer-queue.ts';
import {
  deriveEata,
  deriveGroupReceipt,
  deriveTransferQueue,
} from '../../../src/programs/ephemeral-token/pdas.ts';
import { QUEUE_TABLE } from '../../../src/programs/ephemeral-token/table/queue.ts';
import { SHUTTLE_TABLE } from '../../../src/programs/ephemeral-token/table/shuttle.ts';
import { encode } from '../../../src/programs/instruction-table/encode.ts';
import { derivePermission } from '../../../src/programs/permission/state.ts';
import type { Address } from '../../../src/solana/address.ts';
import { DANGER, NOT_CLEAR } from '../row.ts';
import { ELSEWHERE, usdcOf } from './eata-program.ts';
import { extra, type Extra } from './extra.ts';

const ID = 7;

/** Creates a shuttle for a wallet's USDC with its accounts. */
function shuttleOf(owner: Address, payer = owner) {
  const accounts = usdcOf(owner);
  const { accounts: shuttle, delegation } = deriveShuttle(accounts, ID);
  const destinationAta = accounts.ownerAta;
  return { ...accounts, shuttle, delegation, payer, rentPda: RENT_PDA, destinationAta };
}

const NOTHING_SEALED = { destination: new Uint8Array(80), terms: new Uint8Array(68) };
const queueOf = (validator: Address): Address => deriveTransferQueue(USDC_MINT, validator).address;

const initQueue = (payer: Address, validator: Address) => {
  const queue = queueOf(validator);
  const queueEata = deriveEata(queue, USDC_MINT).address;
  return encode(
    QUEUE_TABLE.initTransferQueue,
    {
      payer,
      queue,
      queuePermission: derivePermission(queue).address,
      queueEata,
      queueAta: deriveAta(queue, USDC_MINT, TOKEN_PROGRAM).address,
      eataDelegation: deriveDelegationAccounts(queueEata, EPHEMERAL_TOKEN_PROGRAM),
      mint: USDC_MINT,
      validator,
      tokenProgram: TOKEN_PROGRAM,
    },
    { requestedItems: null },
  );
};

const queueTransfer = (owner: Address, destinationOwner: Address, validator: Address) => {
  const queue = queueOf(validator);
  return queues.queueTransfer(
    {
      ...usdcOf(owner),
      queue,
      queueAta: deriveAta(queue, USDC_MINT, TOKEN_PROGRAM).address,
      destinationOwner,
      receipt: deriveGroupReceipt(queue, owner, ID).address,
      receiptPermission: null,
    },
    {
      amount: 1_000n,
      groupId: ID,
      terms: { minDelayMs: 0n, maxDelayMs: 0n, split: 1, clientRefId: null },
    },
  );
};

const byShuttle = (validator: Address | null) => ({ shuttleId: ID, amount: 1_000n, validator });

const privately = (me: Address, validator: Address) =>
  transfers.transferByShuttle(
    { ...shuttleOf(me), queue: queueOf(validator) },
    { shuttleId: ID, amount: 1_000n, exactOut: true, sealed: { ...NOTHING_SEALED, validator } },
  );

/**
 * The ephemeral SPL token program of mainnet (layout B). Instructions that localnet's program rejects are not
 * dangerous there, but never clear.
 */
export const SHUTTLE_EXTRAS: readonly Extra[] = [
  extra('shuttle: one of hers is opened', NOT_CLEAR, ({ me }) => shuttles.initShuttle(shuttleOf(me), ID)),
  extra("shuttle: one of the thief's is opened at her expense", DANGER, ({ me, thief }) =>
    shuttles.initShuttle(shuttleOf(thief, me), ID),
  ),
  extra('shuttle: hers is handed to another validator', DANGER, ({ me }) =>
    shuttles.delegateShuttle(shuttleOf(me), ELSEWHERE),
  ),
  extra('shuttle: hers is handed to no validator by name', NOT_CLEAR, ({ me }) =>
    shuttles.delegateShuttle(shuttleOf(me), null),
  ),
  extra('shuttle: hers is closed in her favor', NOT_CLEAR, ({ me }) =>
    shuttles.undelegateAndCloseShuttle(shuttleOf(me), null),
  ),
  extra('shuttle: hers is closed in favor of the thief', DANGER, ({ me, thiefAta }) =>
    shuttles.undelegateAndCloseShuttle({ ...shuttleOf(me), ownerAta: thiefAta }, null),
  ),
  extra('shuttle: hers is merged into her account', NOT_CLEAR, ({ me }) =>
    shuttles.mergeShuttle(shuttleOf(me)),
  ),
  extra("shuttle: hers is merged into the thief's account", DANGER, ({ me, thiefAta }) =>
    shuttles.mergeShuttle({ ...shuttleOf(me), destinationAta: thiefAta }),
  ),
  extra(
    'shuttle: a deposit that arrives with the thief',
    NOT_CLEAR,
    ({ me, thiefAta, validator }) =>
      encode(
        SHUTTLE_TABLE.depositByShuttle,
        { ...shuttleOf(me), destinationAta: thiefAta },
        byShuttle(validator),
      ),
    { gains: ({ thief }) => thief },
  ),
  extra('shuttle: a deposit on another validator', DANGER, ({ me }) =>
    encode(SHUTTLE_TABLE.depositByShuttle, shuttleOf(me), byShuttle(ELSEWHERE)),
  ),
  extra('shuttle: a deposit on no validator by name', NOT_CLEAR, ({ me }) =>
    encode(SHUTTLE_TABLE.depositByShuttle, shuttleOf(me), byShuttle(null)),
  ),
  extra(
    "shuttle: a deposit into a vault account that is the thief's",
    DANGER,
    ({ me, thiefAta, validator }) =>
      encode(SHUTTLE_TABLE.depositByShuttle, { ...shuttleOf(me), vaultAta: thiefAta }, byShuttle(validator)),
    { codes: ['WRONG_ACCOUNT'] },
  ),
  extra('shuttle: a sealed payment', NOT_CLEAR, ({ me, validator }) => privately(me, validator)),
  extra('shuttle: a payment sealed for another validator', DANGER, ({ me }) => privately(me, ELSEWHERE)),
  extra('shuttle: a withdrawal on another validator', DANGER, ({ me }) =>
    encode(SHUTTLE_TABLE.withdrawByShuttle, shuttleOf(me), byShuttle(ELSEWHERE)),
  ),
  extra(
    'shuttle: a withdrawal to the thief',
    DANGER,
    ({ me, thiefAta, validator }) =>
      encode(SHUTTLE_TABLE.withdrawByShuttle, { ...shuttleOf(me), ownerAta: thiefAta }, byShuttle(validator)),
    { codes: ['WRONG_ACCOUNT'] },
  ),
  extra('queue: one on another validator, at her expense', DANGER, ({ me }) => initQueue(me, ELSEWHERE)),
  extra('queue: one on the validator of the cluster, at her expense', NOT_CLEAR, ({ me, validator }) =>
    initQueue(me, validator),
  ),
  extra(
    'queue: a payment to the thief',
    NOT_CLEAR,
    ({ me, thief, validator }) => queueTransfer(me, thief, validator),
    {
      gains: ({ thief }) => thief,
    },
  ),
  extra('queue: its crank', NOT_CLEAR, ({ me, validator }) =>
    encode(QUEUE_TABLE.ensureTransferQueueCrank, {
      payer: me,
      queue: queueOf(validator),
      magicFeeVault: deriveMagicFeeVault(validator).address,
    }),
  ),
];
