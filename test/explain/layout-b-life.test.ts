import { beforeEach, describe, expect, it } from 'vitest';
import { deriveMintVault } from '../../src/payments/accounts/deposit-accounts.ts';
import { explainCalls } from '../../src/payments/explain/explain-calls.ts';
import { contextOf } from '../../src/payments/explain/testing/explain-instructions.ts';
import { RENT_PDA } from '../../src/payments/fees/costs.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  MAGIC_CONTEXT,
  MAGIC_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../src/programs/addresses.ts';
import * as pdas from '../../src/programs/delegation/pdas.ts';
import { DELEGATION_RECORD_BYTES } from '../../src/programs/delegation/state.ts';
import { callHandler, DELEGATION_TABLE } from '../../src/programs/delegation/table.ts';
import {
  deriveEata,
  deriveLamportsPda,
  deriveQueueRefillState,
  deriveTransferQueue,
} from '../../src/programs/ephemeral-token/pdas.ts';
import { INTERNAL_TABLE } from '../../src/programs/ephemeral-token/table/internal.ts';
import { concat, u32, u64, u8 } from '../../src/programs/instruction-data.ts';
import { encode } from '../../src/programs/instruction-table/encode.ts';
import { MAGIC_PROGRAM_TABLE } from '../../src/programs/magic/table.ts';
import { derivePermission } from '../../src/programs/permission/state.ts';
import { PERMISSION_TABLE } from '../../src/programs/permission/table.ts';
import type { Account } from '../../src/solana/account.ts';
import { type Address, addressBytes } from '../../src/solana/address.ts';
import { type Instruction, readonly, writable } from '../../src/solana/instruction.ts';
import { compileLegacyMessage } from '../../src/solana/message.ts';
import { decodeTransaction } from '../../src/solana/transaction.ts';
import { ataOf, FRIEND, LayoutBScene, openLayoutB, OWNER, VALIDATOR } from '../layout-b-scene.ts';
import { instructionsOf } from '../run-operation.ts';

// What happens to a payment on layout B besides what its owner signs, in words: the bytes are the programs'
// own where base makes them.

const mint = USDC_MINT;
const { vault, vaultAta } = deriveMintVault(mint, TOKEN_PROGRAM);
const queue = deriveTransferQueue(mint, VALIDATOR).address;

let scene: LayoutBScene;

beforeEach(async ({ skip }) => {
  scene = openLayoutB(skip);
  await scene.play('initializeMint', { payer: OWNER, mint });
  await scene.play('deposit', { owner: OWNER, mint, amount: 2_000_000 });
});

async function explain(...calls: Instruction[]) {
  const { instructions, findings, simulation } = await scene.explain(scene.unsignedText(VALIDATOR, ...calls));
  return {
    texts: instructions.map(({ text }) => text),
    actions: instructions.map(({ action }) => action),
    codes: findings.map(({ code }) => code),
    status: simulation?.status,
  };
}

/** The text of a call that no transaction has room for: programs make it among themselves. */
function explainLarge(call: Instruction): string {
  const source = { feePayer: VALIDATOR, blockhash: new Uint8Array(32), instructions: [call] };
  const { bytes, signers } = compileLegacyMessage(source);
  const wire = concat(u8(signers.length), new Uint8Array(64 * signers.length), bytes);
  return explainCalls(decodeTransaction(wire), contextOf()).calls[0]?.text ?? '';
}

/** The shuttle that a transaction opens. */
function shuttleOf(transactionBase64: string): Address {
  const opening = instructionsOf(transactionBase64).find(
    ({ programId, data }) => programId === EPHEMERAL_TOKEN_PROGRAM && [24, 25, 26].includes(data[0] ?? 0),
  );
  return opening?.accounts[2]?.address as Address;
}

/** The delegation of a shuttle with what base has written down behind its record. */
function delegationOf(shuttle: Address): Instruction {
  const account = deriveEata(shuttle, mint).address;
  const record = pdas.deriveDelegationRecord(account).address;
  const { data } = scene.vm.account(record) as Account;
  return encode(
    DELEGATION_TABLE.delegateWithActions,
    {
      payer: RENT_PDA,
      account,
      ownerProgram: EPHEMERAL_TOKEN_PROGRAM,
      delegation: {
        buffer: pdas.deriveDelegateBuffer(account, EPHEMERAL_TOKEN_PROGRAM).address,
        record,
        metadata: pdas.deriveDelegationMetadata(account).address,
      },
    },
    {
      commitFrequencyMs: 0xffff_ffff,
      seeds: u32(0),
      validator: VALIDATOR,
      actions: data.subarray(DELEGATION_RECORD_BYTES),
    },
  );
}

describe('the delegation of a shuttle', () => {
  it('is explained: a deposit is merged and the shuttle closed', async () => {
    const shuttle = shuttleOf(await scene.play('deposit', { owner: OWNER, mint, amount: 1_000 }));
    const { texts, actions } = await explain(delegationOf(shuttle));
    expect(actions).toEqual(['delegateWithActions']);
    expect(texts[0]).toContain(`All tokens of mint ${mint} in shuttle ${shuttle} of ${OWNER} go to`);
    expect(texts[0]).toContain(`; then Shuttle ${shuttle} is returned and closed`);
    expect(texts[0]).not.toContain('sealed');
  });

  it('is explained except for sealed parts: a private payment hides its recipient and its terms', async () => {
    const payment = { from: OWNER, to: FRIEND, mint, amount: 10_000, visibility: 'private' };
    const shuttle = shuttleOf(await scene.play('transfer', payment));
    const text = explainLarge(delegationOf(shuttle));
    expect(text).toMatch(
      /queueTransfer of ephemeral SPL token program, with 32 bytes of data that are sealed for the validator from byte 12 on, and so is one account/,
    );
    expect(text).not.toContain(FRIEND);
    expect(text).toContain(`in shuttle ${shuttle}`);
  });

  it('is explained: a withdrawal goes from the private balance into the shuttle', async () => {
    const shuttle = shuttleOf(await scene.play('withdraw', { owner: OWNER, mint, amount: 1_000 }));
    const { texts } = await explain(delegationOf(shuttle));
    expect(texts[0]).toContain('0.001 USDC');
    expect(texts[0]).toContain('is returned and closed');
  });
});

describe('a validator on base', () => {
  const payout = (amount: bigint): Instruction => {
    const data = concat(u8(202), u8(0), u64(amount), u8(1));
    const accounts = [
      readonly(vault.address),
      readonly(mint),
      writable(vaultAta),
      readonly(FRIEND),
      writable(ataOf(FRIEND)),
      writable(RENT_PDA),
      ...[TOKEN_PROGRAM, ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM].map(readonly),
    ];
    return callHandler(
      {
        validator: VALIDATOR,
        validatorFeesVault: pdas.deriveValidatorFeesVault(VALIDATOR).address,
        destinationProgram: EPHEMERAL_TOKEN_PROGRAM,
        sourceProgram: EPHEMERAL_TOKEN_PROGRAM,
        escrowAuthority: queue,
        escrow: pdas.deriveEphemeralBalance(queue, 0).address,
      },
      { escrowIndex: 0, data, accounts },
    );
  };

  it('is explained with the amount: a payout of a queue does what the explanation says', async () => {
    const { texts, codes, status, actions } = await explain(payout(700n));
    expect(actions).toEqual(['callHandler']);
    expect(texts[0]).toContain(
      `0.0007 USDC (700 base units of mint ${mint}) are paid from the vault to ${FRIEND}`,
    );
    expect(status).toBe('succeeds');
    expect(codes).toEqual(['NOT_FOR_WALLETS']);
    scene.vm.run(VALIDATOR, payout(700n));
    expect(scene.tokensIn(ataOf(FRIEND))).toBe(700n);
  });

  it('is a danger with another escrow, and unknown with other bytes', async () => {
    const call = payout(700n);
    const swapped = call.accounts.map((meta, at) => (at === 5 ? writable(FRIEND) : meta));
    expect((await explain({ ...call, accounts: swapped })).codes).toContain('WRONG_ACCOUNT');
    const { texts } = await explain({ ...call, data: concat(call.data.subarray(0, 13), u8(250)) });
    expect(texts[0]).toContain('UNKNOWN INSTRUCTION');
  });
});

describe('programs and validators on the rollup', () => {
  it('are explained: the tick of a queue and the outcome of a payment', async () => {
    const tick = encode(INTERNAL_TABLE.tickQueue, {
      queue,
      magicFeeVault: pdas.deriveMagicFeeVault(VALIDATOR).address,
    });
    const ended = encode(
      INTERNAL_TABLE.recordRefund,
      {
        callbackSigner: FRIEND,
        refundOwner: OWNER,
        queue,
        magicFeeVault: pdas.deriveMagicFeeVault(VALIDATOR).address,
      },
      {
        responseVersion: 0,
        succeeded: 0,
        payload: concat(u64(5_000n), u8(3)),
        error: 'frozen',
        receipt: u8(0),
      },
    );
    const { texts, actions } = await explain(tick, ended);
    expect(actions).toEqual(['tickQueue', 'recordRefund']);
    expect(texts[0]).toContain(`Transfer queue ${queue} pays out the transfers that are due`);
    expect(texts[1]).toBe(`A refund of 5000 base units to ${OWNER} failed on base (frozen)`);
  });

  it('are explained: requests to the Magic program', async () => {
    const bundle = concat(
      // No commit; commit and undelegate account 2, without actions; none that are finalized; one action.
      u8(0),
      u8(1),
      u32(0),
      concat(u64(1n), u8(2)),
      u32(0),
      u8(0),
      u8(0),
      u64(1n),
      u8(0),
      concat(u64(11n), u8(202), u8(0), u64(9n), u8(0)),
      u32(60_000),
      u8(0),
      addressBytes(EPHEMERAL_TOKEN_PROGRAM),
      u64(9n),
      ...[vault.address, mint, vaultAta, FRIEND, ataOf(FRIEND), RENT_PDA, TOKEN_PROGRAM, OWNER, OWNER].map(
        (address) => concat(addressBytes(address), u8(0)),
      ),
    );
    const call = encode(MAGIC_PROGRAM_TABLE.scheduleIntentBundle, { payer: queue }, { bundle });
    const asked = { ...call, accounts: [...call.accounts, readonly(vaultAta)] };
    const made = encode(
      MAGIC_PROGRAM_TABLE.createEphemeralAccount,
      { sponsor: queue, account: FRIEND },
      { dataBytes: 104 },
    );
    const { texts, codes } = await explain(asked, made);
    expect(texts[0]).toContain(`to commit ${vaultAta} to the base ledger and return it`);
    expect(texts[0]).toContain(
      `0.000009 USDC (9 base units of mint ${mint}) are paid from the vault to ${FRIEND}`,
    );
    expect(texts[1]).toContain(
      `Account ${FRIEND} of 104 bytes is created on the rollup; ${queue} pays for it`,
    );
    expect(codes).toEqual(expect.arrayContaining(['SETTLEMENT_REQUESTED', 'NOT_FOR_WALLETS']));
  });

  it('are explained: tasks, callbacks and accounts that programs request', async () => {
    const tick = concat(
      u64(1n),
      addressBytes(EPHEMERAL_TOKEN_PROGRAM),
      u64(4n),
      ...[queue, FRIEND, MAGIC_CONTEXT, MAGIC_PROGRAM].map((address) =>
        concat(addressBytes(address), u8(0), u8(1)),
      ),
      concat(u64(1n), u8(203)),
    );
    const task = concat(u64(7n), u64(500n), u64(2n ** 63n - 1n), tick);
    const callback = concat(
      u8(0),
      addressBytes(EPHEMERAL_TOKEN_PROGRAM),
      concat(u64(1n), u8(208)),
      u64(0n),
      u32(120_000),
      u64(0n),
    );
    const magicFeeVault = pdas.deriveMagicFeeVault(VALIDATOR).address;
    const { texts, actions } = await explain(
      encode(MAGIC_PROGRAM_TABLE.scheduleTask, { authority: queue, taskContext: FRIEND }, { task }),
      encode(MAGIC_PROGRAM_TABLE.cancelTask, { authority: queue, taskContext: FRIEND }, { taskId: 7n }),
      encode(MAGIC_PROGRAM_TABLE.noop, {}, { mark: 3n }),
      encode(MAGIC_PROGRAM_TABLE.closeEphemeralAccount, { sponsor: queue, account: FRIEND }),
      encode(MAGIC_PROGRAM_TABLE.addActionCallback, { payer: queue, magicFeeVault }, { callback }),
    );
    expect(actions).toEqual([
      'scheduleTask',
      'cancelTask',
      'noop',
      'closeEphemeralAccount',
      'addActionCallback',
    ]);
    expect(texts[0]).toBe(
      `${queue} schedules a task that the validator runs every 500 ms: Transfer queue ${queue} pays out the transfers that are due`,
    );
    expect(texts.slice(1)).toEqual([
      `A task of ${queue} ends`,
      'Does nothing (mark 3)',
      `Account ${FRIEND} of the rollup is closed; ${queue} gets its rent`,
      `Program ${EPHEMERAL_TOKEN_PROGRAM} will be notified of the outcome of action 0 in the last request of ${queue}`,
    ]);
  });

  it('are explained: sent lamports, and a payment that has landed', async () => {
    const salt = new Uint8Array(32).fill(9);
    const [lamportsPda, refillState] = [
      deriveLamportsPda(OWNER, FRIEND, salt),
      deriveQueueRefillState(queue),
    ];
    const asking = {
      sourceProgram: EPHEMERAL_TOKEN_PROGRAM,
      escrowAuthority: queue,
      escrow: pdas.deriveEphemeralBalance(queue, 1).address,
    };
    const carrier = { payer: OWNER, lamportsPda: lamportsPda.address, destination: FRIEND };
    const { texts, actions } = await explain(
      encode(INTERNAL_TABLE.deliverLamports, carrier, { lamports: 1_000n, salt }),
      encode(INTERNAL_TABLE.giveBackLamportsPda, { ...carrier, rentPda: RENT_PDA }, { salt }),
      encode(
        INTERNAL_TABLE.closeLamportsPda,
        { ...carrier, ...asking, rentPda: RENT_PDA },
        { escrowIndex: 1, salt },
      ),
      encode(
        INTERNAL_TABLE.markRefill,
        { ...asking, rentPda: RENT_PDA, refillState: refillState.address },
        { escrowIndex: 1 },
      ),
    );
    expect(actions).toEqual(['deliverLamports', 'giveBackLamportsPda', 'closeLamportsPda', 'markRefill']);
    expect(texts[0]).toContain(`1000 lamports (0.000001 SOL) that ${OWNER} sent arrive in ${FRIEND}`);
    expect(texts[3]).toBe(`Transfer queue ${queue} is marked as short of lamports`);
    const landed = encode(
      INTERNAL_TABLE.recordPayout,
      {
        callbackSigner: FRIEND,
        receipt: OWNER,
        queue,
        vault: vault.address,
        mint,
        vaultAta,
        sourceOwner: OWNER,
        sourceAta: ataOf(OWNER),
        tokenProgram: TOKEN_PROGRAM,
        magicFeeVault: pdas.deriveMagicFeeVault(VALIDATOR).address,
        receiptPermission: derivePermission(OWNER).address,
      },
      {
        responseVersion: 0,
        succeeded: 1,
        payload: concat(u64(700n), u32(5), u8(0)),
        error: '',
        receipt: concat(u8(1), new Uint8Array(64)),
      },
    );
    expect((await explain(landed)).texts[0]).toBe(
      `A payment of 0.0007 USDC (700 base units of mint ${mint}) from ${OWNER} has landed on base; its receipt ${OWNER} records this`,
    );
  });

  it('are explained: readers of accounts that exist on the rollup only', async () => {
    const opened = encode(
      PERMISSION_TABLE.createEphemeralPermission,
      { account: OWNER, permission: derivePermission(OWNER).address, payer: OWNER },
      { isPrivate: 1, readers: concat(u8(2), addressBytes(FRIEND)) },
    );
    const { texts, actions } = await explain(opened);
    expect(actions).toEqual(['createEphemeralPermission']);
    expect(texts[0]).toContain(`is open to ${FRIEND} (flags 2: read logs)`);
  });
});
