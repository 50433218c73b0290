import { derivePermission } from '../../programs/permission/state.ts';
import { expect, it } from 'vitest';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { queueTransfer } from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { deriveGroupReceipt } from '../../programs/ephemeral-token/pdas.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { paymentPayers } from './ephemeral-accounts.ts';

const [queue, mint, victim, attacker, other] = [1, 2, 3, 4, 5].map((byte) =>
  addressOf(new Uint8Array(32).fill(byte)),
) as [Address, Address, Address, Address, Address];
const GROUP_ID = 7;
const TERMS = { minDelayMs: 0n, maxDelayMs: 0n, split: 1, clientRefId: 9n };

const receiptOf = (owner: Address): Address => deriveGroupReceipt(queue, owner, GROUP_ID).address;
const permissionOf = (owner: Address): Address => derivePermission(receiptOf(owner)).address;

/** A payment of an owner that names these accounts as its receipt and the receipt's permission. */
const payment = (
  owner: Address,
  receipt = receiptOf(owner),
  receiptPermission: Address | null = permissionOf(owner),
): Instruction =>
  queueTransfer(
    {
      queue,
      mint,
      ownerAta: other,
      queueAta: other,
      destinationOwner: other,
      owner,
      tokenProgram: TOKEN_PROGRAM,
      receipt,
      receiptPermission,
    },
    { amount: 5n, groupId: GROUP_ID, terms: TERMS },
  );

/** The payers of a transaction with these instructions in which a program called the inner ones. */
function payersOf(instructions: readonly Instruction[], inner: readonly Instruction[] = []) {
  const all = [...instructions, ...inner];
  const addresses = [
    ...new Set(
      all.flatMap(({ programId, accounts }) => [programId, ...accounts.map(({ address }) => address)]),
    ),
  ];
  const compile = ({ programId, accounts, data }: Instruction) => ({
    programIdIndex: addresses.indexOf(programId),
    accounts: Uint8Array.from(accounts, ({ address }) => addresses.indexOf(address)),
    data,
  });
  const innerInstructions = [
    { index: 0, instructions: inner.map((each) => ({ ...compile(each), stackHeight: 2 })) },
  ];
  expect(addresses).toContain(EPHEMERAL_TOKEN_PROGRAM);
  return paymentPayers({ instructions: instructions.map(compile) }, addresses, { innerInstructions });
}

const ofVictim = new Map([
  [receiptOf(victim), victim],
  [permissionOf(victim), victim],
]);

it('names the payer of a receipt and of its permission, requested by the transaction or a program', () => {
  expect(payersOf([payment(victim)])).toEqual(ofVictim);
  expect(payersOf([payment(attacker)], [payment(victim)])).toEqual(
    new Map([...ofVictim, [receiptOf(attacker), attacker], [permissionOf(attacker), attacker]]),
  );
  expect(payersOf([payment(victim, receiptOf(victim), null)])).toEqual(
    new Map([[receiptOf(victim), victim]]),
  );
});

it('ignores accounts that the payment of someone else names (bug: it made them the reader of a receipt)', () => {
  const forgeries = [
    payment(attacker, receiptOf(attacker), receiptOf(victim)),
    payment(attacker, receiptOf(victim), permissionOf(victim)),
    payment(attacker, receiptOf(attacker), permissionOf(victim)),
  ];
  for (const forgery of forgeries) {
    for (const payers of [
      payersOf([payment(victim), forgery]),
      payersOf([forgery, payment(victim)]),
      payersOf([forgery], [payment(victim)]),
      payersOf([payment(victim)], [forgery]),
    ]) {
      expect(payers.get(receiptOf(victim))).toBe(victim);
      expect(payers.get(permissionOf(victim))).toBe(victim);
    }
  }
});
